// Failed mode: the TSE does not work, receipts go on without it and are counted.
// Called by process.ts while the mode lasts, and by every path on which a TSE fails.
import type { DeviceError } from '../../device/device.js'
import { receiptCases } from './cases.js'
import { journalClosing, journalDailyClosing } from './closing-rows.js'
import { type FailedFinish, MOST_FAILED_STARTS, openOf, without } from './state.js'
import { actions, captions } from './text.js'
import { addAction, addItem, priority, type Turn } from './turn.js'
import { signatureKinds } from './words.js'

/** The TSE failed while this receipt needed it. What it signed before stays as it is. */
export function tseFailed(turn: Turn, { message: reason }: DeviceError): void {
  const message = actions.tseFailed(turn.state.scuId ?? '', reason)
  addAction(turn, { priority: priority.error, type: 'TseFailed', message })
  failedAnswer(turn)
}

/** The answer of failed mode: counted, without signatures; explicit steps are remembered. */
export function failedAnswer(turn: Turn): void {
  const { state, input, reading } = turn
  if (state.sscdFailCount === 0) {
    state.sscdFailMoment = input.moment.getTime()
    state.sscdFailQueueItemId = input.item.id
  }
  state.sscdFailCount += 1
  turn.identification = `${turn.identification.split('#')[0]}#`
  turn.stateData = {}
  if (!turn.implicit) rememberStep(turn)
  const { daily, monthly, yearly } = receiptCases
  if (reading.code === daily) journalDailyClosing(turn, undefined)
  else if (reading.code === monthly || reading.code === yearly) journalClosing(turn, undefined)
  const since = new Date(state.sscdFailMoment ?? input.moment.getTime()).toISOString()
  const data = captions.failedSince(since, state.sscdFailCount)
  turn.signatures = []
  addItem(turn, { kind: signatureKinds.information, caption: captions.tseFailed, data })
}

/** A start is done again later, a finish as well; an update is not. */
function rememberStep(turn: Turn): void {
  const { code } = turn.reading
  if (code === receiptCases.startTransaction) rememberStart(turn)
  else if (code !== receiptCases.updateTransaction && code !== receiptCases.deltaTransaction) {
    rememberFinish(turn)
  }
}

function rememberStart(turn: Turn): void {
  const { state, input, reference } = turn
  const start = { reference, itemId: input.item.id, moment: input.moment.getTime() }
  const starts = [...without(state.failedStarts, reference), start]
  for (const lost of starts.slice(0, -MOST_FAILED_STARTS)) {
    const message = actions.droppedStart(lost.reference)
    addAction(turn, { priority: priority.warning, type: 'FailedStartDropped', message })
  }
  state.failedStarts = starts.slice(-MOST_FAILED_STARTS)
}

/** A finish whose start failed needs neither; one of an open transaction is done later. */
function rememberFinish({ state, input, reading, reference }: Turn): void {
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
    itemId: input.item.id,
    moment,
    processType,
    processData,
    row: input.item.row,
  }
  state.failedFinishes = [...state.failedFinishes, finish]
}
