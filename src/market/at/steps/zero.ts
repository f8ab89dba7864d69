// The zero receipt (Nullbeleg): self-test, and the collective receipt that ends failure modes.
// Chosen by process.ts.

import { addAction, hasItems, priority } from '../../kit/draft.js'
import { isRefusal, type Refusal, refuse } from '../../kit/refusal.js'
import { formats } from '../case-words.js'
import { lastsTooLong } from '../modes.js'
import { notify, waitingNotification } from '../notifications.js'
import { addText, hint, type ReceiptDraft } from '../receipt-draft.js'
import { type AtState, noHandwritten, noLateSigning, noMessage, noSignerFailure } from '../state.js'
import { actions, captions, fromTo, refusals } from '../text.js'
import { refuseFlags, signZero } from './guard.js'

export async function zero(draft: ReceiptDraft): Promise<Refusal | undefined> {
  if (hasItems(draft)) return refuse(refusals.zeroWithItems)
  const refusal = refuseFlags(draft, 'zero')
  if (refusal !== undefined) return refusal
  const result = await signZero(draft)
  if (isRefusal(result)) return result
  endHandwritten(draft)
  if (result.kind !== 'signed') return undefined
  deliverMessage(draft)
  endLateSigning(draft, result.jws)
  endSignerFailure(draft, result.jws)
  if (draft.reading.wantsCertificate) {
    const data = result.certificate.der.toString('base64')
    draft.signatures.push({ ...hint(draft, captions.certificate, data), format: formats.base64 })
  }
  return undefined
}

/** The receipt with which a mode began; '#' when it cannot be named. */
function firstOf(
  draft: ReceiptDraft,
  itemId: string | null,
  identification: string | null,
): string {
  return itemId === draft.input.receipt.id ? draft.identification : (identification ?? '#')
}

function recovered(draft: ReceiptDraft, caption: string, first: string): void {
  const range = fromTo(first, draft.identification)
  addText(draft, caption, range)
  addAction(draft, {
    priority: priority.information,
    type: 'ModeEnded',
    message: actions.recovered(caption, range),
  })
}

/** Needs no signature. */
function endHandwritten(draft: ReceiptDraft): void {
  const { usedMobileCount, usedMobileQueueItemId, usedMobileIdentification } = draft.state
  if (usedMobileCount === 0) return
  const first = firstOf(draft, usedMobileQueueItemId, usedMobileIdentification)
  recovered(draft, captions.handwritten, first)
  Object.assign(draft.state, noHandwritten)
}

function endLateSigning(draft: ReceiptDraft, jws: string): void {
  const { usedFailedCount, usedFailedQueueItemId, usedFailedIdentification } = draft.state
  if (usedFailedCount === 0) return
  const first = firstOf(draft, usedFailedQueueItemId, usedFailedIdentification)
  recovered(draft, captions.lateSigning, first)
  if (outageTooLong(draft.state)) {
    draft.notifications.push(
      notify(draft, { kind: 'deactivation', jws, isStopReceipt: false }),
      notify(draft, { kind: 'activation', jws, isStartReceipt: false }),
    )
  }
  Object.assign(draft.state, noLateSigning)
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

function endSignerFailure(draft: ReceiptDraft, jws: string): void {
  const { sscdFailCount, sscdFailQueueItemId, sscdFailIdentification } = draft.state
  if (sscdFailCount === 0) return
  recovered(draft, captions.collective, firstOf(draft, sscdFailQueueItemId, sscdFailIdentification))
  if (draft.state.sscdFailMessageSent !== null) {
    draft.notifications.push(notify(draft, { kind: 'activation', jws, isStartReceipt: false }))
  }
  Object.assign(draft.state, noSignerFailure)
}

/** A report that was made on an earlier receipt is handed over now. */
function deliverMessage(draft: ReceiptDraft): void {
  const waiting = waitingNotification(draft)
  if (waiting === undefined) return
  draft.notifications.push(waiting)
  Object.assign(draft.state, noMessage)
}
