// How exactly an amount can be paid: a terminal has no half cents.
import { fail } from '../../errors.js'
import type { Decimal } from '../../lib/decimal.js'

const KNOWN = new Set(Intl.supportedValuesOf('currency'))
/** As receipts have. */
const MOST_WHOLE_DIGITS = 13

export function isCurrency(text: string): boolean {
  return KNOWN.has(text)
}

/** ISO 4217, minor units other than 2; what browsers and runtimes know differs in places. */
const NO_DECIMALS = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ')
const THREE_DECIMALS = 'BHD IQD JOD KWD LYD OMR TND'.split(' ')

/** Digits behind the point: 2 of EUR, none of JPY, 3 of KWD. */
export function decimalsOf(currency: string): number {
  if (NO_DECIMALS.includes(currency)) return 0
  return THREE_DECIMALS.includes(currency) ? 3 : 2
}

/** Zeros at the end do not count. Throws FIELD_INVALID. */
export function checkPayable(amount: Decimal, currency: string): void {
  const [whole = '', fraction = ''] = amount.toShortString().replace('-', '').split('.')
  const most = decimalsOf(currency)
  if (fraction.length <= most && whole.length <= MOST_WHOLE_DIGITS) return
  const places = most === 0 ? 'no decimals' : `at most ${most} decimals`
  const expected = `a number with ${places} (${currency}), ${MOST_WHOLE_DIGITS} digits before them`
  throw fail('FIELD_INVALID', { field: 'cbPayItem.Amount', expected })
}

/** With as many decimals as the currency has: 10.00, 1000, 1.500. */
export function printedAmount(amount: Decimal, currency: string): string {
  const most = decimalsOf(currency)
  const [whole = '', fraction = ''] = amount.toShortString().split('.')
  return most === 0 ? whole : `${whole}.${fraction.padEnd(most, '0').slice(0, most)}`
}
