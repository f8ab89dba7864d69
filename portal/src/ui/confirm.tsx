// What the server wants confirmed is asked here: the password once more, and the same call again.
import { createContext, type ReactNode, useContext, useRef, useState } from 'react'
import { ApiError, call } from '../api/client.js'
import { confirmByPasskey, hasPasskeys } from '../api/passkeys.js'
import { useSession } from '../api/session.js'
import { goToSso, hereNow, useSso } from '../api/sso.js'
import { useText } from '../text/index.js'
import { Dialog } from './dialog.js'
import { ErrorNote } from './states.js'

type Confirmed = <T>(work: () => Promise<T>) => Promise<T>

const ConfirmContext = createContext<Confirmed>((work) => work())
export const useConfirmed = (): Confirmed => useContext(ConfirmContext)

interface Waiting {
  go(): void
  stop(reason: unknown): void
}

export function Confirming({ children }: { children: ReactNode }) {
  const t = useText()
  const { person } = useSession()
  const sso = useSso()
  const [waiting, setWaiting] = useState<Waiting>()
  const [error, setError] = useState<unknown>()
  const field = useRef<HTMLInputElement>(null)
  const ask = () =>
    new Promise<void>((go, stop) => {
      setError(undefined)
      setWaiting({ go, stop })
    })
  const confirmed: Confirmed = async (work) => {
    try {
      return await work()
    } catch (failed) {
      if (!(failed instanceof ApiError) || failed.code !== 'ConfirmationRequired') throw failed
      await ask()
      return work()
    }
  }
  const send = async (work: () => Promise<unknown>) => {
    try {
      await work()
      waiting?.go()
      setWaiting(undefined)
    } catch (failed) {
      setError(failed)
    }
  }
  const stop = () => {
    waiting?.stop(new ApiError(403, { detail: t.confirm.text }, ''))
    setWaiting(undefined)
  }
  return (
    <ConfirmContext.Provider value={confirmed}>
      {children}
      {waiting !== undefined && (
        <Dialog title={t.confirm.title} onClose={stop}>
          <form
            onSubmit={(event) => {
              event.preventDefault()
              const password = field.current?.value ?? ''
              void send(() => call('confirmSession', { body: { password } }))
            }}
          >
            <p>{t.confirm.text}</p>
            {error !== undefined && <ErrorNote error={error} />}
            {person.hasPassword && (
              <label className="field">
                <span>{t.login.password}</span>
                <input ref={field} type="password" autoComplete="current-password" required />
              </label>
            )}
            <div className="actions">
              {person.hasPassword && (
                <button type="submit" className="primary">
                  {t.confirm.submit}
                </button>
              )}
              {person.passkeys > 0 && hasPasskeys() && (
                <button type="button" onClick={() => void send(confirmByPasskey)}>
                  {t.passkeys.confirm}
                </button>
              )}
              {person.connected && sso !== null && (
                <button
                  type="button"
                  onClick={() => void send(() => goToSso('confirm', hereNow()))}
                >
                  {t.sso.confirm(sso)}
                </button>
              )}
              <button type="button" onClick={stop}>
                {t.common.cancel}
              </button>
            </div>
          </form>
        </Dialog>
      )}
    </ConfirmContext.Provider>
  )
}
