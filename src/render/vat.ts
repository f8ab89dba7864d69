// The VAT table of a shown receipt. Called by view.ts.
import { Decimal } from '../lib/decimal.js'
import type { JsonObject } from '../lib/json.js'
import { decimalIn } from '../model/json-members.js'
import { moneyText, numberText } from './plain-text.js'
import type { Language } from './words.js'

export interface VatRow {
  rate: string
  net: string
  tax: string
  gross: string
}

interface Sum {
  rate: Decimal
  gross: Decimal
  /** Undefined as soon as one item says nothing about its tax. */
  tax: Decimal | undefined
}

/** One row per rate, the highest first. */
export function vatRowsOf(charges: readonly JsonObject[], language: Language): VatRow[] {
  const sums = new Map<string, Sum>()
  for (const item of charges) {
    const rate = decimalIn(item, 'VATRate') ?? Decimal.ZERO
    const key = rate.toShortString()
    const sum = sums.get(key) ?? { rate, gross: Decimal.ZERO, tax: Decimal.ZERO }
    const tax = decimalIn(item, 'VATAmount')
    sums.set(key, {
      rate,
      gross: sum.gross.plus(decimalIn(item, 'Amount') ?? Decimal.ZERO),
      tax: tax === undefined ? undefined : sum.tax?.plus(tax),
    })
  }
  const sorted = [...sums.values()].sort((a, b) => (b.rate.minus(a.rate).isNegative ? -1 : 1))
  return sorted.map(({ rate, gross, tax }) => {
    const grossCents = gross.toCents()
    const netCents = tax === undefined ? netOf(gross, rate) : grossCents - tax.toCents()
    return {
      rate: `${numberText(rate, language)} %`,
      net: moneyText(Decimal.cents(netCents), language),
      tax: moneyText(Decimal.cents(grossCents - netCents), language),
      gross: moneyText(gross, language),
    }
  })
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
