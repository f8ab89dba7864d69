import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Decimal, formatCents, totalOf } from '../../src/lib/decimal.js'

/** Prices, and numbers that no double holds. */
const units = fc.oneof(
  { weight: 4, arbitrary: fc.bigInt({ min: -100_000n, max: 100_000n }) },
  fc.bigInt({ min: -(2n ** 54n), max: 2n ** 54n }),
  fc.bigInt({ min: -(10n ** 29n), max: 10n ** 29n }),
)
const decimal = fc
  .tuple(units, fc.oneof(fc.nat(4), fc.nat(28)))
  .map(([one, scale]) => new Decimal(one, scale))

/** In units of the finest scale, which no number of these tests goes beyond. */
const SCALE = 28
const exact = ({ units: one, scale }: Decimal): bigint => one * 10n ** BigInt(SCALE - scale)

describe('numbers of any size', () => {
  it('are equal when their exact values are', () => {
    fc.assert(
      fc.property(decimal, decimal, fc.nat(3), (one, other, more) => {
        expect(one.equals(other)).toBe(exact(one) === exact(other))
        const longer = new Decimal(one.units * 10n ** BigInt(more), one.scale + more)
        expect(one.equals(longer)).toBe(true)
        expect(new Decimal(longer.units + 1n, longer.scale).equals(one)).toBe(false)
      }),
      { numRuns: 1000 },
    )
  })

  it('have cents that are the nearest ones, halves away from zero', () => {
    const cent = 10n ** BigInt(SCALE - 2)
    fc.assert(
      fc.property(decimal, (one) => {
        const value = exact(one)
        const size = value < 0n ? -value : value
        const nearest = (size + cent / 2n) / cent
        expect(one.toCents()).toBe(value < 0n ? -nearest : nearest)
      }),
      { numRuns: 1000 },
    )
  })

  it('have a total that is exact, with the finest scale of them', () => {
    fc.assert(
      fc.property(fc.array(decimal, { maxLength: 12 }), (amounts) => {
        const total = totalOf(amounts.map((amount) => ({ amount })))
        expect(exact(total)).toBe(amounts.reduce((sum, one) => sum + exact(one), 0n))
        expect(total.scale).toBe(Math.max(0, ...amounts.map(({ scale }) => scale)))
      }),
      { numRuns: 1000 },
    )
  })

  it('are written as cents with all their digits', () => {
    fc.assert(
      fc.property(units, fc.constantFrom('.' as const, ',' as const), (cents, separator) => {
        const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0')
        const text = `${digits.slice(0, -2)}${separator}${digits.slice(-2)}`
        expect(formatCents(cents, separator)).toBe(cents < 0n ? `-${text}` : text)
      }),
      { numRuns: 1000 },
    )
  })
})

it('a small one is what it says, however many came before', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer(), fc.nat(6)), { maxLength: 50 }), (all) => {
      for (const [one, scale] of all) {
        const made = Decimal.small(one === 0 ? 0 : one, scale)
        expect([made.units, made.scale]).toEqual([BigInt(one), scale])
      }
    }),
  )
})
