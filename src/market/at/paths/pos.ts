// Point-of-sale receipts and everything else that is no operation of the queue itself.
// Chosen by process.ts.
import { bucketCents } from '../amounts.js'
import { decide, type Verdict } from '../decision.js'
import { explainDecision, explainSignAll } from '../explain.js'
import { isRefusal, type Refusal } from '../refusal.js'
import { signReceipt } from '../signing.js'
import type { Turn } from '../turn.js'

/** Signs and counts what the decision table or `SignAll` says; other receipts stay as they are. */
export async function pos(turn: Turn): Promise<Refusal | undefined> {
  const { sign, count } = verdictOf(turn)
  if (!sign) return undefined
  const cents = bucketCents(turn.reading.charges)
  const result = await signReceipt(turn, { cents, counted: count, zeroPath: false })
  return isRefusal(result) ? result : undefined
}

function verdictOf(turn: Turn): Verdict {
  if (turn.configuration.SignAll) {
    const count = !turn.reading.training
    explainSignAll(turn, count)
    return { sign: true, count }
  }
  const decision = decide(turn.reading)
  explainDecision(turn, decision)
  return decision
}
