// The outcome of a receipt that the market refused, with its one fault at hand.
import { withWords } from '../../src/case/reader.js'
import { rejectionOf } from '../../src/core/sign/rejection.js'
import type { ReceiptOutcome } from '../../src/market/contract.js'
import type { ReceiptRequest } from '../../src/model/receipt.js'

export interface RefusedOutcome extends ReceiptOutcome<unknown> {
  message: string
  field: string | undefined
  /** Whether the sign path gives the error as the answer. */
  answered: boolean
}

export function refusedBy(
  outcome: ReceiptOutcome<unknown>,
  request: ReceiptRequest,
): RefusedOutcome {
  const [fault] = outcome.faults
  if (fault === undefined || outcome.faults.length > 1) {
    throw new Error(`accepted, or several faults: ${outcome.identification}`)
  }
  const { answered } = rejectionOf(outcome, withWords(request).words)
  return { ...outcome, message: fault.message, field: fault.member, answered }
}

/** The outcome when it was accepted. Throws what was wrong. */
export function acceptedOf<S>(outcome: ReceiptOutcome<S>): ReceiptOutcome<S> {
  const [fault] = outcome.faults
  if (fault !== undefined) throw new Error(`refused: ${fault.message}`)
  return outcome
}

/** No row of any journal was written yet. */
export const NO_ROWS = { lastReceiptId: null, lastMarketId: null, lastActionId: null }
