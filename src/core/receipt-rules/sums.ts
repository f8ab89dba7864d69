// The VAT table of a receipt: per rate and letter net, tax and gross, rounded once per row.

import type { Cased, CasedRequest } from '../../case/reader.js'
import type { CaseRules } from '../../case/rules.js'
import { isVersion2 } from '../../case/word.js'
import { Decimal } from '../../lib/decimal.js'
import type { ChargeItem, ReceiptRequest } from '../../model/receipt.js'

export interface VatRow {
  rate: Decimal
  letter: string
  net: bigint
  tax: bigint
  gross: bigint
}

/** By V of the case. */
const LETTERS = 'GBCADEFHI'

/** Items of the tables of v0 have the letter of their rate. */
export function letterOf(
  word: Cased<ChargeItem>,
  { receiptMoment }: ReceiptRequest,
  rules: CaseRules,
): string {
  const { vatRate, moment } = word.item
  const sent = isVersion2(word) ? word.code & 0xf : 0
  const vat = sent === 0 ? rules.vatOfRate(vatRate, moment ?? receiptMoment) : sent
  return LETTERS[vat] ?? 'G'
}

/** In the order in which rates first appear. */
export function vatRows({ request, words }: CasedRequest, rules: CaseRules): VatRow[] {
  const groups = new Map<string, ChargeItem[]>()
  for (const word of words.charges) {
    const { item } = word
    const key = `${letterOf(word, request, rules)} ${item.vatRate.toShortString()}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return [...groups].map(([key, items]) => rowOf(key.slice(0, 1), items))
}

function rowOf(letter: string, items: readonly ChargeItem[]): VatRow {
  const rate = items[0]?.vatRate ?? Decimal.ZERO
  const sum = items.reduce((all, { amount }) => all.plus(amount), Decimal.ZERO)
  const gross = sum.toCents()
  const given = items.flatMap(({ vatAmount }) => vatAmount ?? [])
  if (given.length === items.length) {
    const tax = given.reduce((all, one) => all.plus(one), Decimal.ZERO).toCents()
    return { rate, letter, net: gross - tax, tax, gross }
  }
  const net = netOf(sum, rate)
  return { rate, letter, net, tax: gross - net, gross }
}

/** Cents of gross × 100 / (100 + rate), halves away from zero. */
function netOf(gross: Decimal, rate: Decimal): bigint {
  const whole = Decimal.of('100').plus(rate)
  const scale = Math.max(gross.scale, whole.scale)
  const dividend = gross.units * 10n ** BigInt(scale - gross.scale) * 10_000n
  const divisor = whole.units * 10n ** BigInt(scale - whole.scale)
  if (divisor <= 0n) return gross.toCents()
  const half = divisor / 2n
  return dividend < 0n ? -((-dividend + half) / divisor) : (dividend + half) / divisor
}
