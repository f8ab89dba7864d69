// Business receipts, and the steps of the explicit flow (start, update, delta and fail of a
// transaction).

import { DeviceRefusal } from '../../../device/device.js'
import type { TseInfo } from '../../../device/tse/tse.js'
import { Decimal } from '../../../lib/decimal.js'
import type { Signature } from '../../../model/receipt.js'
import { addAction, priority } from '../../kit/draft.js'
import { type Refusal, refuse } from '../../kit/refusal.js'
import { processTypes, signatureKinds } from '../cases.js'
import { linkedSlot } from '../device-calls.js'
import { dropOpen, infoOf, TransactionGone } from '../ended.js'
import { failedAnswer, transactionNumbers, withTse } from '../guard.js'
import { effectiveAmount, effectivePayAmount } from '../item-cases.js'
import { type OpenTransaction, openOf } from '../queue.js'
import {
  addActionStart,
  addBusiness,
  addTraining,
  addUpdate,
  identify,
  item,
  type ReceiptDraft,
  startItem,
} from '../receipt-draft.js'
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

export async function business(draft: ReceiptDraft): Promise<Refusal | undefined> {
  const open = draft.implicit ? undefined : openOf(draft.state, draft.reference)
  if (!draft.implicit && open === undefined) {
    return refuse(refusals.noTransaction(draft.reference), 'cbReceiptReference')
  }
  noteDifference(draft)
  return withTse(draft, async () => {
    const finished =
      open === undefined ? await wholeTransaction(draft) : await endTransaction(draft, open)
    identify(draft, finished.finish.transactionNumber)
    addBusiness(draft, finished)
    if (draft.reading.processType === processTypes.receipt) addActionStart(draft)
    addTraining(draft)
  })
}

/** Charge and pay items should have the same sum; a receipt without one kind of them cannot. */
function noteDifference(draft: ReceiptDraft): void {
  const { charges, pays } = draft.reading
  if (charges.length === 0 || pays.length === 0) return
  const { ZERO } = Decimal
  const charged = charges.reduce((sum, one) => sum.plus(effectiveAmount(one.item, one.flags)), ZERO)
  const paid = pays.reduce(
    (sum, one) => sum.plus(effectivePayAmount(one.code, one.item, one.flags)),
    ZERO,
  )
  if (charged.equals(paid)) return
  const message = actions.sumsDiffer(charged.toString(), paid.toString())
  addAction(draft, { priority: priority.information, type: 'SumsDiffer', message })
}

// ------------------------------------------------------------------------------------------- steps

const REFERENCE = 'cbReceiptReference'

export async function startTransaction(draft: ReceiptDraft): Promise<Refusal | undefined> {
  const { state, reference } = draft
  if (reference === '') return refuse(refusals.noReference, REFERENCE)
  const open = openOf(state, reference)
  if (open !== undefined) {
    return refuse(refusals.alreadyStarted(open.number, reference), REFERENCE)
  }
  return withTse(draft, async () => {
    const itemId = draft.input.receipt.id
    const start = await startOn(draft, linkedSlot(draft), { itemId, again: false })
    remember(draft, reference, start)
    identify(draft, start.transactionNumber)
    draft.signatures.push(startItem(draft, start))
    addTraining(draft)
  })
}

export async function updateTransaction(draft: ReceiptDraft): Promise<Refusal | undefined> {
  const open = openOf(draft.state, draft.reference)
  if (open === undefined) return refuse(refusals.noTransaction(draft.reference), REFERENCE)
  return withTse(draft, async () => {
    const update = await updateOn(draft, linkedSlot(draft), open.number)
    identify(draft, open.number)
    addUpdate(draft, update)
    addTraining(draft)
  })
}

/** Works in failed mode as well. */
export async function failTransaction(draft: ReceiptDraft): Promise<Refusal | undefined> {
  if (draft.reading.tagging === 'v0') {
    const named = draft.reference !== ''
    if (named && draft.implicit) return refuse(refusals.failOne, 'ftReceiptCase')
    if (!named && !draft.implicit) return refuse(refusals.failMany, 'ftReceiptCase')
  }
  return draft.implicit ? failMany(draft) : failOne(draft)
}

async function failOne(draft: ReceiptDraft): Promise<Refusal | undefined> {
  const { state, reference } = draft
  if (state.failedStarts.some((one) => one.reference === reference)) {
    failedAnswer(draft)
    return undefined
  }
  const open = openOf(state, reference)
  if (open === undefined) return refuse(refusals.noOpen(reference), REFERENCE)
  return withTse(draft, () => endOne(draft, open))
}

async function endOne(draft: ReceiptDraft, open: OpenTransaction): Promise<void> {
  const finished = await endTransaction(draft, open)
  identify(draft, open.number)
  addBusiness(draft, finished)
  addTraining(draft)
}

async function failMany(draft: ReceiptDraft): Promise<Refusal | undefined> {
  const numbers = transactionNumbers(draft.reading.caseData)
  if (!Array.isArray(numbers)) return refuse(numbers, 'ftReceiptCaseData')
  let unknown: Refusal | undefined
  const failed = await withTse(draft, async () => {
    // looked at before anything is ended: one wrong number changes nothing
    const info = await infoOf(draft, linkedSlot(draft))
    unknown = refuseUnknown(numbers, info)
    if (unknown === undefined) await endMany(draft, numbers, info)
  })
  return unknown ?? failed
}

async function endMany(
  draft: ReceiptDraft,
  numbers: readonly number[],
  info: TseInfo,
): Promise<void> {
  const closed = await cancelAll(draft, numbers, info)
  const finished = await wholeTransaction(draft)
  identify(draft, finished.finish.transactionNumber)
  addBusiness(draft, finished)
  draft.signatures.push(...closed)
  addTraining(draft)
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
  draft: ReceiptDraft,
  numbers: readonly number[],
  info: TseInfo,
): Promise<Signature[]> {
  const { state } = draft
  const own = new Set([...state.openTransactions.map(({ number }) => number), ...state.leftOpen])
  const closed: Signature[] = []
  for (const number of numbers) {
    closed.push(
      ...(own.has(number)
        ? await cancelOwn(draft, number)
        : await cancelOther(draft, number, info)),
    )
  }
  return closed
}

async function cancelOwn(draft: ReceiptDraft, number: number): Promise<Signature[]> {
  try {
    return await cancel(draft, number)
  } catch (error) {
    // ended by somebody else since the device told what is open
    if (error instanceof TransactionGone) return [dropOpen(draft, number)]
    throw error
  }
}

/** One that belongs to no client of the TSE any more can be ended by nobody: that is said. */
async function cancelOther(
  draft: ReceiptDraft,
  number: number,
  info: TseInfo,
): Promise<Signature[]> {
  try {
    return await cancelForeign(draft, number, info)
  } catch (error) {
    if (!(error instanceof DeviceRefusal)) throw error
    const message = actions.notEnded(number, error.message)
    addAction(draft, { priority: priority.warning, type: 'TransactionNotEnded', message })
    const kind = signatureKinds.storage
    return [item(draft, { kind, caption: captions.notEnded, data: captions.notEndedData(number) })]
  }
}
