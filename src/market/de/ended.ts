// Transactions that end without their own receipt: those that a closing ends, and those that the
// TSE no longer knows.
import { DeviceRefusal } from '../../device/device.js'
import type { TseInfo } from '../../device/tse/tse.js'
import type { Signature } from '../../model/receipt.js'
import { addAction, priority } from '../kit/draft.js'
import { type Refusal, refuse } from '../kit/refusal.js'
import { processTypes, signatureKinds } from './cases.js'
import { ask, certificateOf } from './device-calls.js'
import {
  ENDED_KIND,
  endedContent,
  type FailedFinish,
  LATE_KIND,
  type UnsureFinish,
  without,
} from './queue.js'
import { type Finished, item, type ReceiptDraft, type TseSlot } from './receipt-draft.js'
import { actions, actionTypes, captions, refusals } from './text.js'

/** More finishes without answer are not remembered. */
const MOST_UNSURE = 512

export interface Ending {
  slot: TseSlot
  finished: Finished
  /** Client of the TSE whose transaction it was. */
  client: string
  /** cbReceiptReference under which it was open; '' when it had none. */
  reference: string
}

/** A transaction that another receipt has ended without content. */
export function noteEnded(draft: ReceiptDraft, ending: Ending): void {
  push(draft, { ...ending, kind: ENDED_KIND, number: ending.finished.finish.signatureCounter })
}

/** A receipt that was answered without signature is finished on the TSE after all. */
export function noteLate(
  draft: ReceiptDraft,
  { slot, finished, row }: { slot: TseSlot; finished: Finished; row: number | undefined },
): void {
  if (row === undefined || finished.processType === processTypes.other) return
  const client = draft.input.queue.identification
  push(draft, { slot, finished, client, reference: '', kind: LATE_KIND, number: row })
}

function push(draft: ReceiptDraft, row: Ending & { kind: string; number: number }): void {
  const { finish, identity, processType, processData } = row.finished
  const { queue, receipt, tools } = draft.input
  draft.journal.push({
    id: tools.newId(),
    kind: row.kind,
    number: row.number,
    scuId: row.slot.scu.id,
    certificate: certificateOf(row.slot),
    content: endedContent({
      row: receipt.row,
      receipt: queue.receiptNumerator,
      client: row.client,
      reference: row.reference,
      transaction: finish.transactionNumber,
      counter: finish.signatureCounter,
      start: finish.startMoment.getTime(),
      end: finish.moment.getTime(),
      signature: finish.signature.toString('base64'),
      processType,
      processData,
      serialHex: identity.serialHex,
      algorithm: identity.algorithm,
      logTimeFormat: identity.logTimeFormat,
    }),
  })
}

// --------------------------------------------------------------------- lost answers

/** The TSE may have finished it: nobody knows before it answers again. */
export function noteUnsure({ state }: ReceiptDraft, finish: UnsureFinish, error: unknown): void {
  if (error instanceof DeviceRefusal || finish.processType === processTypes.other) return
  const { number, itemId } = finish
  const others = state.unsure.filter((one) => one.number !== number || one.itemId !== itemId)
  state.unsure = [...others, finish].slice(-MOST_UNSURE)
}

/**
 * Gets the lost answers of what the TSE has finished: it repeats them for the item that they
 * belonged to. What is still open there is ended by the next closing.
 */
export async function settleUnsure(
  draft: ReceiptDraft,
  { slot, info }: { slot: TseSlot; info: TseInfo },
  finishedBy: (finish: UnsureFinish) => Promise<Finished>,
): Promise<void> {
  const { state } = draft
  const open = new Set(info.openTransactions)
  for (const finish of state.unsure) {
    if (!open.has(finish.number)) await settle(draft, slot, { finish, finishedBy })
    state.unsure = state.unsure.filter((one) => one !== finish)
  }
}

interface Settling {
  finish: UnsureFinish
  finishedBy: (finish: UnsureFinish) => Promise<Finished>
}

async function settle(
  draft: ReceiptDraft,
  slot: TseSlot,
  { finish, finishedBy }: Settling,
): Promise<void> {
  try {
    const finished = await finishedBy(finish)
    const { client, reference, row } = finish
    if (row !== null) noteLate(draft, { slot, finished, row })
    else noteEnded(draft, { slot, finished, client, reference })
    forget(draft, finish.number)
  } catch (error) {
    // it was ended by somebody else, or the TSE does not remember its answer
    if (!(error instanceof DeviceRefusal)) throw error
  }
}

/** What the TSE says now, when there is anything to compare it with. */
export function infoOf(draft: ReceiptDraft, slot: TseSlot): Promise<TseInfo> {
  return ask(draft, slot, (device, limit) => device.info(limit))
}

// -------------------------------------------------------------------------------------------- gone

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
