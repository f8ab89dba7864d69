// The transactions that a fail-transaction receipt names in its ftReceiptCaseData.
// Called by steps.ts.
import { JsonError, JsonNumber, JsonObject, parseJson } from '../../../lib/json.js'

const NAME = 'CurrentStartedTransactionNumbers'

/** `{"CurrentStartedTransactionNumbers":[7,9]}`; undefined for anything else. */
export function transactionNumbers(caseData: string | null): number[] | undefined {
  const list = caseData === null ? undefined : memberOf(caseData)
  if (!Array.isArray(list)) return undefined
  const numbers = list.map((one) => (one instanceof JsonNumber ? Number(one.text) : Number.NaN))
  return numbers.every((one) => Number.isSafeInteger(one) && one > 0)
    ? [...new Set(numbers)]
    : undefined
}

function memberOf(text: string): unknown {
  try {
    const value = parseJson(text)
    return value instanceof JsonObject ? value.get(NAME) : undefined
  } catch (error) {
    if (error instanceof JsonError) return undefined
    throw error
  }
}
