// Point-of-sale receipts and everything else that is no operation of the queue itself.
// Chosen by process.ts.

import { isRefusal, type Refusal } from '../../kit/refusal.js'
import { bucketCents } from '../amounts.js'
import { decide, type Verdict } from '../decision.js'
import { explainDecision, explainSignAll } from '../explain.js'
import type { ReceiptDraft } from '../receipt-draft.js'
import { signReceipt } from '../signing.js'

/** Signs and counts what the decision table or `SignAll` says; other receipts stay as they are. */
export async function pos(draft: ReceiptDraft): Promise<Refusal | undefined> {
  const { sign, count } = verdictOf(draft)
  if (!sign) return undefined
  const cents = bucketCents(draft.reading.charges)
  const result = await signReceipt(draft, { cents, counted: count, zeroPath: false })
  return isRefusal(result) ? result : undefined
}

function verdictOf(draft: ReceiptDraft): Verdict {
  if (draft.configuration.SignAll) {
    const count = !draft.reading.training
    explainSignAll(draft, count)
    return { sign: true, count }
  }
  const decision = decide(draft.reading)
  explainDecision(draft, decision)
  return decision
}
