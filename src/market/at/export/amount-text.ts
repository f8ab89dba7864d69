// How exports write amounts: exact decimals, never through a double.
import { Decimal } from '../../../lib/decimal.js'

/** At least two decimals and no idle zero behind them: `12` is `12.00`, `1.2500` is `1.25`. */
export function moneyText(amount: string): string {
  const value = Decimal.parse(amount)
  if (value === undefined) return amount
  const [whole = '', fraction = ''] = value.toString().split('.')
  return `${whole}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`
}

/** Without exponent, with the decimals that it was written with: `1.500` stays, `2e1` is `20`. */
export function numberText(number: string): string {
  return Decimal.parse(number)?.toString() ?? number
}

/** The decimal comma of Austrian tables. */
export function withComma(number: string): string {
  return number.replace('.', ',')
}
