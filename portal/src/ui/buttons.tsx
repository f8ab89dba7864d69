// Buttons: one that works, one that says why it may not, one that copies, one that asks first.
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useText } from '../text/index.js'
import { copied } from './clipboard.js'
import { useConfirmed } from './confirm.js'
import { Dialog } from './dialog.js'
import { ErrorNote } from './states.js'
import { useToast } from './toast.js'

interface WorkProps {
  children: ReactNode
  work(): Promise<unknown>
  /** Why it may not be pressed; undefined: it may. */
  why?: string | undefined
  kind?: 'primary' | 'danger' | 'plain' | undefined
  /** Said when it is done. */
  done?: string
  /** A key that presses it. */
  shortcut?: string
  /** What it opens. */
  opens?: 'dialog'
}

/** Works once at a time; a refusal is said where it was pressed. */
export function WorkButton({ children, work, why, kind, done, shortcut, opens }: WorkProps) {
  const [isBusy, setBusy] = useState(false)
  const confirmed = useConfirmed()
  const toast = useToast()
  if (why !== undefined) return <Disabled why={why}>{children}</Disabled>
  const press = async () => {
    if (isBusy) return
    setBusy(true)
    try {
      await confirmed(work)
      if (done !== undefined) toast({ text: done })
    } catch (error) {
      toast({ text: error instanceof Error ? error.message : String(error), isFault: true })
    } finally {
      setBusy(false)
    }
  }
  return (
    <button
      type="button"
      className={kind}
      aria-busy={isBusy}
      aria-keyshortcuts={shortcut}
      aria-haspopup={opens}
      onClick={() => void press()}
    >
      {isBusy ? '…' : children}
    </button>
  )
}

/** Reached by the keyboard and read by readers, and says why. */
export function Disabled({ why, children }: { why: string; children: ReactNode }) {
  const id = useId()
  return (
    <span className="disabled">
      <button type="button" aria-disabled="true" aria-describedby={id}>
        {children}
      </button>
      <span id={id} role="tooltip" className="why">
        {why}
      </span>
    </span>
  )
}

export function CopyButton({ text, children }: { text: string; children?: ReactNode }) {
  const t = useText()
  const [isDone, setDone] = useState<boolean>()
  return (
    <>
      <button type="button" onClick={() => void copied(text).then(setDone)}>
        {isDone === true ? t.common.copied : (children ?? t.common.copy)}
      </button>
      {isDone === false && <ByHand text={text} />}
    </>
  )
}

const MOST_ROWS = 8

/** Where the browser copies nothing: selected already, so that a key is all that is left to press. */
export function ByHand({ text }: { text: string }) {
  const t = useText()
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.select(), [])
  return (
    <label className="field">
      <span>{t.common.byHand}</span>
      <textarea
        ref={field}
        className="by-hand"
        readOnly
        value={text}
        rows={Math.min(MOST_ROWS, text.split('\n').length)}
      />
    </label>
  )
}

interface AskProps extends WorkProps {
  title: string
  text: string
  /** What has to be typed, for what cannot be undone. */
  typed?: string
}

export function AskButton({ title, text, typed, children, work, why, kind }: AskProps) {
  const t = useText()
  const [isOpen, setOpen] = useState(false)
  const [said, setSaid] = useState('')
  const [error, setError] = useState<unknown>()
  const confirmed = useConfirmed()
  if (why !== undefined) return <Disabled why={why}>{children}</Disabled>
  const isRight = typed === undefined || said.trim() === typed.trim()
  const go = async () => {
    if (!isRight) return
    try {
      await confirmed(work)
      setOpen(false)
    } catch (failed) {
      setError(failed)
    }
  }
  return (
    <>
      <button type="button" className={kind} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {children}
      </button>
      {isOpen && (
        <Dialog title={title} onClose={() => setOpen(false)}>
          <p>{text}</p>
          {error !== undefined && <ErrorNote error={error} />}
          {typed !== undefined && (
            <label className="field">
              <span>{t.invitations.typed(typed)}</span>
              <input value={said} onChange={(event) => setSaid(event.target.value)} />
            </label>
          )}
          <div className="actions">
            {isRight ? (
              <button type="button" className="danger" onClick={() => void go()}>
                {children}
              </button>
            ) : (
              <Disabled why={t.invitations.typed(typed ?? '')}>{children}</Disabled>
            )}
            <button type="button" onClick={() => setOpen(false)}>
              {t.common.cancel}
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}
