// A short list of ways that opens below its button: a native popover, closed by Escape and by a
// click beside it.
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useLocation } from 'react-router'

interface Props {
  label: ReactNode
  name: string
  children: ReactNode
}

export function Menu({ label, name, children }: Props) {
  const id = useId()
  const list = useRef<HTMLElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const location = useLocation()
  // whoever has chosen a page wants to see it
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each new page
  useEffect(() => list.current?.hidePopover(), [location.pathname])
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
      <nav ref={list} id={id} popover="auto" className="popup" aria-label={name} onToggle={place}>
        {children}
      </nav>
    </>
  )
}

const GAP = 4
