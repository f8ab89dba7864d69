// What a receipt is in a country whose words are of version 2 only.
import type { CasedRequest } from '../../case/reader.js'
import { foreignItem, foreignReceipt, unknownReceipt } from '../../case/refusals.js'
import type { CaseRules } from '../../case/rules.js'
import { chargeTraits, receiptTraits } from '../../case/traits.js'
import { isVersion2 } from '../../case/word.js'
import { type Refusal, unread } from './refusal.js'

/** What is read of every receipt. */
export interface PlainReading {
  kind: 'reading'
  code: number
  /** An earlier receipt is annulled. */
  voids: boolean
  /** It says so, or all of its items do. */
  refunds: boolean
  /** cbPreviousReceiptReference, '' for none. */
  previous: string
}

/** By the table of its cases; words of another country and cases that are not there are refused. */
export function knownAs<W>(
  read: CasedRequest,
  rules: CaseRules,
  receipts: Readonly<Record<number, W>>,
): { what: W; plain: PlainReading } | Refusal {
  const { receipt } = read.words
  const what = isVersion2(receipt) ? receipts[receipt.code] : undefined
  const foreign = foreignReceipt(read, rules) ?? foreignItem(read, rules)
  if (foreign === undefined && what !== undefined) return { what, plain: plainOf(read) }
  return unread(foreign ?? unknownReceipt(read, 'is not known'))
}

function plainOf({ request, words: { receipt, charges } }: CasedRequest): PlainReading {
  const traits = receiptTraits(receipt)
  const isRefunded = charges.length > 0 && charges.every((one) => chargeTraits(one).refund)
  return {
    ...{ kind: 'reading', code: receipt.code, voids: traits.void },
    refunds: traits.refund || isRefunded,
    previous: request.previousReceiptReference?.trim() ?? '',
  }
}
