// The transactions that a fail-transaction receipt names in its ftReceiptCaseData.
// Called by steps.ts.
import { JsonNumber, objectIn } from '../../../lib/json.js'

const NAME = 'CurrentStartedTransactionNumbers'

/** `{"CurrentStartedTransactionNumbers":[7,9]}`; undefined for anything else. */
export function transactionNumbers(caseData: string | null): number[] | undefined {
  const list = objectIn(caseData)?.get(NAME)
  if (!Array.isArray(list)) return undefined
  const numbers = list.map((one) => (one instanceof JsonNumber ? Number(one.text) : Number.NaN))
  return numbers.every((one) => Number.isSafeInteger(one) && one > 0)
    ? [...new Set(numbers)]
    : undefined
}
