// Exact rounding and division of decimals, and the tax inside a gross amount.
import { Decimal } from '../../../../lib/decimal.js'

const HUNDRED = new Decimal(100n, 0)
/** Decimals of the amounts of lines (Annex G: POS_BRUTTO, POS_NETTO, POS_UST). */
export const LINE_DECIMALS = 5

const powers = Array.from({ length: 64 }, (_, at) => 10n ** BigInt(at))

function power(exponent: number): bigint {
  return powers[exponent] ?? 10n ** BigInt(exponent)
}

/** Half away from zero; the divisor is positive. */
function divided(units: bigint, divisor: bigint): bigint {
  const half = divisor / 2n
  return units < 0n ? -((-units + half) / divisor) : (units + half) / divisor
}

/** With exactly that many decimals, halves away from zero. */
export function rounded(value: Decimal, decimals: number): Decimal {
  if (value.scale === decimals) return value
  if (value.scale < decimals) {
    return new Decimal(value.units * power(decimals - value.scale), decimals)
  }
  return new Decimal(divided(value.units, power(value.scale - decimals)), decimals)
}

/** a / b with that many decimals, halves away from zero; b must not be zero. */
export function quotient(a: Decimal, b: Decimal, decimals: number): Decimal {
  const sign = b.isNegative ? -1n : 1n
  const above = a.units * power(b.scale + decimals) * sign
  return new Decimal(divided(above, b.units * sign * power(a.scale)), decimals)
}

/** The tax in a gross amount: gross - gross / (1 + rate), the rate in percent, five decimals. */
export function taxIn(gross: Decimal, rate: Decimal): Decimal {
  const whole = HUNDRED.plus(rate)
  if (rate.isZero || !whole.isPositive) return new Decimal(0n, LINE_DECIMALS)
  return quotient(gross.times(rate), whole, LINE_DECIMALS)
}

export function absolute(value: Decimal): Decimal {
  return value.isNegative ? value.negated() : value
}
