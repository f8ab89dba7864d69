// Countries that want the number of an outlet before it gets tills. The rule of France: a SIRET of
// 14 digits; the sandbox takes any.
import { describe, expect, it } from 'vitest'
import { requireLocation } from '../../../src/core/outlets/location.js'
import { markets } from '../../../src/market/index.js'
import { NO_CAPABILITIES } from '../../../src/market/market.js'

const strict = { capabilities: { ...NO_CAPABILITIES, outletLocation: true } }
const passes = (locationId: string | null, environment: 'sandbox' | 'production') => {
  try {
    requireLocation(strict, { outletNumber: 1, locationId }, environment)
    return true
  } catch (error) {
    expect(error).toMatchObject({ code: 'OUTLET_LOCATION_MISSING' })
    return false
  }
}

describe('an outlet of a country that wants its number', () => {
  it.each([
    ['12345678912345', true, true],
    ['123 456 789 12345', true, true],
    ['1', true, false],
    ['1234567891234x', false, false],
    ['', false, false],
    [null, false, false],
  ])('with %s passes in the sandbox: %s, in production: %s', (id, sandbox, production) => {
    expect([passes(id, 'sandbox'), passes(id, 'production')]).toEqual([sandbox, production])
  })
})

it('elsewhere nothing is asked', () => {
  for (const { facts } of Object.values(markets)) {
    const outlet = { outletNumber: 1, locationId: null }
    expect(() => requireLocation(facts, outlet, 'production')).not.toThrow()
  }
  expect(() =>
    requireLocation(undefined, { outletNumber: 1, locationId: null }, 'production'),
  ).not.toThrow()
})
