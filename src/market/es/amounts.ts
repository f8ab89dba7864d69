// Amounts of a Spanish invoice: tax inside of gross prices, one group for each kind of tax, totals.

import { quotient, sumOf } from '../../lib/amounts.js'
import { Decimal, formatCents } from '../../lib/decimal.js'
import type { Nature } from './cases.js'

const HUNDRED = new Decimal(100n, 0)

/** Of what is written without rounding it to cents. */
export const SCALE = 8

/** The part of a gross amount that is due at this rate, where all rates together are `rates`. */
export const partOf = (amount: Decimal, rate: Decimal, rates: Decimal): Decimal =>
  quotient(amount.times(rate), HUNDRED.plus(rates), { scale: SCALE })

export interface Line {
  text: string
  quantity: Decimal
  amount: Decimal
  tax: Decimal
  rate: Decimal
  /** Rate of the surcharge for retailers (recargo de equivalencia); 0: none. */
  surcharge: Decimal
  nature: Nature
  isService: boolean
}

export interface Group {
  nature: Nature
  isService: boolean
  /** In percent, as it is written: `21`, `5.2`. */
  rate: string
  /** Without tax; where there is none, all of it. */
  base: string
  tax: string
  /** Rate and amount; undefined: none. */
  surcharge: { rate: string; amount: string } | undefined
}

export interface Totals {
  /** With surcharges. */
  tax: string
  total: string
  groups: readonly Group[]
}

const hasTax = ({ mark }: Nature): boolean => mark === 'S1'

/** VAT and surcharge of an item. */
export const ratesOf = ({ rate, surcharge }: Pick<Line, 'rate' | 'surcharge'>): Decimal =>
  rate.plus(surcharge)

const surchargeIn = (line: Line): Decimal => partOf(line.amount, line.surcharge, ratesOf(line))

/** `bySupply`: goods and services apart. Base and tax of a group add up to what is paid for it. */
export function totalsOf(lines: readonly Line[], bySupply: boolean): Totals {
  const found = new Map<string, Line[]>()
  for (const line of lines) {
    const supply = bySupply && line.isService ? 'service' : ''
    const rates = [line.rate, line.surcharge].map((rate) => rate.toShortString())
    const key = [JSON.stringify(line.nature), ...rates, supply].join('|')
    found.set(key, [...(found.get(key) ?? []), line])
  }
  const total = sumOf(lines.map(({ amount }) => amount)).toCents()
  const cents = [...found.values()].map((own) => ({
    first: own[0] as Line,
    gross: sumOf(own.map(({ amount }) => amount)).toCents(),
    tax: sumOf(own.flatMap((one) => (hasTax(one.nature) ? one.tax : []))).toCents(),
    extra: sumOf(own.map(surchargeIn)).toCents(),
  }))
  // halves of cents may have moved the sum: the greatest group takes the difference
  const size = (value: bigint) => (value < 0n ? -value : value)
  const greatest = cents.reduce<(typeof cents)[number] | undefined>(
    (one, other) => (one === undefined || size(other.gross) > size(one.gross) ? other : one),
    undefined,
  )
  if (greatest !== undefined) {
    greatest.gross += total - cents.reduce((sum, { gross }) => sum + gross, 0n)
  }
  const text = (value: bigint) => formatCents(value, '.')
  const groups = cents.map(({ first, gross, tax, extra }) => ({
    ...{ nature: first.nature, isService: bySupply && first.isService },
    ...{ rate: first.rate.toShortString(), base: text(gross - tax - extra), tax: text(tax) },
    surcharge: first.surcharge.isZero
      ? undefined
      : { rate: first.surcharge.toShortString(), amount: text(extra) },
  }))
  const tax = cents.reduce((sum, one) => sum + one.tax + one.extra, 0n)
  return { tax: text(tax), total: text(total), groups }
}
