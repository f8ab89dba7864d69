// What every path checks before a TSE is asked, and what happens when the TSE does not answer.
import { DeviceError } from '../../../device/device.js'
import { type Refusal, refuse } from '../../kit/refusal.js'
import { tseFailed } from '../failure.js'
import { refuseGone, TransactionGone } from '../gone.js'
import { has, type ReceiptDraft } from '../receipt-draft.js'
import { openOf } from '../state.js'
import { refusals } from '../text.js'

/** The flags that contradict the receipt case. */
export function refuseFlags(draft: ReceiptDraft): Refusal | undefined {
  const { flow, noTraining } = draft.reading.row
  const field = 'ftReceiptCase'
  if (flow === 'I' && !draft.implicit) return refuse(refusals.implicitOnly, field)
  if (flow === 'E' && draft.implicit) return refuse(refusals.explicitOnly, field)
  if (noTraining && has(draft, 'training')) return refuse(refusals.training, field)
  return undefined
}

/**
 * What is refused while the TSE works is refused in failed mode too. What was begun and ended in
 * the meantime counts as begun and ended.
 */
export function refuseInOutage(draft: ReceiptDraft): Refusal | undefined {
  return refuseFlags(draft) ?? refuseStep(draft) ?? refuseItems(draft)
}

function refuseStep({ state, reading, reference, implicit }: ReceiptDraft): Refusal | undefined {
  const { path } = reading.row
  const field = 'cbReceiptReference'
  const hasEnded = state.failedFinishes.some((one) => one.reference === reference)
  const open = hasEnded ? undefined : openOf(state, reference)
  if (path === 'startTransaction') {
    if (reference === '') return refuse(refusals.noReference, field)
    return open && refuse(refusals.alreadyStarted(open.number, reference), field)
  }
  const isStep = path === 'updateTransaction' || (path === 'business' && !implicit)
  const hasBegun = state.failedStarts.some((one) => one.reference === reference)
  if (!isStep || hasBegun || open !== undefined) return undefined
  return refuse(refusals.noTransaction(reference), field)
}

/** A start-migration receipt takes no items. */
export function refuseItems({
  reading: { row, charges, pays },
}: ReceiptDraft): Refusal | undefined {
  const isEmpty = row.path !== 'startMigration' || charges.length + pays.length === 0
  return isEmpty ? undefined : refuse(refusals.itemsOnMigration)
}

/**
 * Does the work; a TSE that fails makes this a receipt of failed mode, nothing more. One that works
 * and does not know the transaction is a fault of the receipt.
 */
export async function withTse(
  draft: ReceiptDraft,
  work: () => Promise<void>,
): Promise<Refusal | undefined> {
  try {
    await work()
  } catch (error) {
    if (error instanceof TransactionGone) return refuseGone(draft, error)
    if (!(error instanceof DeviceError)) throw error
    tseFailed(draft, error)
  }
  return undefined
}
