// The contract was frozen with France: what a French market brings is nothing that only France has.
import { expect, it } from 'vitest'
import type { Market } from '../../src/market/contract.js'
import { markets } from '../../src/market/index.js'

/** Members of the contract that a market has, by their part. */
function membersOf(market: Market): string[] {
  const { facts, queue, describe, rollout } = market
  const parts = { market, facts, queue, describe, rollout, watch: facts.watch ?? {} }
  return Object.entries(parts).flatMap(([part, members]) =>
    Object.keys(members).map((name) => `${part}.${name}`),
  )
}

/** What a country does by another member of the contract. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  AT: [
    // nothing is open in a register without daily closings
    'watch.openSince',
  ],
  DE: [
    // its units sign for others as security devices: the capability `tse`
    'facts.signsForOthers',
  ],
}

it.each(['AT', 'DE'] as const)('what France has of the contract, %s has too', (code) => {
  const there = new Set(membersOf(markets[code]))
  const missing = membersOf(markets.FR).filter((name) => !there.has(name))
  expect(missing).toEqual(BESIDE[code])
})

it('kinds of work that France and the others share have one name', () => {
  for (const code of ['AT', 'DE', 'FR'] as const) {
    expect(Object.keys(markets[code].outbox ?? {})).toContain('exported')
  }
})
