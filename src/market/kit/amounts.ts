// Sums of exact numbers that every country makes.
import { Decimal, formatCents } from '../../lib/decimal.js'

export const abs = (value: Decimal): Decimal => (value.isNegative ? value.negated() : value)

export const sumOf = (values: readonly Decimal[]): Decimal =>
  values.reduce((sum, value) => sum.plus(value), Decimal.ZERO)

/** `1.00` */
export const two = (value: Decimal): string => formatCents(value.toCents(), '.')
