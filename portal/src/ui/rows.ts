// How high rows of tables are, in this browser: dense, as many as fit, or with more room.
const KEPT = 'rows'
const HIGH = 'high'

export const hasHighRows = (): boolean => localStorage.getItem(KEPT) === HIGH

export function showRows(): void {
  document.documentElement.dataset.rows = hasHighRows() ? HIGH : ''
}

export function keepHighRows(wanted: boolean): void {
  if (wanted) localStorage.setItem(KEPT, HIGH)
  else localStorage.removeItem(KEPT)
  showRows()
}
