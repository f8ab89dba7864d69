// The stop receipt (Schlussbeleg): the last receipt of a Kassen-ID, which is never used again.
// Chosen by process.ts.
import { notify } from '../notifications.js'
import { isRefusal, type Refusal } from '../refusal.js'
import { actions, captions } from '../text.js'
import { addAction, addText, priority, type Turn } from '../turn.js'
import { ignoresItems, refuseFlags, signZero } from './guard.js'

export async function stop(turn: Turn): Promise<Refusal | undefined> {
  const refusal = refuseFlags(turn, 'stop')
  if (refusal !== undefined || ignoresItems(turn, 'stop')) return refusal
  const result = await signZero(turn)
  if (isRefusal(result)) return result
  const queueId = turn.input.queue.id
  if (result.kind !== 'signed') {
    const message = actions.stopFailed(queueId)
    addAction(turn, { priority: priority.warning, type: 'StopNotSigned', message })
    return undefined
  }
  turn.stopMoment = turn.input.moment
  const message = actions.deactivated(queueId)
  addAction(turn, { priority: priority.information, type: 'QueueDeactivated', message })
  addText(turn, captions.stop, captions.stop)
  const { jws } = result
  turn.notifications.push(
    notify(turn, { kind: 'deactivation', jws, isStopReceipt: true }),
    notify(turn, { kind: 'verification', jws }),
  )
  return undefined
}
