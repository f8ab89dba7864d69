// What a programmer of a register should look at, as signature items of the sandbox: never in
// production, and nothing that is signed depends on it.

import type { Cased, ReceiptWords } from '../../case/reader.js'
import type { CaseRules } from '../../case/rules.js'
import { countryWord, isVersion2 } from '../../case/word.js'
import { Decimal, totalOf } from '../../lib/decimal.js'
import type { ChargeItem, ReceiptRequest, Signature } from '../../model/receipt.js'
import { type Hint, MOST_HINTS } from './member-hints.js'

const TEXT = 1n

export interface Hinted {
  request: ReceiptRequest
  words: ReceiptWords
  /** Those of the members, as memberHints found them. */
  known: readonly Hint[]
  rules: CaseRules
}

export function hintSignatures({ request, words, known, rules }: Hinted): readonly Signature[] {
  const payment = paymentHint(request, words)
  const hints = payment === undefined ? known : [...known, payment]
  const isV2 = isVersion2(words.receipt)
  const { receiptMoment } = request
  const { charges } = words
  const by = { rules, isV2, receiptMoment }
  const told = rateHints(charges, by, MOST_HINTS - hints.length)
  if (hints.length === 0 && told.length === 0) return NO_SIGNATURES
  const country = countryWord(rules.country) << 48n
  const type = isV2 ? country | (VERSION_2 << 44n) : country
  return [...hints, ...told]
    .slice(0, MOST_HINTS)
    .map(({ code, data }) => ({ format: TEXT, type, caption: `[Hint] ${code}`, data }))
}

function rateHints(charges: ReceiptWords['charges'], by: RateRules, most: number): readonly Hint[] {
  // nearly always none: nothing is made for it
  let hints: Hint[] | undefined
  for (let at = 0; at < charges.length && (hints?.length ?? 0) < most; at += 1) {
    const word = charges[at]
    const told = word === undefined ? undefined : rateTold(word, by)
    if (word === undefined || told === undefined) continue
    const rate = word.item.vatRate.toShortString()
    const data = `cbChargeItems[${at}] has VATRate ${rate}; its case ${told}. The case counts.`
    hints ??= []
    hints.push({ code: 'RateOfOtherCase', data })
  }
  return hints ?? NONE
}

const NONE: readonly Hint[] = Object.freeze([])
const NO_SIGNATURES: readonly Signature[] = Object.freeze([])
const VERSION_2 = 2n

// ----------------------------------------------------------------- payments

const TOLERANCE = Decimal.of('0.01')
/** 0000 and 0001 of every country: a sale that is paid. */
const LAST_SALE = 1

function paymentHint(
  { chargeItems, payItems }: ReceiptRequest,
  { receipt }: ReceiptWords,
): Hint | undefined {
  const isSale = receipt.code <= LAST_SALE
  const isPaid = chargeItems.length > 0 && payItems.length > 0
  if (!isPaid && !isSale) return undefined
  const charged = totalOf(chargeItems)
  const paid = totalOf(payItems)
  // nearly always
  if (charged.equals(paid)) return undefined
  const difference = charged.minus(paid)
  const size = difference.isNegative ? difference.negated() : difference
  if (!size.minus(TOLERANCE).isPositive) return undefined
  const data =
    `The charge items are ${charged.toShortString()} together, ` +
    `the pay items ${paid.toShortString()}.`
  return { code: 'PaymentsUnlikeItems', data }
}

// -------------------------------------------------------------------- rates

/** V that the case decides; 0, 5 and 6 go by the rate. */
const DECIDED: ReadonlySet<number> = new Set([1, 2, 3, 4, 7, 8])
const ZERO_RATE = 7
const NOT_TAXABLE = 8

interface RateRules {
  rules: CaseRules
  /** The receipt has the numbers of version 2. */
  isV2: boolean
  receiptMoment: Date
}

/** What the case says of the rate where the rate belongs to another one. */
function rateTold(
  word: Cased<ChargeItem>,
  { rules, isV2, receiptMoment }: RateRules,
): string | undefined {
  const { code, item } = word
  return isV2 || isVersion2(word)
    ? wrongV2(code & 0xf, rules.vatOfRate(item.vatRate, receiptMoment))
    : rules.ratesOfV0?.(code, item.vatRate)
}

function wrongV2(sent: number, ofRate: number): string | undefined {
  const expected = sent === NOT_TAXABLE ? ZERO_RATE : sent
  if (!DECIDED.has(sent) || ofRate === 0 || ofRate === expected) return undefined
  return `says VAT ${sent}, and that rate is VAT ${ofRate}`
}
