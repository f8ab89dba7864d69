// Amounts and rates that no receipt has: told with their place, and nothing that a shop could mean.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Decimal } from '../../src/lib/decimal.js'
import { senselessAmounts } from '../../src/model/amount-limits.js'
import { at, charge, pay, receipt } from '../market/at/support/make.js'

const of = Decimal.of
const pathsOf = (...given: Parameters<typeof receipt>) =>
  senselessAmounts(receipt(...given)).map(({ path }) => path)

const MOST = '9999999999999.99'
const MORE = '10000000000000'

describe('amounts beyond 13 digits before the point', () => {
  it.each([MORE, `-${MORE}`, `${MORE}.00`, '92000000000000000', '1e20'])('%s is told', (text) => {
    expect(pathsOf(at(1), { charges: [charge(at(3), '1'), charge(at(3), text)] })).toEqual([
      'cbChargeItems[1].Amount',
    ])
    expect(pathsOf(at(1), { pays: [pay(at(1), text)] })).toEqual(['cbPayItems[0].Amount'])
    for (const [key, name] of [
      ['vatAmount', 'VATAmount'],
      ['unitPrice', 'UnitPrice'],
      ['unitQuantity', 'UnitQuantity'],
      ['quantity', 'Quantity'],
    ] as const) {
      const charges = [charge(at(3), '1', { [key]: of(text) })]
      expect(pathsOf(at(1), { charges })).toEqual([`cbChargeItems[0].${name}`])
    }
    const whole = { ...receipt(at(1)), receiptAmount: of(text) }
    expect(senselessAmounts(whole).map(({ path }) => path)).toEqual(['cbReceiptAmount'])
  })

  it('the largest amounts are none, of either sign and of any number of decimals', () => {
    for (const text of [MOST, `-${MOST}`, '9999999999999.999999999999999', '0', '-0.00']) {
      expect(pathsOf(at(1), { charges: [charge(at(3), text)] })).toEqual([])
      expect(pathsOf(at(1), { pays: [pay(at(1), text)] })).toEqual([])
    }
  })

  it('sums count as well, also where other items take them back', () => {
    expect(pathsOf(at(1), { charges: [charge(at(3), MOST), charge(at(3), '0.01')] })).toEqual([
      'cbChargeItems',
    ])
    expect(pathsOf(at(1), { charges: [charge(at(3), MOST), charge(at(1), `-${MOST}`)] })).toEqual([
      'cbChargeItems',
    ])
    expect(pathsOf(at(1), { pays: [pay(at(1), MOST), pay(at(1), MOST)] })).toEqual(['cbPayItems'])
  })

  it('a hundred faults are enough', () => {
    const charges = Array.from({ length: 10_000 }, () => charge(at(3), MORE))
    expect(pathsOf(at(1), { charges })).toHaveLength(100)
  })
})

describe('rates', () => {
  it.each([
    ['99.99', []],
    ['-99.99', []],
    ['0', []],
    ['99.991', ['cbChargeItems[0].VATRate']],
    ['100', ['cbChargeItems[0].VATRate']],
    ['999.99', ['cbChargeItems[0].VATRate']],
    ['-100', ['cbChargeItems[0].VATRate']],
  ])('%s', (rate, expected) => {
    const charges = [charge(at(3), '1', { vatRate: of(rate) })]
    expect(pathsOf(at(1), { charges })).toEqual(expected)
  })
})

it('what is within is within whatever its form, and what is beyond never is', () => {
  const scaled = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.nat({ max: 28 }))
  fc.assert(
    fc.property(scaled, fc.boolean(), ([units, scale], negative) => {
      const value = new Decimal(negative ? -units : units, scale)
      const whole = units / 10n ** BigInt(scale)
      const charges = [{ ...charge(at(3), '1'), amount: value }]
      expect(pathsOf(at(1), { charges }).length > 0).toBe(String(whole).length > 13)
    }),
  )
})
