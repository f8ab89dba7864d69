// Transactions that the TSE no longer knows: a closing of another queue ended them, or an answer
// was lost. A TSE that says no works. Called by the paths and by transactions.ts.
import { DeviceRefusal } from '../../device/device.js'
import type { Signature } from '../../model/receipt.js'
import { ask } from './device-calls.js'
import { type Refusal, refuse } from './refusal.js'
import { type FailedFinish, without } from './state.js'
import { actions, actionTypes, captions, refusals } from './text.js'
import type { TseInfo } from './tse/tse.js'
import { addAction, item, priority, type TseSlot, type Turn } from './turn.js'
import { signatureKinds } from './words.js'

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
  turn: Turn,
  { slot, number }: { slot: TseSlot; number: number },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DeviceRefusal)) throw error
    const info = await ask(turn, slot, (device, limit) => device.info(limit))
    throw info.openTransactions.includes(number) ? error : new TransactionGone(number)
  }
}

/** The step of an explicit transaction that has ended without this queue. */
export function refuseGone({ state }: Turn, { number }: TransactionGone): Refusal {
  const open = state.openTransactions.find((one) => one.number === number)
  const reference = open?.reference ?? ''
  return refuse(refusals.gone(number, reference), 'cbReceiptReference')
}

/** Forgets what the TSE does not know any more; the items say so on the receipt. */
export function dropGone(turn: Turn, { openTransactions }: TseInfo): Signature[] {
  const { state } = turn
  const known = new Set(openTransactions)
  const own = [...state.leftOpen, ...state.openTransactions.map(({ number }) => number)]
  return own.filter((number) => !known.has(number)).map((number) => dropOpen(turn, number))
}

export function dropOpen(turn: Turn, number: number): Signature {
  const { state } = turn
  const open = state.openTransactions.find((one) => one.number === number)
  forget(turn, number)
  const dropped = droppedItem(turn, number, open?.reference)
  if (open === undefined) return dropped
  addAction(turn, {
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
export function dropFinish(turn: Turn, number: number, finish: FailedFinish): Signature {
  const { state } = turn
  forget(turn, number)
  state.failedFinishes = without(state.failedFinishes, finish.reference)
  addAction(turn, {
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
  return droppedItem(turn, number, finish.reference)
}

function droppedItem(turn: Turn, number: number, reference: string | undefined): Signature {
  const data = captions.droppedData(number, reference)
  return item(turn, { kind: signatureKinds.storage, caption: captions.dropped, data })
}

/** Forgets a transaction, however it was known. */
export function forget({ state }: Turn, number: number): void {
  state.openTransactions = state.openTransactions.filter((one) => one.number !== number)
  state.leftOpen = state.leftOpen.filter((one) => one !== number)
}
