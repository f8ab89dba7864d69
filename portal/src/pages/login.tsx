// Logging in, and asking for a link when the password is forgotten.
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { ApiError, call } from '../api/client.js'
import { useNewSession } from '../api/session.js'
import { useText } from '../text/index.js'
import { Field, Form } from '../ui/form.js'

/** Only pages of the portal: what stands in the address may come from anybody. */
const isOwn = (next: string | null): next is string =>
  next !== null && /^\/(?![/\\])/.test(next) && !next.startsWith('/login')

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
    </>
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
