// Receipts of a queue that is not started or is stopped: stored, numbered, not signed.
// Chosen by process.ts.

import { addAction, priority } from '../../kit/draft.js'
import { stateBits } from '../case-words.js'
import type { ReceiptDraft } from '../receipt-draft.js'
import { actions } from '../text.js'

export function disabled(draft: ReceiptDraft): void {
  const { input } = draft
  draft.bits |= stateBits.outOfService
  if (!input.tools.once('at-queue-not-active')) return
  addAction(draft, {
    priority: priority.warning,
    type: 'QueueNotActive',
    message: actions.notActive(input.queue.id),
  })
}
