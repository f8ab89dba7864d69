// The stop receipt (Schlussbeleg): the last receipt of a Kassen-ID, which is never used again.
// Chosen by process.ts.

import { addAction, priority } from '../../kit/draft.js'
import { isRefusal, type Refusal } from '../../kit/refusal.js'
import { notify } from '../notifications.js'
import { addText, type ReceiptDraft } from '../receipt-draft.js'
import { actions, captions } from '../text.js'
import { ignoresItems, refuseFlags, signZero } from './guard.js'

export async function stop(draft: ReceiptDraft): Promise<Refusal | undefined> {
  const refusal = refuseFlags(draft, 'stop')
  if (refusal !== undefined || ignoresItems(draft, 'stop')) return refusal
  const result = await signZero(draft)
  if (isRefusal(result)) return result
  const queueId = draft.input.queue.id
  if (result.kind !== 'signed') {
    const message = actions.stopFailed(queueId)
    addAction(draft, { priority: priority.warning, type: 'StopNotSigned', message })
    return undefined
  }
  draft.life = 'ends'
  const message = actions.deactivated(queueId)
  addAction(draft, { priority: priority.information, type: 'QueueDeactivated', message })
  addText(draft, captions.stop, captions.stop)
  const { jws } = result
  draft.notifications.push(
    notify(draft, { kind: 'deactivation', jws, isStopReceipt: true }),
    notify(draft, { kind: 'verification', jws }),
  )
  return undefined
}
