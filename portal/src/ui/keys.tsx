// One table of keys: what they do, and the sheet that tells it. Nobody types a letter and leaves the
// page: keys are ignored while something is written, and with other keys held down.
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { useText } from '../text/index.js'
import { Dialog } from './dialog.js'
import { PAGES } from './pages.js'

export interface Actions {
  search(): void
  drawer(): void
  help(): void
}

const PAUSE_MS = 1_000

export function useKeys(actions: Actions): void {
  const navigate = useNavigate()
  const before = useRef({ key: '', at: 0 })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isPalette = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
      if (isPalette) {
        event.preventDefault()
        actions.search()
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
      if (isWriting(event.target) || document.querySelector('dialog[open]') !== null) return
      const { key, at } = before.current
      before.current = { key: event.key, at: event.timeStamp }
      if (key === 'g' && event.timeStamp - at < PAUSE_MS) {
        const page = PAGES.find((one) => one.key === event.key)
        if (page !== undefined) void navigate(page.to)
        return
      }
      if (event.key === '/') actions.search()
      else if (event.key === 'c') actions.drawer()
      else if (event.key === '?') actions.help()
      else return
      event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [actions, navigate])
}

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

export function KeySheet({ onClose }: { onClose(): void }) {
  const t = useText()
  const rows: readonly (readonly [string, string])[] = [
    ['/', t.keys.search],
    ['Ctrl K', t.keys.search],
    ['c', t.keys.drawer],
    ['?', t.keys.help],
    ...PAGES.map(({ key, name }) => [`g ${key}`, t.nav[name]] as const),
  ]
  return (
    <Dialog title={t.keys.title} onClose={onClose}>
      <dl className="facts">
        {rows.map(([key, text]) => (
          <div key={key} className="row">
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={onClose}>
        {t.common.close}
      </button>
    </Dialog>
  )
}
