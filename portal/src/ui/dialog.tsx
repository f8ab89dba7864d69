// A native dialog: it keeps the focus, and Escape closes it. It stands beside the page, so that no
// row of a table says how it looks.
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { createPortal } from 'react-dom'

interface Props {
  title: string
  onClose(): void
  className?: string
  children: ReactNode
}

export function Dialog({ title, onClose, className, children }: Props) {
  const box = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useEffect(() => {
    const shown = box.current
    if (shown !== null && !shown.open) shown.showModal()
    return () => shown?.close()
  }, [])
  return createPortal(
    <dialog
      ref={box}
      className={className}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <h2 id={heading}>{title}</h2>
      {children}
    </dialog>,
    document.body,
  )
}
