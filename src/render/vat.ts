// The VAT table of a shown receipt.
import { Decimal } from '../lib/decimal.js'
import { moneyText, rateText } from './plain-text.js'
import type { Language } from './words.js'

export interface VatRow {
  /** `A` is the normal rate. */
  letter: string
  rate: string
  net: string
  tax: string
  gross: string
}

/** What the tax of an item depends on. */
export interface TaxedItem {
  letter: string
  /** In percent. */
  rate: Decimal
  amount: Decimal
  /** As it was given. */
  tax: Decimal | undefined
}

/** By V of a charge item case, 0 to 8. */
const LETTERS = 'GBCADEFHI'

export function vatLetter(vat: number): string {
  return LETTERS[vat] ?? 'G'
}

interface Sum {
  letter: string
  rate: Decimal
  gross: Decimal
  /** Undefined as soon as one item says nothing about its tax. */
  tax: Decimal | undefined
}

/** One row per letter and rate, the highest rate first. */
export function vatRowsOf(items: readonly TaxedItem[], language: Language): VatRow[] {
  const sums = new Map<string, Sum>()
  for (const { letter, rate, amount, tax } of items) {
    const key = `${letter} ${rate.toShortString()}`
    const sum = sums.get(key) ?? { letter, rate, gross: Decimal.ZERO, tax: Decimal.ZERO }
    sums.set(key, {
      ...sum,
      gross: sum.gross.plus(amount),
      tax: tax === undefined ? undefined : sum.tax?.plus(tax),
    })
  }
  const sorted = [...sums.values()].sort(before)
  return sorted.map(({ letter, rate, gross, tax }) => {
    const grossCents = gross.toCents()
    const netCents = tax === undefined ? netOf(gross, rate) : grossCents - tax.toCents()
    return {
      letter,
      rate: rateText(rate, language),
      net: moneyText(Decimal.cents(netCents), language),
      tax: moneyText(Decimal.cents(grossCents - netCents), language),
      gross: moneyText(gross, language),
    }
  })
}

function before(a: Sum, b: Sum): number {
  if (a.rate.equals(b.rate)) return a.letter < b.letter ? -1 : 1
  return b.rate.minus(a.rate).isNegative ? -1 : 1
}

/** Cents of gross × 100 / (100 + rate), halves away from zero. */
export function netOf(gross: Decimal, rate: Decimal): bigint {
  const percent = 10n ** BigInt(rate.scale)
  const divisor = 100n * percent + rate.units
  const cents = gross.toCents()
  // no rate is so negative in earnest
  if (divisor <= 0n) return cents
  const above = (cents < 0n ? -cents : cents) * 100n * percent
  const net = (above * 2n + divisor) / (divisor * 2n)
  return cents < 0n ? -net : net
}
