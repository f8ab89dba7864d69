// Transactions that the TSE no longer knows: a closing of another queue ended them, or an answer
// was lost. A TSE that says no works.
import { DeviceRefusal } from '../../device/device.js'
import type { TseInfo } from '../../device/tse/tse.js'
import type { Signature } from '../../model/receipt.js'
import { addAction, priority } from '../kit/draft.js'
import { type Refusal, refuse } from '../kit/refusal.js'
import { signatureKinds } from './case-words.js'
import { ask } from './device-calls.js'
import { item, type ReceiptDraft, type TseSlot } from './receipt-draft.js'
import { type FailedFinish, without } from './state.js'
import { actions, actionTypes, captions, refusals } from './text.js'

/** The TSE answers, and has no such open transaction. */
export class TransactionGone extends DeviceRefusal {
  override name = 'TransactionGone'
  readonly number: number

  constructor(number: number) {
    super(`transaction ${number} is not open on the TSE`)
    this.number = number
  }
}

/** When the device says no, its list of open transactions tells whether it knows this one. */
export async function onOpen<T>(
  draft: ReceiptDraft,
  { slot, number }: { slot: TseSlot; number: number },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DeviceRefusal)) throw error
    const info = await ask(draft, slot, (device, limit) => device.info(limit))
    throw info.openTransactions.includes(number) ? error : new TransactionGone(number)
  }
}

/** The step of an explicit transaction that has ended without this queue. */
export function refuseGone({ state }: ReceiptDraft, { number }: TransactionGone): Refusal {
  const open = state.openTransactions.find((one) => one.number === number)
  const reference = open?.reference ?? ''
  return refuse(refusals.gone(number, reference), 'cbReceiptReference')
}

/** Forgets what the TSE does not know any more; the items say so on the receipt. */
export function dropGone(draft: ReceiptDraft, { openTransactions }: TseInfo): Signature[] {
  const { state } = draft
  const known = new Set(openTransactions)
  const own = [...state.leftOpen, ...state.openTransactions.map(({ number }) => number)]
  return own.filter((number) => !known.has(number)).map((number) => dropOpen(draft, number))
}

export function dropOpen(draft: ReceiptDraft, number: number): Signature {
  const { state } = draft
  const open = state.openTransactions.find((one) => one.number === number)
  forget(draft, number)
  const dropped = droppedItem(draft, number, open?.reference)
  if (open === undefined) return dropped
  addAction(draft, {
    priority: priority.report,
    type: actionTypes.dropped,
    message: actions.droppedOpen(number),
    data: {
      cbReceiptReference: open.reference,
      TransactionNumber: number,
      StartMoment: new Date(open.startMoment).toISOString(),
      StartTransactionSignatureBase64: open.startSignature,
    },
  })
  return dropped
}

/** The end of a transaction that waited for the TSE, which does not know it any more. */
export function dropFinish(draft: ReceiptDraft, number: number, finish: FailedFinish): Signature {
  const { state } = draft
  forget(draft, number)
  state.failedFinishes = without(state.failedFinishes, finish.reference)
  addAction(draft, {
    priority: priority.report,
    type: actionTypes.dropped,
    message: actions.droppedFinish(number),
    data: {
      cbReceiptReference: finish.reference,
      ftQueueItemId: finish.itemId,
      TransactionNumber: number,
      FinishMoment: new Date(finish.moment).toISOString(),
    },
  })
  return droppedItem(draft, number, finish.reference)
}

function droppedItem(
  draft: ReceiptDraft,
  number: number,
  reference: string | undefined,
): Signature {
  const data = captions.droppedData(number, reference)
  return item(draft, { kind: signatureKinds.storage, caption: captions.dropped, data })
}

/** Forgets a transaction, however it was known. */
export function forget({ state }: ReceiptDraft, number: number): void {
  state.openTransactions = state.openTransactions.filter((one) => one.number !== number)
  state.leftOpen = state.leftOpen.filter((one) => one !== number)
}
