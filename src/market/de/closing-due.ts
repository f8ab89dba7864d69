// When a daily closing is due: on the second calendar day after the first receipt that it would
// hold.

import { isActive } from '../kit/draft.js'
import type { ReceiptDraft } from './receipt-draft.js'
import type { DeState } from './state.js'

const DAY_MS = 24 * 60 * 60 * 1000
/** The day on which summer time begins. */
const SHORTEST_DAY_MS = 23 * 60 * 60 * 1000
/** `2026-01-31` */
const day = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Berlin',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})
const dayNumber = (moment: number): number => Date.parse(day.format(moment)) / DAY_MS

/** Both by the queue's time: a register that dates its receipts wrongly silences nothing. */
export function isClosingDue({ firstSinceClosing }: DeState, now: number): boolean {
  if (firstSinceClosing === null || now - firstSinceClosing <= SHORTEST_DAY_MS) return false
  return dayNumber(now) - dayNumber(firstSinceClosing) >= 2
}

export function noteFirst(draft: ReceiptDraft): void {
  const { state, reading, input } = draft
  if (state.firstSinceClosing !== null || reading.row.path !== 'business') return
  if (isActive(draft)) state.firstSinceClosing = input.moment.getTime()
}
