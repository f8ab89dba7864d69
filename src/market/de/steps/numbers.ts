// The transactions that a fail-transaction receipt names in its ftReceiptCaseData.

import { MOST_OPEN_TRANSACTIONS } from '../../../device/tse/tse.js'
import { JsonNumber, type JsonValue, objectIn } from '../../../lib/json.js'
import { writeJson } from '../../../lib/json-write.js'
import { refusals } from '../text.js'

const NAME = 'CurrentStartedTransactionNumbers'
/** Longest part of a wrong value that is named. */
const LONGEST_SHOWN = 40

/**
 * `{"CurrentStartedTransactionNumbers":[7,9]}`, each once; for anything else the text that refuses
 * it.
 */
export function transactionNumbers(caseData: string | null): number[] | string {
  const list = objectIn(caseData)?.get(NAME)
  if (!Array.isArray(list)) return refusals.failList
  if (list.length > MOST_OPEN_TRANSACTIONS) return refusals.failCount(MOST_OPEN_TRANSACTIONS)
  const wrong = list.find((one) => numberOf(one) === undefined)
  if (wrong !== undefined) return refusals.failNumber(shown(wrong))
  return [...new Set(list.flatMap((one) => numberOf(one) ?? []))]
}

function numberOf(value: JsonValue): number | undefined {
  const number = value instanceof JsonNumber ? Number(value.text) : Number.NaN
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}

function shown(value: JsonValue): string {
  return writeJson(value).slice(0, LONGEST_SHOWN)
}
