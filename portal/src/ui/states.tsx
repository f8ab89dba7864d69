// The states of every list and form: loading, nothing yet, nothing found, not allowed, failed.
import type { ReactNode } from 'react'
import { ApiError } from '../api/client.js'
import { NoPasskey } from '../api/passkeys.js'
import { useText } from '../text/index.js'

interface NoteProps {
  error: unknown
  again?: () => void
  /** It is all that the page shows: what has happened is its heading. */
  isPage?: boolean | undefined
}

export function ErrorNote({ error, again, isPage }: NoteProps) {
  const t = useText()
  const Head = isPage === true ? 'h1' : 'strong'
  const known = error instanceof ApiError ? error : undefined
  const text = useTextOf()(error)
  return (
    <div className="fault" role="alert">
      <Head>{known?.status === 403 ? t.common.notAllowed : text}</Head>
      {known?.status === 403 && <p>{text}</p>}
      {known !== undefined &&
        Object.entries(known.faults).map(([member, texts]) => (
          <p key={member}>
            {member}: {texts.join(' ')}
          </p>
        ))}
      {known !== undefined && known.code !== '' && <span className="sub mono">{known.code}</span>}
      {known !== undefined && known.traceId !== '' && (
        <span className="sub">{t.common.trace(known.traceId)}</span>
      )}
      {again !== undefined && (
        <button type="button" onClick={again}>
          {t.common.again}
        </button>
      )}
    </div>
  )
}

/** What has gone wrong, for people. */
export function useTextOf() {
  const t = useText()
  return (error: unknown): string => {
    if (error instanceof NoPasskey) return t.passkeys.calledOff
    if (!(error instanceof ApiError)) {
      return error instanceof Error && error.message !== '' ? error.message : t.common.failed
    }
    if (error.status === 0) return t.common.offline
    // a fault of the server says nothing that its code and its trace do not
    return error.code === 'INTERNAL' ? t.common.failed : error.message
  }
}

interface EmptyProps {
  title: string
  children?: ReactNode
  /** It is all that the page shows. */
  isPage?: boolean | undefined
}

export function Empty({ title, children, isPage }: EmptyProps) {
  const Head = isPage === true ? 'h1' : 'strong'
  return (
    <div className="empty">
      <Head>{title}</Head>
      {children}
    </div>
  )
}

export function Loading() {
  const t = useText()
  return (
    <p className="lead" role="status">
      {t.common.loading}
    </p>
  )
}
