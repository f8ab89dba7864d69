// Sums per bucket and their rounding; what is printed is what the counter grows by.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withWords } from '../../../src/case/reader.js'
import { Decimal } from '../../../src/lib/decimal.js'
import { amountFields, bucketCents, totalCents } from '../../../src/market/at/decision.js'
import { readReceipt } from '../../../src/market/at/reading.js'
import type { ChargeItem } from '../../../src/model/receipt.js'
import { at, charge, receipt } from './support/make.js'

function centsOf(charges: ChargeItem[]) {
  const reading = readReceipt(withWords(receipt(at(0x1), { charges })))
  if (reading.kind === 'refusal') throw new Error(reading.faults[0]?.message)
  return bucketCents(reading.charges)
}

const NORMAL = at(0x3)
const ERM1 = at(0x1)

describe('rounding', () => {
  it('two halves of a cent in different buckets are two cents, in one bucket one', () => {
    expect(totalCents(centsOf([charge(NORMAL, '0.005'), charge(ERM1, '0.005')]))).toBe(2n)
    expect(totalCents(centsOf([charge(NORMAL, '0.005'), charge(NORMAL, '0.005')]))).toBe(1n)
  })

  it('halves go away from zero on both sides', () => {
    expect(centsOf([charge(NORMAL, '0.005'), charge(ERM1, '-0.005')])).toEqual([
      1n,
      -1n,
      0n,
      0n,
      0n,
    ])
    expect(centsOf([charge(NORMAL, '0.0049'), charge(ERM1, '-0.0049')])).toEqual([
      ...[0n, 0n],
      ...[0n, 0n, 0n],
    ])
    expect(centsOf([charge(NORMAL, '2.675')])[0]).toBe(268n)
  })

  it('lines are added before they are rounded', () => {
    const lines = Array.from({ length: 10 }, () => charge(NORMAL, '0.001'))
    expect(centsOf(lines)[0]).toBe(1n)
  })
})

describe('printed amounts', () => {
  it('have two decimals, a comma, no grouping and never a negative zero', () => {
    expect(amountFields([-123456n, 0n, 5n, -5n, 100000000n])).toBe(
      '-1234,56_0,00_0,05_-0,05_1000000,00',
    )
    expect(amountFields(centsOf([charge(NORMAL, '-0.001')]))).toBe('0,00_0,00_0,00_0,00_0,00')
  })

  it('stand in the order Normal, Erm1, Erm2, Null, Besonders', () => {
    const charges = [1, 2, 3, 4, 5].map((code) => charge(at(code), `${code}`))
    expect(amountFields(centsOf(charges))).toBe('3,00_1,00_2,00_5,00_4,00')
  })

  it('add up to what the counter grows by, whatever the lines are', () => {
    const line = fc.record({
      units: fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
      scale: fc.integer({ min: 0, max: 6 }),
      code: fc.integer({ min: 1, max: 5 }),
    })
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const cents = centsOf(
          lines.map(({ units, scale, code }) =>
            charge(at(code), new Decimal(units, scale).toString()),
          ),
        )
        const printed = amountFields(cents)
          .split('_')
          .reduce((sum, text) => sum + BigInt(text.replace(',', '')), 0n)
        expect(printed).toBe(totalCents(cents))
      }),
    )
  })
})
