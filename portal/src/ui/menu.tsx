// A short list of ways that opens below its button: a native popover, closed by Escape and by a
// click beside it.
import { type ReactNode, useId, useRef } from 'react'

interface Props {
  label: ReactNode
  name: string
  children: ReactNode
}

export function Menu({ label, name, children }: Props) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const place = () => {
    const at = button.current?.getBoundingClientRect()
    if (at === undefined || list.current === null) return
    const { style } = list.current
    style.top = `${at.bottom + GAP}px`
    const right = document.documentElement.clientWidth - list.current.offsetWidth - GAP
    style.left = `${Math.max(GAP, Math.min(at.left, right))}px`
  }
  return (
    <>
      <button ref={button} type="button" className="plain" popoverTarget={id}>
        {label} <span aria-hidden="true">▾</span>
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        className="popup"
        role="group"
        aria-label={name}
        onToggle={place}
        onClick={() => list.current?.hidePopover()}
      >
        {children}
      </div>
    </>
  )
}

const GAP = 4
