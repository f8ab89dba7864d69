// Steps of an explicit transaction: start, update or delta, and failing one or several.
// Chosen by process.ts for the cases 0008 to 000B.

import { DeviceRefusal } from '../../../device/device.js'
import type { Signature } from '../../../model/receipt.js'
import { linkedSlot } from '../device-calls.js'
import { infoOf } from '../ended.js'
import { failedAnswer } from '../failure.js'
import { dropOpen, TransactionGone } from '../gone.js'
import { type Refusal, refuse } from '../refusal.js'
import { addBusiness, addUpdate, startItem } from '../signatures.js'
import { type OpenTransaction, openOf } from '../state.js'
import { actions, captions, refusals } from '../text.js'
import {
  cancel,
  cancelForeign,
  endTransaction,
  remember,
  startOn,
  updateOn,
  wholeTransaction,
} from '../transactions.js'
import type { TseInfo } from '../tse/tse.js'
import { addAction, addTraining, identify, item, priority, type Turn } from '../turn.js'
import { signatureKinds } from '../words.js'
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
  return withTse(turn, async () => {
    const itemId = turn.input.item.id
    const start = await startOn(turn, linkedSlot(turn), { itemId, again: false })
    remember(turn, reference, start)
    identify(turn, start.transactionNumber)
    turn.signatures.push(startItem(turn, start))
    addTraining(turn)
  })
}

export async function updateTransaction(turn: Turn): Promise<Refusal | undefined> {
  const open = openOf(turn.state, turn.reference)
  if (open === undefined) return refuse(refusals.noTransaction(turn.reference), REFERENCE)
  return withTse(turn, async () => {
    const update = await updateOn(turn, linkedSlot(turn), open.number)
    identify(turn, open.number)
    addUpdate(turn, update)
    addTraining(turn)
  })
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
  return withTse(turn, () => endOne(turn, open))
}

async function endOne(turn: Turn, open: OpenTransaction): Promise<void> {
  const finished = await endTransaction(turn, open)
  identify(turn, open.number)
  addBusiness(turn, finished)
  addTraining(turn)
}

async function failMany(turn: Turn): Promise<Refusal | undefined> {
  const numbers = transactionNumbers(turn.reading.caseData)
  if (!Array.isArray(numbers)) return refuse(numbers, 'ftReceiptCaseData')
  let unknown: Refusal | undefined
  const failed = await withTse(turn, async () => {
    // looked at before anything is ended: one wrong number changes nothing
    const info = await infoOf(turn, linkedSlot(turn))
    unknown = refuseUnknown(numbers, info)
    if (unknown === undefined) await endMany(turn, numbers, info)
  })
  return unknown ?? failed
}

async function endMany(turn: Turn, numbers: readonly number[], info: TseInfo): Promise<void> {
  const closed = await cancelAll(turn, numbers, info)
  const finished = await wholeTransaction(turn)
  identify(turn, finished.finish.transactionNumber)
  addBusiness(turn, finished)
  turn.signatures.push(...closed)
  addTraining(turn)
}

/** More unknown numbers are not named. */
const MOST_NAMED = 10

function refuseUnknown(
  numbers: readonly number[],
  { openTransactions }: TseInfo,
): Refusal | undefined {
  const open = new Set(openTransactions)
  const unknown = numbers.filter((number) => !open.has(number)).slice(0, MOST_NAMED)
  return unknown.length === 0
    ? undefined
    : refuse(refusals.failUnknown(unknown), 'ftReceiptCaseData')
}

/** Transactions of this queue are finished as its own, others as those of their client. */
export async function cancelAll(
  turn: Turn,
  numbers: readonly number[],
  info: TseInfo,
): Promise<Signature[]> {
  const { state } = turn
  const own = new Set([...state.openTransactions.map(({ number }) => number), ...state.leftOpen])
  const closed: Signature[] = []
  for (const number of numbers) {
    closed.push(
      ...(own.has(number) ? await cancelOwn(turn, number) : await cancelOther(turn, number, info)),
    )
  }
  return closed
}

async function cancelOwn(turn: Turn, number: number): Promise<Signature[]> {
  try {
    return await cancel(turn, number)
  } catch (error) {
    // ended by somebody else since the device told what is open
    if (error instanceof TransactionGone) return [dropOpen(turn, number)]
    throw error
  }
}

/** One that belongs to no client of the TSE any more can be ended by nobody: that is said. */
async function cancelOther(turn: Turn, number: number, info: TseInfo): Promise<Signature[]> {
  try {
    return await cancelForeign(turn, number, info)
  } catch (error) {
    if (!(error instanceof DeviceRefusal)) throw error
    const message = actions.notEnded(number, error.message)
    addAction(turn, { priority: priority.warning, type: 'TransactionNotEnded', message })
    const kind = signatureKinds.storage
    return [item(turn, { kind, caption: captions.notEnded, data: captions.notEndedData(number) })]
  }
}
