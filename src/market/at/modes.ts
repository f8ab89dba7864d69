// Modes of a queue: outage, late entry, due receipts; and what ftState would show at a moment
// without a receipt, since clocks of due receipts and of outages run on their own.

import type { OpenOutage } from '../../model/outage.js'
import type { QueueView } from '../../model/queue.js'
import { isActive, openOutages, priority } from '../kit/draft.js'
import { enterLate, lateEntriesOf, lateMode, usedFailed } from '../kit/late-entry.js'
import { stateBits, stateWord } from './cases.js'
import { vienna } from './local-time.js'
import { notify } from './notifications.js'
import type { AtState } from './queue.js'
import type { ReceiptDraft } from './receipt-draft.js'
import { actions } from './text.js'

/** § 17 RKSV: a failure of more than 48 hours is to be reported. */
const REPORT_AFTER_MS = 48 * 60 * 60 * 1000

export function lastsTooLong(from: number, to: number): boolean {
  return to - from > REPORT_AFTER_MS
}

export function enterModes(draft: ReceiptDraft): void {
  const { reading, input, state } = draft
  const receiptMoment = input.receipt.request.receiptMoment.getTime()
  if (state.sscdFailCount > 0) reportLongFailure(draft)
  if (reading.lateSigning) enterLateSigning(draft)
  if (reading.handwritten) enterHandwritten(draft, receiptMoment)
  // by the queue's time: a receipt that the register dates in the year 9999 silences nothing
  if (input.queue.stopMoment === null) {
    draft.bits |= dueBit(state.lastSettlementMoment, input.moment.getTime())
  }
}

// --------------------------------------------------------------- signer failure

/** Receipts that put a notification on themselves; on others it waits for a zero receipt. */
const DELIVERING: ReadonlySet<string> = new Set(['zero', 'start', 'stop', 'yearly'])

function reportLongFailure(draft: ReceiptDraft): void {
  const { state, input, reading } = draft
  const now = input.moment.getTime()
  if (!isReportDue(state, now)) return
  state.sscdFailMessageSent = now
  const item = notify(draft, { kind: 'deactivation', jws: '', isStopReceipt: false })
  if (DELIVERING.has(reading.path) && isActive(draft)) {
    draft.notifications.push(item)
    return
  }
  state.messageCount = 1
  state.messageMoment = now
  state.messageData = item.data
}

/** The 48 hours are over, and nothing was written about it yet. */
export function isReportDue(state: AtState, now: number): boolean {
  return state.sscdFailCount > 0 && state.sscdFailMessageSent === null && failsTooLong(state, now)
}

function failsTooLong(state: AtState, now: number): boolean {
  return state.sscdFailMoment !== null && lastsTooLong(state.sscdFailMoment, now)
}

/** Bits that follow from the state as the receipt leaves it. */
export function modeBits(state: AtState, now: number): number {
  let bits = 0
  if (state.sscdFailCount > 0) {
    bits |= stateBits.signerOut
    if (failsTooLong(state, now)) bits |= stateBits.signerOutLong
  }
  if (state.usedFailedCount > 0 || state.usedMobileCount > 0) bits |= stateBits.subsequentEntry
  if (state.messageCount > 0) bits |= stateBits.messagePending
  return bits
}

// ------------------------------------------------------------- subsequent entry

function enterLateSigning(draft: ReceiptDraft): void {
  const { state, input } = draft
  const message = actions.lateSigning(input.queue.id)
  const begins = { priority: priority.information, type: 'LateSigningEntered', message }
  Object.assign(state, usedFailed(enterLate(draft, lateEntriesOf(state), begins)))
  state.usedFailedReached = input.moment.getTime()
}

function enterHandwritten({ state, input }: ReceiptDraft, receiptMoment: number): void {
  state.usedMobileCount += 1
  if (state.usedMobileMoment !== null && receiptMoment >= state.usedMobileMoment) return
  state.usedMobileMoment = receiptMoment
  state.usedMobileQueueItemId = input.receipt.id
  state.usedMobileIdentification = null
}

/** Notes how this receipt is called where a mode began with it: recovery texts name the first. */
export function rememberIdentification({ state, input, identification }: ReceiptDraft): void {
  const { id } = input.receipt
  if (state.sscdFailQueueItemId === id) state.sscdFailIdentification = identification
  if (state.usedFailedQueueItemId === id) state.usedFailedIdentification = identification
  if (state.usedMobileQueueItemId === id) state.usedMobileIdentification = identification
}

// ------------------------------------------------------------------ due receipts

export const SETTLES_ITS_OWN_MONTH_FROM = 15
/** Older servers noted the register's time: a month far ahead was not settled by anything. */
const FAR_AHEAD_MS = 31 * 24 * 60 * 60 * 1000
const MONTHS = 12

/**
 * The bit for a monthly or yearly receipt that is due, or 0. A settlement before the 15th settles
 * the month before; the next one is due when the month after the settled one is over.
 */
export function dueBit(lastSettlement: number | null, queueTime: number): number {
  if (lastSettlement === null) return 0
  if (lastSettlement - queueTime > FAR_AHEAD_MS) return stateBits.monthlyDue
  const last = vienna.day(lastSettlement)
  const settled = monthNumber(last) - (last.day < SETTLES_ITS_OWN_MONTH_FROM ? 1 : 0)
  const due = settled + 2
  const now = monthNumber(vienna.day(queueTime))
  if (now < due) return 0
  const inJanuary = due % MONTHS === 0
  const laterYear = Math.floor(now / MONTHS) > Math.floor(due / MONTHS)
  return inJanuary || laterYear ? stateBits.yearlyDue : stateBits.monthlyDue
}

/** Months since the year 0, January = 0. */
function monthNumber({ year, month }: { year: number; month: number }): number {
  return year * MONTHS + month - 1
}

// ------------------------------------------------------------------------------- without a receipt

export function openIn(state: AtState): OpenOutage[] {
  const { sscdFailCount, sscdFailMoment } = state
  return openOutages({
    device: { receipts: sscdFailCount, since: sscdFailMoment },
    register: lateMode(lateEntriesOf(state)),
  })
}

/** `now`: the queue's time, in Unix milliseconds. */
export function stateAt(
  { startMoment, stopMoment }: QueueView,
  state: AtState,
  { now, answersV2 }: { now: number; answersV2: boolean },
): bigint {
  let bits = modeBits(state, now)
  if (startMoment === null || stopMoment !== null) bits |= stateBits.outOfService
  if (stopMoment === null) bits |= dueBit(state.lastSettlementMoment, now)
  // the next receipt writes the report, and says that it waits
  if (isReportDue(state, now)) bits |= stateBits.messagePending
  return stateWord(bits, answersV2 ? 'v2' : 'v0')
}
