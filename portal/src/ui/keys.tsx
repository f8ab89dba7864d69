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

/** Keys of what a page shows: of the row that one is at, else of the page. Their buttons say so. */
const ON_PAGE = [
  ['x', 'select'],
  ['s', 'snooze'],
  ['e', 'edit'],
  ['p', 'pause'],
  ['[', 'first'],
  [']', 'next'],
  ['Escape', 'clear'],
] as const
const ROWS = 'main tbody tr'
const STEPS: Readonly<Record<string, number>> = { j: 1, k: -1 }

/** True: the key meant something here. */
function pressOnPage(key: string): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>(ROWS)]
  const row = rows.find((one) => one.contains(document.activeElement))
  const step = STEPS[key]
  if (step !== undefined) {
    const at = row === undefined ? (step > 0 ? -1 : rows.length) : rows.indexOf(row)
    rows.at(Math.min(Math.max(at + step, 0), rows.length - 1))?.focus()
    return rows.length > 0
  }
  if (key === 'Enter') {
    // a link or a button is pressed by the browser
    if (row === undefined || row !== document.activeElement) return false
    const to = row.dataset.open === undefined ? row.querySelector('a') : row
    to?.click()
    return true
  }
  const named = `[aria-keyshortcuts="${CSS.escape(key)}"]`
  const on = ON_PAGE.some(([one]) => one === key)
  const found = on && (row?.querySelector(named) ?? document.querySelector(`main ${named}`))
  if (!(found instanceof HTMLElement)) return false
  found.click()
  return true
}

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
      else if (!pressOnPage(event.key)) return
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
    ['j k', t.keys.move],
    ['Enter', t.keys.open],
    ...ON_PAGE.map(([key, name]) => [key, t.keys[name]] as const),
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
