// What receipts refuse, and what is left of them in failed mode.
import { DeviceError } from '../../device/device.js'
import { MOST_OPEN_TRANSACTIONS } from '../../device/tse/tse.js'
import { JsonNumber, type JsonValue, objectIn } from '../../lib/json.js'
import { writeJson } from '../../lib/json-write.js'
import { addAction, outage, priority } from '../kit/draft.js'
import { type Refusal, refuse } from '../kit/refusal.js'
import { receiptCases, signatureKinds } from './cases.js'
import { journalClosing, journalDailyClosing } from './closing.js'
import { refuseGone, TransactionGone } from './ended.js'
import { type FailedFinish, MOST_FAILED_STARTS, openOf, without } from './queue.js'
import { addItem, has, type ReceiptDraft } from './receipt-draft.js'
import { actions, captions, refusals } from './text.js'

/** The TSE failed while this receipt needed it. What it signed before stays as it is. */
export function tseFailed(draft: ReceiptDraft, { message: reason }: DeviceError): void {
  const message = actions.tseFailed(draft.state.scuId ?? '', reason)
  const action = { priority: priority.error, type: 'TseFailed', message }
  const begins = draft.state.sscdFailCount === 0
  addAction(draft, begins ? { ...action, event: outage.opened('device') } : action)
  failedAnswer(draft)
}

/** The answer of failed mode: counted, without signatures; explicit steps are remembered. */
export function failedAnswer(draft: ReceiptDraft): void {
  const { state, input, reading } = draft
  if (state.sscdFailCount === 0) {
    state.sscdFailMoment = input.moment.getTime()
    state.sscdFailQueueItemId = input.receipt.id
  }
  state.sscdFailCount += 1
  draft.identification = `${draft.identification.split('#')[0]}#`
  draft.stateData = {}
  if (!draft.implicit) rememberStep(draft)
  const { daily, monthly, yearly } = receiptCases
  if (reading.code === daily) journalDailyClosing(draft, undefined)
  else if (reading.code === monthly || reading.code === yearly) journalClosing(draft, undefined)
  const since = new Date(state.sscdFailMoment ?? input.moment.getTime()).toISOString()
  const data = captions.failedSince(since, state.sscdFailCount)
  draft.signatures = []
  addItem(draft, { kind: signatureKinds.information, caption: captions.tseFailed, data })
}

/** A start is done again later, a finish as well; an update is not. */
function rememberStep(draft: ReceiptDraft): void {
  const { code } = draft.reading
  if (code === receiptCases.startTransaction) rememberStart(draft)
  else if (code !== receiptCases.updateTransaction && code !== receiptCases.deltaTransaction) {
    rememberFinish(draft)
  }
}

function rememberStart(draft: ReceiptDraft): void {
  const { state, input, reference } = draft
  const start = { reference, itemId: input.receipt.id, moment: input.moment.getTime() }
  const starts = [...without(state.failedStarts, reference), start]
  for (const lost of starts.slice(0, -MOST_FAILED_STARTS)) {
    const message = actions.droppedStart(lost.reference)
    addAction(draft, { priority: priority.warning, type: 'FailedStartDropped', message })
  }
  state.failedStarts = starts.slice(-MOST_FAILED_STARTS)
}

/** A finish whose start failed needs neither; one of an open transaction is done later. */
function rememberFinish({ state, input, reading, reference }: ReceiptDraft): void {
  if (state.failedStarts.some((one) => one.reference === reference)) {
    state.failedStarts = without(state.failedStarts, reference)
    return
  }
  if (openOf(state, reference) === undefined) return
  // the TSE may have done the first one already, and gives its answer for that item only
  if (state.failedFinishes.some((one) => one.reference === reference)) return
  const { processType, processData } = reading
  const moment = input.moment.getTime()
  const finish: FailedFinish = {
    reference,
    itemId: input.receipt.id,
    moment,
    processType,
    processData,
    row: input.receipt.row,
  }
  state.failedFinishes = [...state.failedFinishes, finish]
}

// ---------------------------------------------------------------------------------------- refusals

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

// -------------------------------------------------------- transaction numbers that a receipt names

const NAME = 'CurrentStartedTransactionNumbers'
/** Longest part of a wrong value that is named. */
const LONGEST_SHOWN = 40

/**
 * `{"CurrentStartedTransactionNumbers":[7,9]}`, each once; for anything else the text that refuses
 * it.
 */
export function transactionNumbers(caseData: string | null): number[] | string {
  const list = objectIn(caseData)?.get(NAME)
  if (!Array.isArray(list)) return refusals.failList
  if (list.length > MOST_OPEN_TRANSACTIONS) return refusals.failCount(MOST_OPEN_TRANSACTIONS)
  const wrong = list.find((one) => numberOf(one) === undefined)
  if (wrong !== undefined) return refusals.failNumber(shown(wrong))
  return [...new Set(list.flatMap((one) => numberOf(one) ?? []))]
}

function numberOf(value: JsonValue): number | undefined {
  const number = value instanceof JsonNumber ? Number(value.text) : Number.NaN
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}

function shown(value: JsonValue): string {
  return writeJson(value).slice(0, LONGEST_SHOWN)
}
