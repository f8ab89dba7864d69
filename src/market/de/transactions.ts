// Transactions of the TSE: start, finish, and what the queue remembers of the open ones. Every
// function throws DeviceError when the TSE does not do it.
import { DeviceError, DeviceRefusal } from '../../device/device.js'
import type {
  FinishSignature,
  TransactionCall,
  TseIdentity,
  TseSignature,
} from '../../device/tse/tse.js'
import type { Signature } from '../../model/receipt.js'
import { processTypes } from './cases.js'
import { ask, askWhether, identityOf, linkedSlot } from './device-calls.js'
import { forget, noteEnded, noteLate, noteUnsure, onOpen, TransactionGone } from './ended.js'
import { type FailedFinish, type OpenTransaction, type UnsureFinish, without } from './queue.js'
import { CANCELLED } from './reading.js'
import { closedItems, type Finished, type ReceiptDraft, type TseSlot } from './receipt-draft.js'

const EMPTY = Buffer.alloc(0)

export interface Content {
  processType: string
  processData: string
}

/** Starts with empty type and data; `itemId`: the queue item that the TSE knows it by. */
export async function startOn(
  draft: ReceiptDraft,
  slot: TseSlot,
  { itemId, again }: { itemId: string; again: boolean },
): Promise<TseSignature> {
  try {
    return await ask(draft, slot, (device, limit, isRetry) =>
      device.startTransaction(callOf(draft, { itemId, isRetry: isRetry || again }), limit),
    )
  } catch (error) {
    draft.state.startsLost = true
    throw error
  }
}

export interface FinishOrder extends Content {
  number: number
  itemId: string
  again: boolean
  /** Of its start, where it is known. */
  startMoment?: Date | undefined
}

/** Throws TransactionGone for a transaction that the TSE says it does not know. */
export async function finishOn(
  draft: ReceiptDraft,
  slot: TseSlot,
  { number, itemId, again, startMoment = startOf(draft, number), ...content }: FinishOrder,
): Promise<FinishSignature> {
  const result = await onOpen(draft, { slot, number }, () =>
    ask(draft, slot, (device, limit, isRetry) => {
      const call = callOf(draft, { itemId, isRetry: isRetry || again, ...content })
      return device.finishTransaction({ ...call, transactionNumber: number, startMoment }, limit)
    }),
  )
  if (result.transactionNumber === number) return result
  throw new DeviceError(`transaction ${result.transactionNumber} was finished, not ${number}`)
}

/** Undefined: none of this queue's open ones. */
function startOf({ state }: ReceiptDraft, number: number): Date | undefined {
  const open = state.openTransactions.find((one) => one.number === number)
  return open === undefined ? undefined : new Date(open.startMoment)
}

/** Throws as finishOn. */
export function updateOn(
  draft: ReceiptDraft,
  slot: TseSlot,
  number: number,
): Promise<TseSignature> {
  return onOpen(draft, { slot, number }, () =>
    ask(draft, slot, (device, limit, isRetry) => {
      const call = callOf(draft, { itemId: draft.input.receipt.id, isRetry })
      return device.updateTransaction({ ...call, transactionNumber: number }, limit)
    }),
  )
}

interface CallParts extends Partial<Content> {
  itemId: string
  isRetry: boolean
}

function callOf({ input }: ReceiptDraft, parts: CallParts): TransactionCall {
  const { processType = '', processData = '', itemId, isRetry } = parts
  return {
    clientId: input.queue.identification,
    processType,
    processData: processData === '' ? EMPTY : Buffer.from(processData, 'utf8'),
    queueItemId: itemId,
    isRetry,
  }
}

// ------------------------------------------------------------- of this receipt

/** Start and finish in one receipt. What was started and cannot be finished is left open. */
export async function wholeTransaction(
  draft: ReceiptDraft,
  slot: TseSlot = linkedSlot(draft),
): Promise<Finished> {
  const itemId = draft.input.receipt.id
  const start = await startOn(draft, slot, { itemId, again: false })
  const number = start.transactionNumber
  const { processType, processData } = draft.reading
  const { moment: startMoment } = start
  const order = { number, itemId, again: false, processType, processData, startMoment }
  const startSignature = start.signature.toString('base64')
  try {
    const finish = await finishOn(draft, slot, order)
    return { processType, processData, startSignature, finish, identity: known(slot) }
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error
    draft.state.leftOpen = [...draft.state.leftOpen, number]
    const { row } = draft.input.receipt
    noteUnsure(draft, { ...unsureOf(draft, order), row }, error)
    // whoever ended it between start and finish: this receipt has no number that could be wrong
    throw error instanceof TransactionGone ? new DeviceError(error.message) : error
  }
}

function unsureOf(draft: ReceiptDraft, order: Omit<FinishOrder, 'again'>): UnsureFinish {
  const { number, itemId, processType, processData } = order
  const client = draft.input.queue.identification
  const reference = referenceOf(draft, number)
  return { number, client, reference, itemId, row: null, processType, processData }
}

function referenceOf({ state }: ReceiptDraft, number: number): string {
  return state.openTransactions.find((one) => one.number === number)?.reference ?? ''
}

function known(slot: TseSlot): TseIdentity {
  const identity = identityOf(slot)
  if (identity === undefined) throw new DeviceError('the TSE does not say who it is')
  return identity
}

/** A finish that failed earlier, done again with the item that it belonged to. */
export async function finishLater(
  draft: ReceiptDraft,
  open: OpenTransaction,
  { itemId, processType, processData, row }: FailedFinish,
): Promise<Finished> {
  const slot = linkedSlot(draft)
  const order = { number: open.number, itemId, again: true, processType, processData }
  const finish = await finishOn(draft, slot, order)
  forget(draft, open.number)
  const { startSignature } = open
  const finished = { processType, processData, startSignature, finish, identity: known(slot) }
  noteLate(draft, { slot, finished, row })
  return finished
}

/** A finish whose answer was lost, given again. Throws DeviceRefusal when the TSE does not. */
export async function finishUnsure(
  draft: ReceiptDraft,
  slot: TseSlot,
  { number, client, itemId, processType, processData }: UnsureFinish,
): Promise<Finished> {
  const finish = await askWhether(draft, slot, (device, limit) => {
    const call = callOf(draft, { itemId, isRetry: true, processType, processData })
    return device.finishTransaction({ ...call, clientId: client, transactionNumber: number }, limit)
  })
  return { processType, processData, startSignature: null, finish, identity: known(slot) }
}

/** Ends an explicit transaction with the data of this receipt and forgets it. */
export async function endTransaction(
  draft: ReceiptDraft,
  open: OpenTransaction,
): Promise<Finished> {
  const slot = linkedSlot(draft)
  const { processType, processData } = draft.reading
  const itemId = draft.input.receipt.id
  const order = { number: open.number, itemId, again: false, processType, processData }
  const finish = await finishOn(draft, slot, order).catch((error: unknown) => {
    noteSecondEnd(draft, order, error)
    throw error
  })
  forget(draft, open.number)
  const { startSignature } = open
  return { processType, processData, startSignature, finish, identity: known(slot) }
}

/** The end that waits for the zero receipt is an earlier one: the TSE may have done this one. */
function noteSecondEnd(draft: ReceiptDraft, order: FinishOrder, error: unknown): void {
  const reference = referenceOf(draft, order.number)
  if (!draft.state.failedFinishes.some((one) => one.reference === reference)) return
  noteUnsure(draft, { ...unsureOf(draft, order), row: draft.input.receipt.row }, error)
}

// -------------------------------------------------------------------- bookkeeping

/** Remembers a start under its reference; an older one of that reference is left open. */
export function remember({ state }: ReceiptDraft, reference: string, start: TseSignature): void {
  const older = state.openTransactions.filter((one) => one.reference === reference)
  state.leftOpen = [...state.leftOpen, ...older.map((one) => one.number)]
  const open: OpenTransaction = {
    reference,
    number: start.transactionNumber,
    startMoment: start.moment.getTime(),
    startSignature: start.signature.toString('base64'),
  }
  state.openTransactions = [...without(state.openTransactions, reference), open]
}

// ------------------------------------------------------------ closed for others

/** Finishes a transaction without content (AVBelegabbruch) and returns its items. */
export async function cancel(draft: ReceiptDraft, number: number): Promise<Signature[]> {
  const slot = linkedSlot(draft)
  const order = { number, itemId: draft.input.receipt.id, again: false, ...cancelled }
  const unsure = unsureOf(draft, order)
  try {
    const finish = await finishOn(draft, slot, order)
    forget(draft, number)
    return ended(draft, slot, { unsure, finish })
  } catch (error) {
    noteUnsure(draft, unsure, error)
    throw error
  }
}

const cancelled: Content = { processType: processTypes.receipt, processData: CANCELLED }

interface Cancelled {
  unsure: UnsureFinish
  finish: FinishSignature
}

function ended(draft: ReceiptDraft, slot: TseSlot, { unsure, finish }: Cancelled): Signature[] {
  const { client, reference } = unsure
  const finished = { ...cancelled, identity: known(slot), startSignature: null, finish }
  noteEnded(draft, { slot, finished, client, reference })
  return closedItems(draft, finished)
}

/**
 * Finishes a transaction that another client may have started: a TSE lets only its own client do
 * so, and which one that is only shows by trying. Throws DeviceRefusal when it is none of them.
 */
export async function cancelForeign(
  draft: ReceiptDraft,
  number: number,
  { clientIds }: { clientIds: readonly string[] },
): Promise<Signature[]> {
  let reason = new DeviceRefusal(`transaction ${number} belongs to no client`)
  for (const clientId of clientIds) {
    try {
      return await cancelAs(draft, number, clientId)
    } catch (error) {
      if (!(error instanceof DeviceRefusal)) throw error
      reason = error
    }
  }
  throw reason
}

/** Undefined when the transaction is none of this queue's client. */
export async function cancelIfOwn(
  draft: ReceiptDraft,
  number: number,
): Promise<Signature[] | undefined> {
  try {
    return await cancelAs(draft, number, draft.input.queue.identification)
  } catch (error) {
    if (error instanceof DeviceRefusal) return undefined
    throw error
  }
}

async function cancelAs(draft: ReceiptDraft, number: number, client: string): Promise<Signature[]> {
  const slot = linkedSlot(draft)
  const itemId = draft.input.receipt.id
  const unsure = { ...unsureOf(draft, { number, itemId, ...cancelled }), client }
  try {
    const finish = await askWhether(draft, slot, (device, limit, isRetry) => {
      const call = callOf(draft, { itemId, isRetry, ...cancelled })
      return device.finishTransaction(
        { ...call, clientId: client, transactionNumber: number },
        limit,
      )
    })
    return ended(draft, slot, { unsure, finish })
  } catch (error) {
    noteUnsure(draft, unsure, error)
    throw error
  }
}
