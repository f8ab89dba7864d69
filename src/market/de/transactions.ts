// Transactions of the TSE: start, finish, and what the queue remembers of the open ones.
// Called by the paths; every function throws DeviceError when the TSE does not do it.
import { DeviceError, DeviceRefusal } from '../../device/device.js'
import type { Signature } from '../../model/receipt.js'
import { processTypes } from './cases.js'
import { ask, askWhether, identityOf, linkedSlot } from './device-calls.js'
import { noteEnded, noteLate, noteUnsure } from './ended.js'
import { forget, onOpen, TransactionGone } from './gone.js'
import { CANCELLED } from './process-data.js'
import { closedItems, type Finished } from './signatures.js'
import { type FailedFinish, type OpenTransaction, type UnsureFinish, without } from './state.js'
import type { FinishSignature, TransactionCall, TseIdentity, TseSignature } from './tse/tse.js'
import type { TseSlot, Turn } from './turn.js'

const EMPTY = Buffer.alloc(0)

export interface Content {
  processType: string
  processData: string
}

/** Starts with empty type and data; `itemId`: the queue item that the TSE knows it by. */
export async function startOn(
  turn: Turn,
  slot: TseSlot,
  { itemId, again }: { itemId: string; again: boolean },
): Promise<TseSignature> {
  try {
    return await ask(turn, slot, (device, limit, isRetry) =>
      device.startTransaction(callOf(turn, { itemId, isRetry: isRetry || again }), limit),
    )
  } catch (error) {
    turn.state.startsLost = true
    throw error
  }
}

export interface FinishOrder extends Content {
  number: number
  itemId: string
  again: boolean
}

/** Throws TransactionGone for a transaction that the TSE says it does not know. */
export async function finishOn(
  turn: Turn,
  slot: TseSlot,
  { number, itemId, again, ...content }: FinishOrder,
): Promise<FinishSignature> {
  const result = await onOpen(turn, { slot, number }, () =>
    ask(turn, slot, (device, limit, isRetry) => {
      const call = callOf(turn, { itemId, isRetry: isRetry || again, ...content })
      return device.finishTransaction({ ...call, transactionNumber: number }, limit)
    }),
  )
  if (result.transactionNumber === number) return result
  throw new DeviceError(`transaction ${result.transactionNumber} was finished, not ${number}`)
}

/** Throws as finishOn. */
export function updateOn(turn: Turn, slot: TseSlot, number: number): Promise<TseSignature> {
  return onOpen(turn, { slot, number }, () =>
    ask(turn, slot, (device, limit, isRetry) => {
      const call = callOf(turn, { itemId: turn.input.item.id, isRetry })
      return device.updateTransaction({ ...call, transactionNumber: number }, limit)
    }),
  )
}

interface CallParts extends Partial<Content> {
  itemId: string
  isRetry: boolean
}

function callOf({ input }: Turn, parts: CallParts): TransactionCall {
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
  turn: Turn,
  slot: TseSlot = linkedSlot(turn),
): Promise<Finished> {
  const itemId = turn.input.item.id
  const start = await startOn(turn, slot, { itemId, again: false })
  const number = start.transactionNumber
  const { processType, processData } = turn.reading
  const order = { number, itemId, again: false, processType, processData }
  const startSignature = start.signature.toString('base64')
  try {
    const finish = await finishOn(turn, slot, order)
    return { processType, processData, startSignature, finish, identity: known(slot) }
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error
    turn.state.leftOpen = [...turn.state.leftOpen, number]
    const { row } = turn.input.item
    noteUnsure(turn, { ...unsureOf(turn, order), row }, error)
    // whoever ended it between start and finish: this receipt has no number that could be wrong
    throw error instanceof TransactionGone ? new DeviceError(error.message) : error
  }
}

function unsureOf(turn: Turn, order: Omit<FinishOrder, 'again'>): UnsureFinish {
  const { number, itemId, processType, processData } = order
  const client = turn.input.queue.identification
  const reference = referenceOf(turn, number)
  return { number, client, reference, itemId, row: null, processType, processData }
}

function referenceOf({ state }: Turn, number: number): string {
  return state.openTransactions.find((one) => one.number === number)?.reference ?? ''
}

function known(slot: TseSlot): TseIdentity {
  const identity = identityOf(slot)
  if (identity === undefined) throw new DeviceError('the TSE does not say who it is')
  return identity
}

/** A finish that failed earlier, done again with the item that it belonged to. */
export async function finishLater(
  turn: Turn,
  open: OpenTransaction,
  { itemId, processType, processData, row }: FailedFinish,
): Promise<Finished> {
  const slot = linkedSlot(turn)
  const order = { number: open.number, itemId, again: true, processType, processData }
  const finish = await finishOn(turn, slot, order)
  forget(turn, open.number)
  const { startSignature } = open
  const finished = { processType, processData, startSignature, finish, identity: known(slot) }
  noteLate(turn, { slot, finished, row })
  return finished
}

/** A finish whose answer was lost, given again. Throws DeviceRefusal when the TSE does not. */
export async function finishUnsure(
  turn: Turn,
  slot: TseSlot,
  { number, client, itemId, processType, processData }: UnsureFinish,
): Promise<Finished> {
  const finish = await askWhether(turn, slot, (device, limit) => {
    const call = callOf(turn, { itemId, isRetry: true, processType, processData })
    return device.finishTransaction({ ...call, clientId: client, transactionNumber: number }, limit)
  })
  return { processType, processData, startSignature: null, finish, identity: known(slot) }
}

/** Ends an explicit transaction with the data of this receipt and forgets it. */
export async function endTransaction(turn: Turn, open: OpenTransaction): Promise<Finished> {
  const slot = linkedSlot(turn)
  const { processType, processData } = turn.reading
  const itemId = turn.input.item.id
  const order = { number: open.number, itemId, again: false, processType, processData }
  const finish = await finishOn(turn, slot, order).catch((error: unknown) => {
    noteSecondEnd(turn, order, error)
    throw error
  })
  forget(turn, open.number)
  const { startSignature } = open
  return { processType, processData, startSignature, finish, identity: known(slot) }
}

/** The end that waits for the zero receipt is an earlier one: the TSE may have done this one. */
function noteSecondEnd(turn: Turn, order: FinishOrder, error: unknown): void {
  const reference = referenceOf(turn, order.number)
  if (!turn.state.failedFinishes.some((one) => one.reference === reference)) return
  noteUnsure(turn, { ...unsureOf(turn, order), row: turn.input.item.row }, error)
}

// -------------------------------------------------------------------- bookkeeping

/** Remembers a start under its reference; an older one of that reference is left open. */
export function remember({ state }: Turn, reference: string, start: TseSignature): void {
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
export async function cancel(turn: Turn, number: number): Promise<Signature[]> {
  const slot = linkedSlot(turn)
  const order = { number, itemId: turn.input.item.id, again: false, ...cancelled }
  const unsure = unsureOf(turn, order)
  try {
    const finish = await finishOn(turn, slot, order)
    forget(turn, number)
    return ended(turn, slot, { unsure, finish })
  } catch (error) {
    noteUnsure(turn, unsure, error)
    throw error
  }
}

const cancelled: Content = { processType: processTypes.receipt, processData: CANCELLED }

interface Cancelled {
  unsure: UnsureFinish
  finish: FinishSignature
}

function ended(turn: Turn, slot: TseSlot, { unsure, finish }: Cancelled): Signature[] {
  const { client, reference } = unsure
  const finished = { ...cancelled, identity: known(slot), startSignature: null, finish }
  noteEnded(turn, { slot, finished, client, reference })
  return closedItems(turn, finished)
}

/**
 * Finishes a transaction that another client may have started: a TSE lets only its own client do
 * so, and which one that is only shows by trying. Throws DeviceRefusal when it is none of them.
 */
export async function cancelForeign(
  turn: Turn,
  number: number,
  { clientIds }: { clientIds: readonly string[] },
): Promise<Signature[]> {
  let reason = new DeviceRefusal(`transaction ${number} belongs to no client`)
  for (const clientId of clientIds) {
    try {
      return await cancelAs(turn, number, clientId)
    } catch (error) {
      if (!(error instanceof DeviceRefusal)) throw error
      reason = error
    }
  }
  throw reason
}

/** Undefined when the transaction is none of this queue's client. */
export async function cancelIfOwn(turn: Turn, number: number): Promise<Signature[] | undefined> {
  try {
    return await cancelAs(turn, number, turn.input.queue.identification)
  } catch (error) {
    if (error instanceof DeviceRefusal) return undefined
    throw error
  }
}

async function cancelAs(turn: Turn, number: number, client: string): Promise<Signature[]> {
  const slot = linkedSlot(turn)
  const itemId = turn.input.item.id
  const unsure = { ...unsureOf(turn, { number, itemId, ...cancelled }), client }
  try {
    const finish = await askWhether(turn, slot, (device, limit, isRetry) => {
      const call = callOf(turn, { itemId, isRetry, ...cancelled })
      return device.finishTransaction(
        { ...call, clientId: client, transactionNumber: number },
        limit,
      )
    })
    return ended(turn, slot, { unsure, finish })
  } catch (error) {
    noteUnsure(turn, unsure, error)
    throw error
  }
}
