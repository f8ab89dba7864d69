// Where the link of a mail leads: whoever has it chooses a password.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../api/client.js'
import { useNewSession } from '../api/session.js'
import { useText } from '../text/index.js'
import { Field, Form } from '../ui/form.js'
import { ErrorNote, Loading } from '../ui/states.js'

export function Page() {
  const t = useText()
  // behind #, so that no server on the way has seen it; it stays in no history either
  const [token] = useState(() => location.hash.slice(1))
  const newSession = useNewSession()
  const navigate = useNavigate()
  const [isUsed, setUsed] = useState(false)
  const link = useQuery({
    enabled: !isUsed,
    queryKey: ['lookAtLink', token],
    queryFn: () => call('lookAtLink', { body: { token } }),
  })
  const send = async ({ password = '', name = '' }: Record<string, string>) => {
    await call('followLink', { body: { token, password, name } })
    // it works once, so nobody asks for it again
    setUsed(true)
    const session = await call('getSession', {})
    // null: the second factor is asked for
    if (session !== null) await newSession(session)
    await navigate(session === null ? '/login' : '/', { replace: true })
  }
  return (
    <main className="narrow">
      <p className="brand">
        <img src="/favicon.svg" alt="" />
        fiskalwerk
      </p>
      {link.isPending && <Loading />}
      {link.error !== null && (
        <>
          <ErrorNote error={link.error} />
          <a href="/portal/login">{t.login.back}</a>
        </>
      )}
      {link.data !== undefined && (
        <>
          <h1>{link.data.purpose === 'welcome' ? t.password.welcome : t.password.reset}</h1>
          <p className="lead">{t.password.for(link.data.email)}</p>
          <Form submit={t.password.submit} send={send}>
            {(faults) => (
              <>
                <input type="hidden" autoComplete="username" value={link.data.email} readOnly />
                <Field
                  label={t.password.name}
                  name="name"
                  value={link.data.name}
                  autoComplete="name"
                  faults={faults}
                />
                <Field
                  label={t.password.password}
                  name="password"
                  type="password"
                  autoComplete="new-password"
                  hint={t.password.rule}
                  autoFocus
                  faults={faults}
                />
              </>
            )}
          </Form>
        </>
      )}
    </main>
  )
}
