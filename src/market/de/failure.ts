// Failed mode: the TSE does not work, receipts go on without it and are counted.
import type { DeviceError } from '../../device/device.js'
import { addAction, priority } from '../kit/draft.js'
import { signatureKinds } from './case-words.js'
import { receiptCases } from './cases.js'
import { journalClosing, journalDailyClosing } from './closing-rows.js'
import { addItem, type ReceiptDraft } from './receipt-draft.js'
import { type FailedFinish, MOST_FAILED_STARTS, openOf, without } from './state.js'
import { actions, captions } from './text.js'

/** The TSE failed while this receipt needed it. What it signed before stays as it is. */
export function tseFailed(draft: ReceiptDraft, { message: reason }: DeviceError): void {
  const message = actions.tseFailed(draft.state.scuId ?? '', reason)
  addAction(draft, { priority: priority.error, type: 'TseFailed', message })
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
