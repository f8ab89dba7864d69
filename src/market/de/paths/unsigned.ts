// Receipts that need no TSE: of a queue out of service or between two units, and receipts that are
// entered later. Chosen by process.ts.
import { noLateSigning } from '../state.js'
import { actions, actionTypes, captions } from '../text.js'
import { addAction, addItem, priority, secondsText, type Turn } from '../turn.js'
import { signatureKinds, stateBits } from '../words.js'

/** The queue is not started or is stopped: stored, numbered, not signed. */
export function disabled(turn: Turn): void {
  turn.bits |= stateBits.outOfService
  noteOnce(turn, 'de-queue-not-active', actions.notActive(turn.input.queue.id))
}

/** The queue has left one TSE and has not begun with the next. */
export function switching(turn: Turn): void {
  turn.bits |= stateBits.switching
  noteOnce(turn, 'de-scu-switch', actions.switching)
}

function noteOnce(turn: Turn, key: string, message: string): void {
  if (!turn.input.once(key)) return
  addAction(turn, { priority: priority.warning, type: 'NotSigned', message })
}

/** Made while the queue could not be reached (Ausfallsnacherfassung). */
export function lateSigned(turn: Turn): void {
  const { state, input } = turn
  const moment = input.request.receiptMoment.getTime()
  state.usedFailedQueueItemId ??= input.item.id
  state.usedFailedCount += 1
  state.usedFailedMomentMin = Math.min(state.usedFailedMomentMin ?? moment, moment)
  state.usedFailedMomentMax = Math.max(state.usedFailedMomentMax ?? moment, moment)
  turn.bits |= stateBits.lateSigning
  const caption = captions.lateSigning(secondsText(moment))
  addItem(turn, { kind: signatureKinds.storage, caption, data: captions.recorderFailed })
}

/** Written by hand and entered afterwards. */
export function handwritten(turn: Turn): void {
  const caption = captions.handwritten(secondsText(turn.input.request.receiptMoment))
  addItem(turn, { kind: signatureKinds.storage, caption, data: '' })
}

/** A zero receipt ends the phase of receipts that were entered later. */
export function endLateSigning(turn: Turn): void {
  const { state, input } = turn
  if (state.usedFailedCount === 0) return
  const from = secondsText(state.usedFailedMomentMin ?? input.moment)
  const to = secondsText(state.usedFailedMomentMax ?? input.moment)
  const caption = captions.lateSigningDone(secondsText(input.moment))
  addReport(turn, caption, captions.lateSigningData(state.usedFailedCount, from, to))
  Object.assign(state, noLateSigning)
}

/** A text to be archived that is reported to the operator as well. */
export function addReport(turn: Turn, caption: string, data: string): void {
  addItem(turn, { kind: signatureKinds.storage, caption, data })
  const message = caption + data
  addAction(turn, { priority: priority.report, type: actionTypes.text, message, data: message })
}
