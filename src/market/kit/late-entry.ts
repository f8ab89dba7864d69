// Receipts that a register enters later, because it could not reach its queue.
import { z } from 'zod'
import type { ActionRow } from '../../model/journal.js'
import type { ReceiptInput } from '../contract.js'
import { type Action, addAction, outage } from './draft.js'
import { count, id, moment } from './state.js'

export const lateEntries = z.object({
  count,
  /** When the register made them, by its own clock. */
  ...{ momentMin: moment, momentMax: moment },
  /** The first one of them. */
  itemId: id,
})
export type LateEntries = z.infer<typeof lateEntries>

export const NO_LATE_ENTRIES: LateEntries = {
  ...{ count: 0, momentMin: null, momentMax: null, itemId: null },
}

/** With one more; the first one begins an outage, which `begins` tells of. */
export function enterLate(
  draft: { input: Pick<ReceiptInput<unknown, never>, 'receipt' | 'tools'>; actions: ActionRow[] },
  before: LateEntries,
  begins: Action,
): LateEntries {
  const { receipt } = draft.input
  const made = receipt.request.receiptMoment.getTime()
  if (before.count === 0) addAction(draft, { ...begins, event: outage.opened('register') })
  return {
    count: before.count + 1,
    momentMin: Math.min(before.momentMin ?? made, made),
    momentMax: Math.max(before.momentMax ?? made, made),
    itemId: before.itemId ?? receipt.id,
  }
}

/** The outage that they tell of. */
export const lateMode = ({ count, momentMin }: LateEntries) => ({
  receipts: count,
  since: momentMin,
})

/** As the states of some countries name the same. */
export const usedFailedMembers = {
  usedFailedCount: count,
  usedFailedMomentMin: moment,
  usedFailedMomentMax: moment,
  usedFailedQueueItemId: id,
}
type UsedFailed = { [M in keyof typeof usedFailedMembers]: z.infer<(typeof usedFailedMembers)[M]> }

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
