// When a daily closing is due: on the second calendar day after the first receipt that it would
// hold.

import { isActive } from '../kit/draft.js'
import { LocalTime } from '../kit/local-time.js'
import type { ReceiptDraft } from './receipt-draft.js'
import type { DeState } from './state.js'

/** The day on which summer time begins. */
const SHORTEST_DAY_MS = 23 * 60 * 60 * 1000
const berlin = new LocalTime('Europe/Berlin')

/** Both by the queue's time: a register that dates its receipts wrongly silences nothing. */
export function isClosingDue({ firstSinceClosing }: DeState, now: number): boolean {
  if (firstSinceClosing === null || now - firstSinceClosing <= SHORTEST_DAY_MS) return false
  return berlin.dayNumber(now) - berlin.dayNumber(firstSinceClosing) >= 2
}

export function noteFirst(draft: ReceiptDraft): void {
  const { state, reading, input } = draft
  if (state.firstSinceClosing !== null || reading.row.path !== 'business') return
  if (isActive(draft)) state.firstSinceClosing = input.moment.getTime()
}
