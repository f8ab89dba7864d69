// The VAT table: net from the gross sum of a rate, halves away from zero.
import { describe, expect, it } from 'vitest'
import { Decimal } from '../../src/lib/decimal.js'
import { JsonObject, parseJson } from '../../src/lib/json.js'
import { netOf, vatRowsOf } from '../../src/render/vat.js'

function objects(text: string): JsonObject[] {
  const value = parseJson(text)
  if (!Array.isArray(value)) throw new Error('expected a list')
  return value.filter((one) => one instanceof JsonObject)
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
    const items = objects(
      '[{"Amount":7,"VATRate":10},{"Amount":8.2,"VATRate":10.00},{"Amount":3.8,"VATRate":"20"}]',
    )
    expect(vatRowsOf(items, 'de')).toEqual([
      { rate: '20 %', net: '3,17', tax: '0,63', gross: '3,80' },
      { rate: '10 %', net: '13,82', tax: '1,38', gross: '15,20' },
    ])
  })

  it('given tax amounts are summed when every item of the rate has one', () => {
    const both = '[{"Amount":1.20,"VATRate":10,"VATAmount":0.1},{"Amount":1,"VATRate":10'
    expect(vatRowsOf(objects(`${both},"VATAmount":0.09}]`), 'en')[0]?.tax).toBe('0.19')
    expect(vatRowsOf(objects(`${both}}]`), 'en')[0]?.tax).toBe('0.20')
  })

  it('integers with a multiplier are decimals', () => {
    const item = '[{"Amount":380,"VATRate":2000,"DecimalPrecisionMultiplier":100}]'
    expect(vatRowsOf(objects(item), 'en')).toEqual([
      { rate: '20 %', net: '3.17', tax: '0.63', gross: '3.80' },
    ])
  })
})
