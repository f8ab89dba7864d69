// The stream of events: pages are told what has changed, and nothing is asked again and again.
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { linkOf } from '../api/client.js'
import { useSession } from '../api/session.js'
import { EVENT_TYPES } from '../generated/operations.js'
import { useText } from '../text/index.js'

export type LiveState = 'live' | 'catching' | 'away'

export interface LiveEvent {
  seq: number
  type: string
  subject?: string
  time: string
  source: string
  data: unknown
}

interface Live {
  state: LiveState
  /** The newest first. */
  events: readonly LiveEvent[]
}

const LiveContext = createContext<Live>({ state: 'catching', events: [] })
export const useLive = (): Live => useContext(LiveContext)

const MOST = 200
const BATCH_MS = 250

/** What a type of event makes stale. */
const STALE: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^problem\./, ['listProblems', 'countProblems']],
  [/^(outage|queue|scu|receipt)\./, ['listAllQueues', 'listOutages', 'getCashBox']],
  [/^(scu|outage)\./, ['listAllScus', 'listScus', 'getUnitDetails', 'getScu', 'readOutage']],
  [/^invitation\.|^connection\./, ['listInvitations', 'invitationHistory', 'listOperators']],
  [/^configuration\./, ['getCashBox', 'listCashBoxes']],
  [/^webhook\./, ['listWebhooks']],
  [/^job\./, ['listJobs', 'listInspections', 'getJob', 'getInspection']],
  [/^archive\./, ['listBackups']],
]

export function LiveEvents({ children }: { children: ReactNode }) {
  const { account } = useSession()
  const client = useQueryClient()
  const [state, setState] = useState<LiveState>('catching')
  const [events, setEvents] = useState<readonly LiveEvent[]>([])
  const arrived = useRef<LiveEvent[]>([])
  const mayRead = account !== null && account.role !== 'None'
  useEffect(() => {
    if (!mayRead) return
    const stream = new EventSource(linkOf('streamEvents', {}))
    const take = (message: MessageEvent<string>) => {
      arrived.current.push(JSON.parse(message.data) as LiveEvent)
    }
    stream.onopen = () => setState('live')
    stream.onerror = () => setState(stream.readyState === EventSource.CLOSED ? 'away' : 'catching')
    // each event is named by its type
    for (const type of EVENT_TYPES) stream.addEventListener(type, take)
    const show = setInterval(() => {
      const batch = arrived.current.splice(0)
      if (batch.length === 0) return
      setEvents((before) => [...batch.toReversed(), ...before].slice(0, MOST))
      const stale = new Set(
        batch.flatMap(({ type }) =>
          STALE.flatMap(([pattern, ids]) => (pattern.test(type) ? ids : [])),
        ),
      )
      void client.invalidateQueries({ predicate: ({ queryKey }) => stale.has(String(queryKey[0])) })
    }, BATCH_MS)
    return () => {
      clearInterval(show)
      stream.close()
    }
  }, [client, mayRead])
  return <LiveContext.Provider value={{ state, events }}>{children}</LiveContext.Provider>
}

export function LiveBadge() {
  const t = useText()
  const { state } = useLive()
  const text = { live: t.common.live, catching: t.common.catching, away: t.common.away }[state]
  return (
    <span className={state === 'live' ? 'live on' : 'live'} role="status">
      <i aria-hidden="true" />
      {text}
    </span>
  )
}
