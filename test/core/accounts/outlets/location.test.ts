// Countries that want the number of an outlet before it gets tills. The rule of France: a SIRET of
// 14 digits; the sandbox takes any.
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { requireLocation } from '../../../../src/core/accounts/outlets/location.js'
import { createTemplates } from '../../../../src/core/rollout/template/execute.js'
import { marketOf, markets } from '../../../../src/market/index.js'
import { locationRuleOf, locations } from '../../../../src/model/identifiers.js'
import { type DealerStand, openDealer } from '../../../support/dealer.js'

const strict = { ...locationRuleOf('AT'), digits: 14 }
const passes = (locationId: string | null, environment: 'sandbox' | 'production') => {
  try {
    requireLocation(strict, { outletNumber: 1, locationId, company: '' }, environment)
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

describe('a template of a country that wants the number', () => {
  it('is executed for an outlet that has it, and for no other', async () => {
    const stand = await openDealer()
    const { account } = await outletsOf(stand)
    const templates = createTemplates({
      ...{ store: stand.deps.store, now: () => new Date(), log: stand.deps.log, sandbox: true },
      ...{ named: false, randomBytes, markets: [marketOf('FR')] },
    })
    const execute = (outletNumber: number) =>
      templates.execute(
        { accountId: account, onBehalfOf: null, operation: 'executeTemplate', traceId: '' },
        {
          ...{ accountId: account, outletNumber, strict: true, mayCreateSigners: false },
          ...{ body: '{"ftQueues":[]}', query: new Map() },
        },
      )
    await expect(execute(1)).rejects.toMatchObject({ code: 'OUTLET_LOCATION_MISSING' })
    expect(await execute(3)).toMatchObject({ cashBoxId: expect.any(String) })
    expect(await stand.rows('select outlet_id from cash_box')).toHaveLength(1)
    await stand.close()
  })
})

/** A merchant whose outlet 3 has a number and whose outlet 1 has none. */
async function outletsOf(stand: DealerStand) {
  const account = await stand.operator('Full', { market: 'FR', country: 'FR' })
  const place = { name: 'R', address: 'R 2', postalCode: '75009', city: 'Paris', country: 'FR' }
  const body = { ...place, locationId: '12345678912345' }
  await stand.call(`POST /api/posoperators/${account}/outlets`, { body })
  return { account }
}

it('in France it is the number of the company and of its place', () => {
  const rule = locationRuleOf('FR')
  const place = { outletNumber: 1, locationId: '321 654 980 00010', company: '321654980' }
  expect(() => requireLocation(rule, place, 'production')).not.toThrow()
  const other = { ...place, company: '987654321' }
  expect(() => requireLocation(rule, other, 'production')).toThrow(/\(987654321#####, # = 0…9\)/)
  expect(() => requireLocation(rule, other, 'sandbox')).not.toThrow()
  const long = { ...place, company: '9'.repeat(20) }
  expect(() => requireLocation(rule, long, 'production')).toThrow(/\(9{20}, # = 0…9\)/)
  expect(() => requireLocation(rule, { ...place, company: '' }, 'production')).not.toThrow()
})

it('every market says what the location id of its outlets is', () => {
  expect(Object.keys(locations)).toEqual(expect.arrayContaining(Object.keys(markets)))
})

it('elsewhere nothing is asked', () => {
  for (const code of [...Object.keys(markets), 'XX']) {
    if (code === 'FR') continue
    const outlet = { outletNumber: 1, locationId: null, company: '' }
    expect(() => requireLocation(locationRuleOf(code), outlet, 'production')).not.toThrow()
  }
})
