// What a receipt is in a country whose words are of version 2 only.
import type { CasedRequest } from '../../case/reader.js'
import { foreignItem, foreignReceipt, unknownReceipt } from '../../case/refusals.js'
import type { CaseRules } from '../../case/rules.js'
import { isVersion2 } from '../../case/word.js'
import { type Refusal, unread } from './refusal.js'

/** By the table of its cases; words of another country and cases that are not there are refused. */
export function knownAs<W>(
  read: CasedRequest,
  rules: CaseRules,
  receipts: Readonly<Record<number, W>>,
): { what: W } | Refusal {
  const { receipt } = read.words
  const what = isVersion2(receipt) ? receipts[receipt.code] : undefined
  const foreign = foreignReceipt(read, rules) ?? foreignItem(read, rules)
  if (foreign === undefined && what !== undefined) return { what }
  return unread(foreign ?? unknownReceipt(read, 'is not known'))
}
