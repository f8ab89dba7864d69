// The VAT table: net from the gross sum of a rate, halves away from zero.
import { describe, expect, it } from 'vitest'
import { Decimal } from '../../src/lib/decimal.js'
import { netOf, type TaxedItem, vatLetter, vatRowsOf } from '../../src/render/vat.js'

function item(rate: string, amount: string, tax?: string, letter = 'A'): TaxedItem {
  return {
    letter,
    rate: Decimal.of(rate),
    amount: Decimal.of(amount),
    tax: tax === undefined ? undefined : Decimal.of(tax),
  }
}

describe('net', () => {
  // gross, rate, net, tax: published check values
  it.each([
    ['15.20', '10', 1382n, 138n],
    ['3.80', '20', 317n, 63n],
    ['19.30', '19', 1622n, 308n],
    ['5.50', '7', 514n, 36n],
    ['7.60', '20', 633n, 127n],
    ['1.20', '10', 109n, 11n],
  ])('of %s at %s %% is %s cents', (gross, rate, net, tax) => {
    const amount = Decimal.of(gross)
    expect(netOf(amount, Decimal.of(rate))).toBe(net)
    expect(amount.toCents() - netOf(amount, Decimal.of(rate))).toBe(tax)
    expect(netOf(amount.negated(), Decimal.of(rate))).toBe(-net)
  })

  it('of a rate with decimals, and of no rate', () => {
    // 10.55 / 1.055
    expect(netOf(Decimal.of('10.55'), Decimal.of('5.5'))).toBe(1000n)
    expect(netOf(Decimal.of('10.55'), Decimal.ZERO)).toBe(1055n)
  })
})

describe('rows', () => {
  it('one per rate, the highest first, whatever the rate looks like', () => {
    const items = [item('10', '7'), item('10.00', '8.2'), item('20', '3.8')]
    expect(vatRowsOf(items, 'de')).toEqual([
      { letter: 'A', rate: '20\u00a0%', net: '3,17', tax: '0,63', gross: '3,80' },
      { letter: 'A', rate: '10\u00a0%', net: '13,82', tax: '1,38', gross: '15,20' },
    ])
  })

  it('one per letter: the same rate of two cases stays apart', () => {
    const items = [item('0', '1', undefined, 'I'), item('0', '2', undefined, 'H')]
    expect(vatRowsOf(items, 'en').map(({ letter, gross }) => [letter, gross])).toEqual([
      ['H', '2.00'],
      ['I', '1.00'],
    ])
  })

  it('given tax amounts are summed when every item of the rate has one', () => {
    const given = item('10', '1.20', '0.1')
    expect(vatRowsOf([given, item('10', '1', '0.09')], 'en')[0]?.tax).toBe('0.19')
    expect(vatRowsOf([given, item('10', '1')], 'en')[0]?.tax).toBe('0.20')
  })

  // V of ftChargeItemCase and its letter: published table
  it.each([
    [0, 'G'],
    [1, 'B'],
    [2, 'C'],
    [3, 'A'],
    [4, 'D'],
    [5, 'E'],
    [6, 'F'],
    [7, 'H'],
    [8, 'I'],
    [15, 'G'],
  ])('V %i has the letter %s', (vat, letter) => {
    expect(vatLetter(vat)).toBe(letter)
  })
})
