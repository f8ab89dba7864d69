// Receipts of a queue that is not started or is stopped: stored, numbered, not signed.
// Chosen by process.ts.
import { actions } from '../text.js'
import { addAction, priority, type Turn } from '../turn.js'
import { stateBits } from '../words.js'

export function disabled(turn: Turn): void {
  const { input } = turn
  turn.bits |= stateBits.outOfService
  if (!input.once('at-queue-not-active')) return
  addAction(turn, {
    priority: priority.warning,
    type: 'QueueNotActive',
    message: actions.notActive(input.queue.id),
  })
}
