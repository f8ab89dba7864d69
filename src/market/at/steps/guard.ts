// What zero, start, stop, monthly and yearly receipts refuse, and how they are signed.

import { addAction, hasItems, priority } from '../../kit/draft.js'
import { type Refusal, refuse } from '../../kit/refusal.js'
import { explainZero } from '../explain.js'
import type { ReceiptDraft } from '../receipt-draft.js'
import { type SignResult, signReceipt, ZERO_DEMAND } from '../signing.js'
import { actions, receiptNames, refusals } from '../text.js'

export type OperationName = keyof typeof receiptNames

/** A training receipt proves nothing, and an operation of the queue cannot be taken back. */
export function refuseFlags(draft: ReceiptDraft, name: OperationName): Refusal | undefined {
  if (draft.reading.training) return refuse(refusals.training(receiptNames[name]), 'ftReceiptCase')
  if (draft.reading.void) return refuse(refusals.void(receiptNames[name]), 'ftReceiptCase')
  return undefined
}

/** With items such a receipt is answered unsigned, without error: the operation is not executed. */
export function ignoresItems(draft: ReceiptDraft, name: OperationName): boolean {
  if (!hasItems(draft)) return false
  addAction(draft, {
    priority: priority.warning,
    type: 'OperationWithItems',
    message: actions.withItems(draft.input.queue.id, receiptNames[name]),
  })
  return true
}

export function signZero(draft: ReceiptDraft): Promise<SignResult> {
  explainZero(draft)
  return signReceipt(draft, ZERO_DEMAND)
}
