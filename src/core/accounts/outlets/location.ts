// Some countries want an outlet's own number before it gets registers.
import { fail } from '../../../errors.js'
import type { MarketFacts } from '../../../market/facts.js'
import type { Outlet } from '../../../model/outlet.js'

/** SIRET: the company's number and that of its place. */
const LONG = /^\d{14}$/
const ANY_DIGITS = /^\d+$/

/**
 * Throws OUTLET_LOCATION_MISSING for an outlet of a country that wants the number and has none;
 * the sandbox takes any digits.
 */
export function requireLocation(
  facts: Pick<MarketFacts, 'capabilities'> | undefined,
  outlet: Pick<Outlet, 'outletNumber' | 'locationId'>,
  environment: 'sandbox' | 'production',
): void {
  if (facts?.capabilities.outletLocation !== true) return
  const digits = (outlet.locationId ?? '').replace(/\s/g, '')
  const form = environment === 'production' ? LONG : ANY_DIGITS
  if (form.test(digits)) return
  const expected = environment === 'production' ? '14 digits' : 'digits'
  throw fail('OUTLET_LOCATION_MISSING', { outlet: outlet.outletNumber, expected })
}
