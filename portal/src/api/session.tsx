// Who is logged in, for every page; what becomes of a session that ends, or goes on to another
// account in another tab.
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { chosenLanguage, knownText, type Speaking, Speech, textOf, useText } from '../text/index.js'
import { ErrorNote } from '../ui/states.js'
import { call, speakAs } from './client.js'
import type { Result } from './types.js'

export type SessionState = NonNullable<Result<'getSession'>>

const SessionContext = createContext<SessionState | null>(null)

export function useSession(): SessionState {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('this page is shown to whoever is logged in')
  return session
}

/** Whether the role lets him change something; the server decides again. */
export function useRole() {
  const { account } = useSession()
  const role = account?.role ?? 'None'
  return {
    role,
    mayWrite: role === 'Member' || role === 'Administrator',
    isAdministrator: role === 'Administrator',
  }
}

export const SESSION = ['getSession'] as const

/** Asked before anything is shown; a fault is that of the page, which asks again. */
export async function firstSession(client: QueryClient): Promise<SessionState | null | undefined> {
  try {
    const session = await call('getSession', {})
    client.setQueryData(SESSION, session)
    return session
  } catch {
    return undefined
  }
}

function useSessionQuery() {
  return useQuery({
    queryKey: SESSION,
    queryFn: () => call('getSession', {}),
    staleTime: 60_000,
  })
}

/** Where nobody has to be logged in. */
export const useKnownSession = (): SessionState | null => useSessionQuery().data ?? null

/** Loads the texts of the language that is wanted before anything is shown. */
export function Speaker({ children }: { children: ReactNode }) {
  const { data } = useSessionQuery()
  const wished = data?.person.language
  const language = chosenLanguage(wished)
  // before any page below asks for something
  speakAs({ language })
  const [speaking, setSpeaking] = useState<Speaking | undefined>(() => {
    const t = knownText(language)
    return t === undefined ? undefined : { language, t }
  })
  useEffect(() => {
    let isCurrent = true
    void textOf(language).then((t) => {
      if (!isCurrent) return
      setSpeaking((now) => (now?.language === language ? now : { language, t }))
    })
    document.documentElement.lang = language
    return () => {
      isCurrent = false
    }
  }, [language])
  if (speaking === undefined) return null
  return <Speech.Provider value={speaking}>{children}</Speech.Provider>
}

/** Pages behind it are for whoever is logged in; others come back here after the login. */
export function LoggedIn({ children }: { children: ReactNode }) {
  const { data, error, isPending, refetch } = useSessionQuery()
  const location = useLocation()
  const t = useText()
  if (isPending) return <p className="narrow lead">{t.common.loading}</p>
  // one that was known goes on: a look that failed must not take away what somebody types
  if (data === undefined) {
    return (
      <div className="narrow">
        <ErrorNote error={error} again={() => void refetch()} />
      </div>
    )
  }
  if (data === null) {
    const next = location.pathname + location.search
    return <Navigate to={`/login?next=${encodeURIComponent(next)}`} replace />
  }
  speakAs({ csrf: data.csrf, accountId: data.account?.accountId })
  return <SessionContext.Provider value={data}>{children}</SessionContext.Provider>
}

/** After a login, a switch or a change of oneself. */
export function useNewSession() {
  const client = useQueryClient()
  return async (session: SessionState) => {
    speakAs({ csrf: session.csrf, accountId: session.account?.accountId })
    await client.cancelQueries()
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] })
    client.setQueryData(SESSION, session)
  }
}
