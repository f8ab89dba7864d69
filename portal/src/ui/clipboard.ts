// Into the clipboard. Browsers give theirs to pages alone that came over TLS or from this very
// machine, and may refuse it there too; the older way, by a selection, is on every page.

/** False: it has to be copied by hand. Called by what somebody has pressed. */
export async function copied(text: string): Promise<boolean> {
  // `clipboard` is not there on such pages
  const [written] = await Promise.allSettled([(async () => navigator.clipboard.writeText(text))()])
  return written.status === 'fulfilled' || copiedBySelection(text)
}

function copiedBySelection(text: string): boolean {
  const before = document.activeElement
  const field = document.createElement('textarea')
  field.className = 'to-copy'
  field.value = text
  field.setAttribute('aria-hidden', 'true')
  // beside what was pressed: nothing else can be selected while a dialog is open
  ;(before?.parentElement ?? document.body).append(field)
  field.select()
  const isDone = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  return isDone
}
