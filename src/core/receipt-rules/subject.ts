// A request as the rules look at it: its case words taken apart once.
// Made by rules.ts; read by item-rules.ts as well.
import type { Decimal } from '../../lib/decimal.js'
import { type CaseParts, casePartsOf } from '../../case/word.js'
import type { CaseFault, CaseRules } from '../../case/rules.js'
import type { PosFacts } from '../../model/pos-fields.js'
import type { ChargeItem, ReceiptRequest } from '../../model/receipt.js'

export interface Judged {
  request: ReceiptRequest
  facts: PosFacts
  /** What the reading of the cases has found. */
  caseFaults: readonly CaseFault[]
  rules: CaseRules
}

export interface Subject extends Judged {
  word: ReceiptWord
  items: readonly Item[]
}

export interface Item {
  item: ChargeItem
  /** Undefined under the tables of v0, where the bits mean other things. */
  parts: CaseParts | undefined
}

export interface ReceiptWord {
  isV2: boolean
  /** `t`; -1 under the tables of v0, as is the code. */
  category: number
  code: number
  isVoid: boolean
  isRefund: boolean
  isHandwritten: boolean
}

const VERSION_2 = 2n
const flags = { void: 0x0004n, handwritten: 0x0008n, refund: 0x0100n } as const

export function subjectOf(judged: Judged): Subject {
  const { request, facts, caseFaults, rules } = judged
  const word = wordOf(request.receiptCase)
  return { request, facts, caseFaults, rules, word, items: request.chargeItems.map(itemOf) }
}

function wordOf(receiptCase: bigint): ReceiptWord {
  const { version, global, code } = casePartsOf(receiptCase)
  const isV2 = version === VERSION_2
  return {
    isV2,
    category: isV2 ? Number(code >> 12n) : -1,
    code: isV2 ? Number(code) : -1,
    isVoid: (global & flags.void) !== 0n,
    isRefund: isV2 && (global & flags.refund) !== 0n,
    isHandwritten: (global & flags.handwritten) !== 0n,
  }
}

function itemOf(item: ChargeItem): Item {
  const parts = casePartsOf(item.chargeItemCase)
  return { item, parts: parts.version === VERSION_2 ? parts : undefined }
}

export const absolute = (value: Decimal): Decimal => (value.isNegative ? value.negated() : value)

export function exceeds(difference: Decimal, most: Decimal): boolean {
  return absolute(difference).minus(most).isPositive
}
