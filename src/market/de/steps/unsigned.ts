// Receipts that need no TSE: of a queue out of service or between two units, and receipts that are
// entered later.

import { addAction, priority } from '../../kit/draft.js'
import { signatureKinds, stateBits } from '../case-words.js'
import { addItem, type ReceiptDraft, secondsText } from '../receipt-draft.js'
import { noLateSigning } from '../state.js'
import { actions, actionTypes, captions } from '../text.js'

/** The queue is not started or is stopped: stored, numbered, not signed. */
export function disabled(draft: ReceiptDraft): void {
  draft.bits |= stateBits.outOfService
  noteOnce(draft, 'de-queue-not-active', actions.notActive(draft.input.queue.id))
}

/** The queue has left one TSE and has not begun with the next. */
export function switching(draft: ReceiptDraft): void {
  draft.bits |= stateBits.switching
  noteOnce(draft, 'de-scu-switch', actions.switching)
}

function noteOnce(draft: ReceiptDraft, key: string, message: string): void {
  if (!draft.input.tools.once(key)) return
  addAction(draft, { priority: priority.warning, type: 'NotSigned', message })
}

/** Made while the queue could not be reached (Ausfallsnacherfassung). */
export function lateSigned(draft: ReceiptDraft): void {
  const { state, input } = draft
  const moment = input.receipt.request.receiptMoment.getTime()
  state.usedFailedQueueItemId ??= input.receipt.id
  state.usedFailedCount += 1
  state.usedFailedMomentMin = Math.min(state.usedFailedMomentMin ?? moment, moment)
  state.usedFailedMomentMax = Math.max(state.usedFailedMomentMax ?? moment, moment)
  draft.bits |= stateBits.lateSigning
  const caption = captions.lateSigning(secondsText(moment))
  addItem(draft, { kind: signatureKinds.storage, caption, data: captions.recorderFailed })
}

/** Written by hand and entered afterwards. */
export function handwritten(draft: ReceiptDraft): void {
  const caption = captions.handwritten(secondsText(draft.input.receipt.request.receiptMoment))
  addItem(draft, { kind: signatureKinds.storage, caption, data: '' })
}

/** A zero receipt ends the phase of receipts that were entered later. */
export function endLateSigning(draft: ReceiptDraft): void {
  const { state, input } = draft
  if (state.usedFailedCount === 0) return
  const from = secondsText(state.usedFailedMomentMin ?? input.moment)
  const to = secondsText(state.usedFailedMomentMax ?? input.moment)
  const caption = captions.lateSigningDone(secondsText(input.moment))
  addReport(draft, caption, captions.lateSigningData(state.usedFailedCount, from, to))
  Object.assign(state, noLateSigning)
}

/** A text to be archived that is reported to the operator as well. */
export function addReport(draft: ReceiptDraft, caption: string, data: string): void {
  addItem(draft, { kind: signatureKinds.storage, caption, data })
  const message = caption + data
  addAction(draft, { priority: priority.report, type: actionTypes.text, message, data: message })
}
