// Some countries want an outlet's own number before it gets registers.
import { fail } from '../../../errors.js'
import type { MarketFacts } from '../../../market/facts.js'
import type { Outlet } from '../../../model/outlet.js'

/** The company's number and that of its place. */
const SIRET_DIGITS = 14
const ANY_DIGITS = /^\d+$/

interface Place extends Pick<Outlet, 'outletNumber' | 'locationId'> {
  /** Number of the company (SIREN); '' where nobody has told it. */
  siren: string
}

/**
 * Throws OUTLET_LOCATION_MISSING for an outlet of a country that wants the number and has none, or
 * that of another company; the sandbox takes any digits.
 */
export function requireLocation(
  facts: Pick<MarketFacts, 'capabilities'> | undefined,
  { outletNumber, locationId, siren }: Place,
  environment: 'sandbox' | 'production',
): void {
  if (facts?.capabilities.outletLocation !== true) return
  const digits = (locationId ?? '').replace(/\s/g, '')
  if (environment === 'sandbox') {
    if (ANY_DIGITS.test(digits)) return
    throw fail('OUTLET_LOCATION_MISSING', { outlet: outletNumber, expected: '0…9' })
  }
  const isSiret = ANY_DIGITS.test(digits) && digits.length === SIRET_DIGITS
  if (isSiret && digits.startsWith(siren)) return
  // understood in every language: 321654980##### after the number of the company
  const expected = `${siren.padEnd(SIRET_DIGITS, '#')}, # = 0…9`
  throw fail('OUTLET_LOCATION_MISSING', { outlet: outletNumber, expected })
}
