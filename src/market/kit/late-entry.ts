// Receipts that a register enters later, because it could not reach its queue.
import type { ActionRow } from '../../model/journal.js'
import type { ReceiptInput } from '../contract.js'
import { type Action, addAction, outage } from './draft.js'

export interface LateEntries {
  count: number
  /** When the register made them, by its own clock (Unix milliseconds). */
  momentMin: number | null
  momentMax: number | null
  /** The first one of them. */
  itemId: string | null
}

/** With one more; the first one begins an outage, which `begins` tells of. */
export function enterLate(
  draft: { input: Pick<ReceiptInput<unknown, never>, 'receipt' | 'tools'>; actions: ActionRow[] },
  { count, momentMin, momentMax, itemId }: LateEntries,
  begins: Action,
): LateEntries {
  const { id, request } = draft.input.receipt
  const moment = request.receiptMoment.getTime()
  if (count === 0) addAction(draft, { ...begins, event: outage.opened('register') })
  return {
    count: count + 1,
    momentMin: Math.min(momentMin ?? moment, moment),
    momentMax: Math.max(momentMax ?? moment, moment),
    itemId: itemId ?? id,
  }
}

/** As the states of some countries name the same. */
export interface UsedFailed {
  usedFailedCount: number
  usedFailedMomentMin: number | null
  usedFailedMomentMax: number | null
  usedFailedQueueItemId: string | null
}

export const usedFailed = (late: LateEntries): UsedFailed => ({
  usedFailedCount: late.count,
  usedFailedMomentMin: late.momentMin,
  usedFailedMomentMax: late.momentMax,
  usedFailedQueueItemId: late.itemId,
})

export const lateEntriesOf = (state: UsedFailed): LateEntries => ({
  count: state.usedFailedCount,
  momentMin: state.usedFailedMomentMin,
  momentMax: state.usedFailedMomentMax,
  itemId: state.usedFailedQueueItemId,
})

/** Members of the object of a queue; `shown`: how its country writes moments there. */
export const describeLate = (
  { count, momentMin, momentMax, itemId }: LateEntries,
  shown: (moment: number | null) => string | null,
) => ({
  UsedFailedCount: count,
  UsedFailedMomentMin: shown(momentMin),
  UsedFailedMomentMax: shown(momentMax),
  UsedFailedQueueItemId: itemId,
})
