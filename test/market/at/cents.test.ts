import { expect, it } from 'vitest'
import { Decimal } from '../../../src/lib/decimal.js'
import { bucketCents } from '../../../src/market/at/decision.js'

const row = { code: 3, bucket: 0, turnover: true, obligation: false } as const
const amounts = (...all: Decimal[]) =>
  bucketCents(all.map((amount) => ({ row, item: { amount } as never })))

it.each([
  [[1999n, 2], [1n, 0], 2099n],
  [[10_000_000_000_000_001n, 2], [-9_000_000_000_000_000n, 2], 1_000_000_000_000_001n],
  [[-9_000_000_000_000_000n, 2], [10_000_000_000_000_001n, 2], 1_000_000_000_000_001n],
  [[125n, 3], [5n, 1], 63n],
] as const)('%s and %s are %s cents, however large', ([one, at], [other, place], cents) => {
  expect(amounts(new Decimal(one, at), new Decimal(other, place))[0]).toBe(cents)
})
