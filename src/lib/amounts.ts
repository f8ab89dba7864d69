// Sums of exact numbers that documents need.
import { Decimal, formatCents } from './decimal.js'

export const abs = (value: Decimal): Decimal => (value.isNegative ? value.negated() : value)

export const sumOf = (values: readonly Decimal[]): Decimal =>
  values.reduce((sum, value) => sum.plus(value), Decimal.ZERO)

/** `1.00` */
export const two = (value: Decimal): string => formatCents(value.toCents(), '.')

/** With so many decimals; halves go away from zero, or to the even one. */
export function quotient(
  one: Decimal,
  other: Decimal,
  { scale, toEven = false }: { scale: number; toEven?: boolean },
): Decimal {
  const above = one.units * 10n ** BigInt(other.scale + scale)
  const below = other.units * 10n ** BigInt(one.scale)
  const isNegative = above < 0n !== below < 0n
  const [top, bottom] = [above < 0n ? -above : above, below < 0n ? -below : below]
  const [whole, twice] = [top / bottom, (top % bottom) * 2n]
  const isHalfUp = twice === bottom && (!toEven || whole % 2n === 1n)
  const rounded = twice > bottom || isHalfUp ? whole + 1n : whole
  return new Decimal(isNegative ? -rounded : rounded, scale)
}
