// Local time of Austria, and the one in the code of a receipt, which never goes back: not in the
// hour that October repeats, not when a clock is set back.
import { LocalTime } from '../../lib/local-time.js'
import type { ReceiptDraft } from './receipt-draft.js'

export const vienna = new LocalTime('Europe/Vienna')

/**
 * Field 4 of the machine-readable code (RKSV Annex). It has no zone, and verifiers refuse a chain
 * in which it goes back: it stays at the last one until that has passed. A queue that was stored
 * before this was kept goes by the time of its last receipt.
 */
export function localTime({ state, input }: ReceiptDraft): string {
  const now = vienna.text(input.moment)
  const last = state.lastLocalTime === '' ? textBefore(input.queue.lastMoment) : state.lastLocalTime
  return last > now ? last : now
}

function textBefore(lastMoment: Date | null | undefined): string {
  return lastMoment === null || lastMoment === undefined ? '' : vienna.text(lastMoment)
}
