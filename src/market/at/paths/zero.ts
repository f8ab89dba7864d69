// The zero receipt (Nullbeleg): self-test, and the collective receipt that ends failure modes.
// Chosen by process.ts.
import { lastsTooLong } from '../modes.js'
import { notify, waitingNotification } from '../notifications.js'
import { isRefusal, type Refusal, refuse } from '../refusal.js'
import { type AtState, noHandwritten, noLateSigning, noMessage, noSignerFailure } from '../state.js'
import { actions, captions, fromTo, refusals } from '../text.js'
import { addAction, addText, hasItems, hint, priority, type Turn } from '../turn.js'
import { formats } from '../words.js'
import { refuseFlags, signZero } from './guard.js'

export async function zero(turn: Turn): Promise<Refusal | undefined> {
  if (hasItems(turn)) return refuse(refusals.zeroWithItems)
  const refusal = refuseFlags(turn, 'zero')
  if (refusal !== undefined) return refusal
  const result = await signZero(turn)
  if (isRefusal(result)) return result
  endHandwritten(turn)
  if (result.kind !== 'signed') return undefined
  deliverMessage(turn)
  endLateSigning(turn, result.jws)
  endSignerFailure(turn, result.jws)
  if (turn.reading.wantsCertificate) {
    const data = result.certificate.der.toString('base64')
    turn.signatures.push({ ...hint(turn, captions.certificate, data), format: formats.base64 })
  }
  return undefined
}

/** The receipt with which a mode began; '#' when it cannot be named. */
function firstOf(turn: Turn, itemId: string | null, identification: string | null): string {
  return itemId === turn.input.item.id ? turn.identification : (identification ?? '#')
}

function recovered(turn: Turn, caption: string, first: string): void {
  const range = fromTo(first, turn.identification)
  addText(turn, caption, range)
  addAction(turn, {
    priority: priority.information,
    type: 'ModeEnded',
    message: actions.recovered(caption, range),
  })
}

/** Needs no signature. */
function endHandwritten(turn: Turn): void {
  const { usedMobileCount, usedMobileQueueItemId, usedMobileIdentification } = turn.state
  if (usedMobileCount === 0) return
  const first = firstOf(turn, usedMobileQueueItemId, usedMobileIdentification)
  recovered(turn, captions.handwritten, first)
  Object.assign(turn.state, noHandwritten)
}

function endLateSigning(turn: Turn, jws: string): void {
  const { usedFailedCount, usedFailedQueueItemId, usedFailedIdentification } = turn.state
  if (usedFailedCount === 0) return
  const first = firstOf(turn, usedFailedQueueItemId, usedFailedIdentification)
  recovered(turn, captions.lateSigning, first)
  if (outageTooLong(turn.state)) {
    turn.notifications.push(
      notify(turn, { kind: 'deactivation', jws, isStopReceipt: false }),
      notify(turn, { kind: 'activation', jws, isStartReceipt: false }),
    )
  }
  Object.assign(turn.state, noLateSigning)
}

/**
 * § 17 RKSV: an outage lasts until the queue is reached again, however few receipts were made in
 * it. States of older servers know the receipts' own times alone.
 */
function outageTooLong(state: AtState): boolean {
  const { usedFailedMomentMin: from, usedFailedMomentMax: last, usedFailedReached } = state
  const to = usedFailedReached ?? last
  return from !== null && to !== null && lastsTooLong(from, to)
}

function endSignerFailure(turn: Turn, jws: string): void {
  const { sscdFailCount, sscdFailQueueItemId, sscdFailIdentification } = turn.state
  if (sscdFailCount === 0) return
  recovered(turn, captions.collective, firstOf(turn, sscdFailQueueItemId, sscdFailIdentification))
  if (turn.state.sscdFailMessageSent !== null) {
    turn.notifications.push(notify(turn, { kind: 'activation', jws, isStartReceipt: false }))
  }
  Object.assign(turn.state, noSignerFailure)
}

/** A report that was made on an earlier receipt is handed over now. */
function deliverMessage(turn: Turn): void {
  const waiting = waitingNotification(turn)
  if (waiting === undefined) return
  turn.notifications.push(waiting)
  Object.assign(turn.state, noMessage)
}
