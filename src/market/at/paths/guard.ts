// What zero, start, stop, monthly and yearly receipts refuse, and how they are signed.
// Called by the paths of these receipts.
import { explainZero } from '../explain.js'
import { type Refusal, refuse } from '../refusal.js'
import { type SignResult, signReceipt, ZERO_DEMAND } from '../signing.js'
import { actions, receiptNames, refusals } from '../text.js'
import { addAction, hasItems, priority, type Turn } from '../turn.js'

export type OperationName = keyof typeof receiptNames

/** A training receipt proves nothing, and an operation of the queue cannot be taken back. */
export function refuseFlags(turn: Turn, name: OperationName): Refusal | undefined {
  if (turn.reading.training) return refuse(refusals.training(receiptNames[name]), 'ftReceiptCase')
  if (turn.reading.void) return refuse(refusals.void(receiptNames[name]), 'ftReceiptCase')
  return undefined
}

/** With items such a receipt is answered unsigned, without error: the operation is not executed. */
export function ignoresItems(turn: Turn, name: OperationName): boolean {
  if (!hasItems(turn)) return false
  addAction(turn, {
    priority: priority.warning,
    type: 'OperationWithItems',
    message: actions.withItems(turn.input.queue.id, receiptNames[name]),
  })
  return true
}

export function signZero(turn: Turn): Promise<SignResult> {
  explainZero(turn)
  return signReceipt(turn, ZERO_DEMAND)
}
