// Transactions of the TSE: start, finish, and what the queue remembers of the open ones.
// Called by the paths; every function throws DeviceError when the TSE does not do it.
import { DeviceError } from '../../device/device.js'
import type { Signature } from '../../model/receipt.js'
import { processTypes } from './cases.js'
import { ask, identityOf, linkedSlot, once } from './device-calls.js'
import { CANCELLED } from './process-data.js'
import { closedItems, type Finished } from './signatures.js'
import { type FailedFinish, type OpenTransaction, without } from './state.js'
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

export async function finishOn(
  turn: Turn,
  slot: TseSlot,
  { number, itemId, again, ...content }: FinishOrder,
): Promise<FinishSignature> {
  const result = await ask(turn, slot, (device, limit, isRetry) => {
    const call = callOf(turn, { itemId, isRetry: isRetry || again, ...content })
    return device.finishTransaction({ ...call, transactionNumber: number }, limit)
  })
  if (result.transactionNumber === number) return result
  throw new DeviceError(`transaction ${result.transactionNumber} was finished, not ${number}`)
}

export function updateOn(turn: Turn, slot: TseSlot, number: number): Promise<TseSignature> {
  return ask(turn, slot, (device, limit, isRetry) => {
    const call = callOf(turn, { itemId: turn.input.item.id, isRetry })
    return device.updateTransaction({ ...call, transactionNumber: number }, limit)
  })
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
    if (error instanceof DeviceError) turn.state.leftOpen = [...turn.state.leftOpen, number]
    throw error
  }
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
  { itemId, processType, processData }: FailedFinish,
): Promise<Finished> {
  const slot = linkedSlot(turn)
  const order = { number: open.number, itemId, again: true, processType, processData }
  const finish = await finishOn(turn, slot, order)
  forget(turn, open.number)
  const { startSignature } = open
  return { processType, processData, startSignature, finish, identity: known(slot) }
}

/** Ends an explicit transaction with the data of this receipt and forgets it. */
export async function endTransaction(turn: Turn, open: OpenTransaction): Promise<Finished> {
  const slot = linkedSlot(turn)
  const { processType, processData } = turn.reading
  const itemId = turn.input.item.id
  const order = { number: open.number, itemId, again: false, processType, processData }
  const finish = await finishOn(turn, slot, order)
  forget(turn, open.number)
  const { startSignature } = open
  return { processType, processData, startSignature, finish, identity: known(slot) }
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

/** Forgets a transaction, however it was known. */
export function forget({ state }: Turn, number: number): void {
  state.openTransactions = state.openTransactions.filter((one) => one.number !== number)
  state.leftOpen = state.leftOpen.filter((one) => one !== number)
}

// ------------------------------------------------------------ closed for others

/** Finishes a transaction without content (AVBelegabbruch) and returns its items. */
export async function cancel(turn: Turn, number: number): Promise<Signature[]> {
  const slot = linkedSlot(turn)
  const itemId = turn.input.item.id
  const finish = await finishOn(turn, slot, { number, itemId, again: false, ...cancelled })
  forget(turn, number)
  return closedItems(turn, cancelledBy(slot, finish))
}

const cancelled: Content = { processType: processTypes.receipt, processData: CANCELLED }

function cancelledBy(slot: TseSlot, finish: FinishSignature): Finished {
  return { ...cancelled, identity: known(slot), startSignature: null, finish }
}

/**
 * Finishes a transaction that another client may have started: a TSE lets only its own client do
 * so, and which one that is only shows by trying.
 */
export async function cancelForeign(
  turn: Turn,
  number: number,
  { clientIds }: { clientIds: readonly string[] },
): Promise<Signature[]> {
  let reason: unknown = new DeviceError(`transaction ${number} belongs to no client`)
  for (const clientId of clientIds) {
    try {
      return await cancelAs(turn, number, clientId)
    } catch (error) {
      if (!(error instanceof DeviceError)) throw error
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
    if (error instanceof DeviceError) return undefined
    throw error
  }
}

async function cancelAs(turn: Turn, number: number, clientId: string): Promise<Signature[]> {
  const slot = linkedSlot(turn)
  const call = { ...callOf(turn, { itemId: turn.input.item.id, isRetry: false, ...cancelled }) }
  const finish = await once(turn, slot, (device, limit) =>
    device.finishTransaction({ ...call, clientId, transactionNumber: number }, limit),
  )
  return closedItems(turn, cancelledBy(slot, finish))
}
