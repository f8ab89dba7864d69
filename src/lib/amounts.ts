// Sums of exact numbers that documents need.
import { Decimal, formatCents } from './decimal.js'

export const abs = (value: Decimal): Decimal => (value.isNegative ? value.negated() : value)

export const sumOf = (values: readonly Decimal[]): Decimal =>
  values.reduce((sum, value) => sum.plus(value), Decimal.ZERO)

/** In doubles as long as these are exact, as they are for all but absurd amounts. */
export function totalOf(lines: readonly { readonly amount: Decimal }[]): Decimal {
  let units = 0
  let scale = 0
  for (let at = 0; at < lines.length; at += 1) {
    const { amount = Decimal.ZERO } = lines[at] ?? {}
    const wanted = Math.max(scale, amount.scale)
    const added = Number(amount.units) * 10 ** (wanted - amount.scale)
    const sum = units * 10 ** (wanted - scale) + added
    if (!Number.isSafeInteger(added) || !Number.isSafeInteger(sum)) return exactTotal(lines)
    units = sum
    scale = wanted
  }
  return Decimal.small(units === 0 ? 0 : units, scale)
}

function exactTotal(lines: readonly { readonly amount: Decimal }[]): Decimal {
  return lines.reduce((sum, { amount }) => sum.plus(amount), Decimal.ZERO)
}

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
