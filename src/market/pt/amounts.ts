// Amounts of a Portuguese document: tax inside of gross prices, lines with their discounts, totals.

import type { Line, Region, TaxCode, Totals } from '../../device/pt/document.js'
import { quotient, sumOf, two } from '../../lib/amounts.js'
import { Decimal, formatCents } from '../../lib/decimal.js'
import { rates } from './cases.js'

const SCALE = 6
const [ONE, HUNDRED] = [new Decimal(1n, 0), new Decimal(100n, 0)]

/** Six decimals, halves to the even one. */
export const inSixDecimals = (one: Decimal, other: Decimal): Decimal =>
  quotient(one, other, { scale: SCALE, toEven: true })

/** The tax inside of a gross amount. */
export function taxInside(amount: Decimal, rate: Decimal): Decimal {
  return inSixDecimals(amount.times(rate), HUNDRED.plus(rate))
}

/** `1.000000` */
export const six = (value: Decimal): string => inSixDecimals(value, ONE).toString()

/** The net sum is built of unrounded lines; a difference of bases goes into the greatest one. */
export function totalsOf(lines: readonly Line[]): Totals {
  const gross = sumOf(lines.map((line) => Decimal.of(line.gross))).toCents()
  const net = sumOf(lines.map((line) => Decimal.of(line.net))).toCents()
  const codes = [...new Set(lines.map(({ tax }) => tax))]
  const bases = codes.map((tax) => {
    const own = lines.filter((line) => line.tax === tax)
    const base = sumOf(own.map((line) => Decimal.of(line.net)))
    const whole = sumOf(own.map((line) => Decimal.of(line.gross)))
    return { tax, base: base.toCents(), amount: whole.minus(base).toCents() }
  })
  const rest = net - bases.reduce((sum, { base }) => sum + base, 0n)
  const greatest = bases.find(({ base }) => bases.every((other) => other.base <= base))
  if (greatest !== undefined) greatest.base += rest
  const text = (cents: bigint) => formatCents(cents, '.')
  return {
    ...{ gross: text(gross), net: text(net), tax: text(gross - net) },
    rates: Object.fromEntries(
      bases.map(({ tax, base, amount }) => [tax, { base: text(base), tax: text(amount) }]),
    ),
  }
}

/** A receipt of payment has no tax of its own. */
export function paidTotals(amount: Decimal): Totals {
  return { gross: two(amount), net: two(amount), tax: '0.00', rates: {} }
}

export const rateOf = (region: Region, tax: TaxCode): Decimal =>
  new Decimal(BigInt(rates[region][tax]), 0)
