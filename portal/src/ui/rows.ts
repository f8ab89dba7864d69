// How high rows of tables are, in this browser: dense, as many as fit, or with more room.
const KEPT = 'rows'
const HIGH = 'high'

/** A browser may have none, or give it to no page: then it is for this page alone. */
function kept(): Storage | undefined {
  try {
    return localStorage ?? undefined
  } catch {
    return undefined
  }
}

export const hasHighRows = (): boolean => kept()?.getItem(KEPT) === HIGH

export function showRows(areHigh = hasHighRows()): void {
  document.documentElement.dataset.rows = areHigh ? HIGH : ''
}

export function keepHighRows(wanted: boolean): void {
  if (wanted) kept()?.setItem(KEPT, HIGH)
  else kept()?.removeItem(KEPT)
  showRows(wanted)
}
