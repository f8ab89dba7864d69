// Steps of an explicit transaction: start, update or delta, and failing one or several.
// Chosen by process.ts for the cases 0008 to 000B.

import type { Signature } from '../../../model/receipt.js'
import { ask, linkedSlot } from '../device-calls.js'
import { failedAnswer } from '../failure.js'
import { type Refusal, refuse } from '../refusal.js'
import { addBusiness, addUpdate, startItem } from '../signatures.js'
import { type OpenTransaction, openOf } from '../state.js'
import { refusals } from '../text.js'
import {
  cancel,
  cancelForeign,
  endTransaction,
  remember,
  startOn,
  updateOn,
  wholeTransaction,
} from '../transactions.js'
import { addTraining, identify, type Turn } from '../turn.js'
import { withTse } from './guard.js'
import { transactionNumbers } from './numbers.js'

const REFERENCE = 'cbReceiptReference'

export async function startTransaction(turn: Turn): Promise<Refusal | undefined> {
  const { state, reference } = turn
  if (reference === '') return refuse(refusals.noReference, REFERENCE)
  const open = openOf(state, reference)
  if (open !== undefined) {
    return refuse(refusals.alreadyStarted(open.number, reference), REFERENCE)
  }
  await withTse(turn, async () => {
    const itemId = turn.input.item.id
    const start = await startOn(turn, linkedSlot(turn), { itemId, again: false })
    remember(turn, reference, start)
    identify(turn, start.transactionNumber)
    turn.signatures.push(startItem(turn, start))
    addTraining(turn)
  })
  return undefined
}

export async function updateTransaction(turn: Turn): Promise<Refusal | undefined> {
  const open = openOf(turn.state, turn.reference)
  if (open === undefined) return refuse(refusals.noTransaction(turn.reference), REFERENCE)
  await withTse(turn, async () => {
    const update = await updateOn(turn, linkedSlot(turn), open.number)
    identify(turn, open.number)
    addUpdate(turn, update)
    addTraining(turn)
  })
  return undefined
}

/** Works in failed mode as well. */
export async function failTransaction(turn: Turn): Promise<Refusal | undefined> {
  if (turn.reading.tagging === 'v0') {
    const named = turn.reference !== ''
    if (named && turn.implicit) return refuse(refusals.failOne, 'ftReceiptCase')
    if (!named && !turn.implicit) return refuse(refusals.failMany, 'ftReceiptCase')
  }
  return turn.implicit ? failMany(turn) : failOne(turn)
}

async function failOne(turn: Turn): Promise<Refusal | undefined> {
  const { state, reference } = turn
  if (state.failedStarts.some((one) => one.reference === reference)) {
    failedAnswer(turn)
    return undefined
  }
  const open = openOf(state, reference)
  if (open === undefined) return refuse(refusals.noOpen(reference), REFERENCE)
  await withTse(turn, () => endOne(turn, open))
  return undefined
}

async function endOne(turn: Turn, open: OpenTransaction): Promise<void> {
  const finished = await endTransaction(turn, open)
  identify(turn, open.number)
  addBusiness(turn, finished)
  addTraining(turn)
}

async function failMany(turn: Turn): Promise<Refusal | undefined> {
  const numbers = transactionNumbers(turn.reading.caseData)
  if (numbers === undefined) return refuse(refusals.failList, 'ftReceiptCaseData')
  await withTse(turn, async () => {
    const closed = await cancelAll(turn, numbers)
    const finished = await wholeTransaction(turn)
    identify(turn, finished.finish.transactionNumber)
    addBusiness(turn, finished)
    turn.signatures.push(...closed)
    addTraining(turn)
  })
  return undefined
}

/** Transactions of this queue are finished as its own, others as those of their client. */
export async function cancelAll(turn: Turn, numbers: readonly number[]): Promise<Signature[]> {
  const { state } = turn
  const own = new Set([...state.openTransactions.map(({ number }) => number), ...state.leftOpen])
  const closed: Signature[] = []
  for (const number of numbers) {
    closed.push(...(own.has(number) ? await cancel(turn, number) : await foreign(turn, number)))
  }
  return closed
}

async function foreign(turn: Turn, number: number): Promise<Signature[]> {
  const slot = linkedSlot(turn)
  const info = await ask(turn, slot, (device, limit) => device.info(limit))
  return cancelForeign(turn, number, info)
}
