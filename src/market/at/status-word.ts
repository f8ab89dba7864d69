// What a receipt would show as ftState at a moment, without one being made: clocks of due receipts
// and of outages run on their own. The `stateAt` of the market: called for status exports.
import type { QueueView } from '../../model/queue.js'
import { stateBits, stateWord } from './case-words.js'
import { dueBit, isReportDue, modeBits } from './modes.js'
import type { AtState } from './state.js'

/** `now`: the queue's time, in Unix milliseconds. */
export function stateAt(
  { startMoment, stopMoment }: QueueView,
  state: AtState,
  { now, answersV2 }: { now: number; answersV2: boolean },
): bigint {
  let bits = modeBits(state, now)
  if (startMoment === null || stopMoment !== null) bits |= stateBits.outOfService
  if (stopMoment === null) bits |= dueBit(state.lastSettlementMoment, now)
  // the next receipt writes the report, and says that it waits
  if (isReportDue(state, now)) bits |= stateBits.messagePending
  return stateWord(bits, answersV2 ? 'v2' : 'v0')
}
