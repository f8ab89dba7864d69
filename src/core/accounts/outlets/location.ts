// Some countries want an outlet's own number before it gets registers.
import { fail } from '../../../errors.js'
import type { LocationRule } from '../../../model/identifiers.js'
import type { Outlet } from '../../../model/outlet.js'

const ANY_DIGITS = /^\d+$/

interface Place extends Pick<Outlet, 'outletNumber' | 'locationId'> {
  /** Number of the company; '' where nobody has told it. */
  company: string
}

/**
 * Throws OUTLET_LOCATION_MISSING for an outlet of a country that wants the number and has none, or
 * that of another company; the sandbox takes any digits.
 */
export function requireLocation(
  rule: LocationRule,
  { outletNumber, locationId, company }: Place,
  environment: 'sandbox' | 'production',
): void {
  if (rule.digits === null) return
  const digits = (locationId ?? '').replace(/\s/g, '')
  if (environment === 'sandbox') {
    if (ANY_DIGITS.test(digits)) return
    throw fail('OUTLET_LOCATION_MISSING', { outlet: outletNumber, expected: '0…9' })
  }
  const isWhole = ANY_DIGITS.test(digits) && digits.length === rule.digits
  if (isWhole && digits.startsWith(company)) return
  // understood in every language: 321654980##### after the number of the company
  const expected = `${company.padEnd(rule.digits, '#')}, # = 0…9`
  throw fail('OUTLET_LOCATION_MISSING', { outlet: outletNumber, expected })
}
