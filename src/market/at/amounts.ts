// Amounts per rate: exact sums per bucket, rounded once to whole cents (RKSV Annex). The zero path
// has NO_AMOUNTS.
import { Decimal, formatCents } from '../../lib/decimal.js'
import type { ChargeLine } from './reading.js'

/** Whole cents in the order of the machine-readable code: Normal, Erm1, Erm2, Null, Besonders. */
export type Cents = readonly [bigint, bigint, bigint, bigint, bigint]

export const NO_AMOUNTS: Cents = [0n, 0n, 0n, 0n, 0n]

/**
 * Sums the lines per bucket exactly and rounds each sum half away from zero. What is printed and
 * what the turnover counter grows by are these same cents, so the two never drift apart.
 */
export function bucketCents(lines: readonly ChargeLine[]): Cents {
  const { ZERO } = Decimal
  const sums = [ZERO, ZERO, ZERO, ZERO, ZERO] satisfies Decimal[]
  for (const { row, item } of lines) {
    const sum = sums[row.bucket]
    sums[row.bucket] = sum === undefined || sum === ZERO ? item.amount : sum.plus(item.amount)
  }
  const [normal = ZERO, erm1 = ZERO, erm2 = ZERO, zero = ZERO, besonders = ZERO] = sums
  return [normal.toCents(), erm1.toCents(), erm2.toCents(), zero.toCents(), besonders.toCents()]
}

export function totalCents([normal, erm1, erm2, zero, besonders]: Cents): bigint {
  return normal + erm1 + erm2 + zero + besonders
}

const ZERO_TEXT = '0,00'

/** `12,00_23,90_4,50_0,00_3,15`: fields 5 to 9 of the machine-readable code. */
export function amountFields(cents: Cents): string {
  return cents.map((amount) => (amount === 0n ? ZERO_TEXT : formatCents(amount, ','))).join('_')
}
