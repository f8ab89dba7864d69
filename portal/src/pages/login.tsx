// Logging in, and asking for a link when the password is forgotten.
import { useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { ApiError, call } from '../api/client.js'
import { isOwn } from '../api/next.js'
import { hasPasskeys, logInByPasskey } from '../api/passkeys.js'
import { useKnownSession, useNewSession } from '../api/session.js'
import { goToSso, useSso } from '../api/sso.js'
import { useText } from '../text/index.js'
import { Field, Form } from '../ui/form.js'
import { ErrorNote } from '../ui/states.js'

export function Page() {
  const t = useText()
  const [isForgotten, setForgotten] = useState(false)
  return (
    <main className="narrow">
      <p className="brand">
        <img src="/favicon.svg" alt="" />
        fiskalwerk
      </p>
      {isForgotten ? (
        <Forgotten back={() => setForgotten(false)} />
      ) : (
        <LogIn
          more={
            <button type="button" className="plain" onClick={() => setForgotten(true)}>
              {t.login.forgotten}
            </button>
          }
        />
      )}
    </main>
  )
}

function LogIn({ more }: { more: React.ReactNode }) {
  const t = useText()
  const [needsCode, setNeedsCode] = useState(false)
  const [params] = useSearchParams()
  const newSession = useNewSession()
  const navigate = useNavigate()
  const next = params.get('next')
  const send = async ({ email = '', password = '', code }: Record<string, string>) => {
    try {
      const given = code === undefined || code === '' ? {} : { code }
      await newSession(await call('logIn', { body: { email, password, ...given } }))
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'CodeRequired') throw error
      setNeedsCode(true)
      return
    }
    await navigate(isOwn(next) ? next : '/', { replace: true })
  }
  return (
    <>
      <h1>{t.login.title}</h1>
      <Fault />
      <Form submit={t.login.submit} send={send} more={more}>
        {(faults) => (
          <>
            <Field
              label={t.login.email}
              name="email"
              type="email"
              autoComplete="username"
              autoFocus
              faults={faults}
            />
            <Field
              label={t.login.password}
              name="password"
              type="password"
              autoComplete="current-password"
            />
            {needsCode && (
              <Field
                label={t.login.code}
                name="code"
                autoComplete="one-time-code"
                autoFocus
                faults={faults}
              />
            )}
          </>
        )}
      </Form>
      <OtherWays next={isOwn(next) ? next : '/'} />
    </>
  )
}

/** What has gone wrong at a provider of logins, which has sent the browser back. */
function Fault() {
  const t = useText()
  const [params] = useSearchParams()
  const session = useKnownSession()
  const text = t.sso.faults[params.get('fault') ?? '']
  if (text === undefined) return null
  const next = params.get('next')
  return (
    <div className="fault" role="alert">
      <strong>{text}</strong>
      <span className="sub">{t.common.trace(params.get('trace') ?? '')}</span>
      {session && <Link to={isOwn(next) ? next : '/'}>{t.sso.goOn}</Link>}
    </div>
  )
}

function OtherWays({ next }: { next: string }) {
  const t = useText()
  const sso = useSso()
  const newSession = useNewSession()
  const navigate = useNavigate()
  const [error, setError] = useState<unknown>()
  const tried = (work: () => Promise<void>) => () => {
    setError(undefined)
    work().catch(setError)
  }
  const byPasskey = async () => {
    await newSession(await logInByPasskey())
    await navigate(next, { replace: true })
  }
  return (
    <div className="ways">
      {error !== undefined && <ErrorNote error={error} />}
      {hasPasskeys() && (
        <button type="button" onClick={tried(byPasskey)}>
          {t.passkeys.login}
        </button>
      )}
      {sso !== null && (
        <button type="button" onClick={tried(() => goToSso('login', next))}>
          {t.sso.login(sso)}
        </button>
      )}
    </div>
  )
}

function Forgotten({ back }: { back(): void }) {
  const t = useText()
  const [isSent, setSent] = useState(false)
  const more = (
    <button type="button" className="plain" onClick={back}>
      {t.login.back}
    </button>
  )
  if (isSent) {
    return (
      <>
        <h1>{t.login.forgotten}</h1>
        <p className="note">{t.login.sent}</p>
        {more}
      </>
    )
  }
  return (
    <>
      <h1>{t.login.forgotten}</h1>
      <p className="lead">{t.login.forgottenText}</p>
      <Form
        submit={t.login.send}
        more={more}
        send={async ({ email = '' }) => {
          await call('forgotPassword', { body: { email } })
          setSent(true)
        }}
      >
        {(faults) => (
          <Field
            label={t.login.email}
            name="email"
            type="email"
            autoComplete="username"
            autoFocus
            faults={faults}
          />
        )}
      </Form>
    </>
  )
}
