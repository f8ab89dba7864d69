// A request as the rules look at it: its receipt case by name.

import type { Cased, ReceiptWords } from '../../case/reader.js'
import type { CaseFault, CaseRules } from '../../case/rules.js'
import { isVersion2 } from '../../case/word.js'
import type { Decimal } from '../../lib/decimal.js'
import type { PosFacts } from '../../model/pos-fields.js'
import type { ChargeItem, ReceiptRequest } from '../../model/receipt.js'

export interface Judged {
  request: ReceiptRequest
  words: ReceiptWords
  facts: PosFacts
  /** What the reading of the cases has found. */
  caseFaults: readonly CaseFault[]
  rules: CaseRules
}

export interface Subject extends Judged {
  word: ReceiptWord
}

/** True for an item of the tables of v2: under those of v0 the bits mean other things. */
export const isTagged: (item: Cased<ChargeItem>) => boolean = isVersion2

export interface ReceiptWord {
  isV2: boolean
  /** `t`; -1 under the tables of v0, as is the code. */
  category: number
  code: number
  isVoid: boolean
  isRefund: boolean
  isHandwritten: boolean
}

const flags = { void: 0x0004, handwritten: 0x0008, refund: 0x0100 } as const

export function subjectOf(judged: Judged): Subject {
  const { request, words, facts, caseFaults, rules } = judged
  return { request, words, facts, caseFaults, rules, word: wordOf(words) }
}

function wordOf({ receipt }: ReceiptWords): ReceiptWord {
  const isV2 = isVersion2(receipt)
  const has = (flag: number): boolean => (receipt.flags & flag) !== 0
  return {
    isV2,
    category: isV2 ? receipt.code >>> 12 : -1,
    code: isV2 ? receipt.code : -1,
    isVoid: has(flags.void),
    isRefund: isV2 && has(flags.refund),
    isHandwritten: has(flags.handwritten),
  }
}

export const absolute = (value: Decimal): Decimal => (value.isNegative ? value.negated() : value)

export function exceeds(difference: Decimal, most: Decimal): boolean {
  return absolute(difference).minus(most).isPositive
}
