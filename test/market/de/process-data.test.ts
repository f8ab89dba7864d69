// processData of receipts and orders: the published examples, every sign rule, rounding.

import { describe, expect, it } from 'vitest'
import { withWords } from '../../../src/case/reader.js'
import { Decimal } from '../../../src/lib/decimal.js'
import { readReceipt } from '../../../src/market/de/reading.js'
import type { ChargeItem, PayItem, ReceiptRequest } from '../../../src/model/receipt.js'
import { charge, de, implicit, pay, receipt } from '../../support/de/make.js'

function dataOf(request: ReceiptRequest): string {
  const reading = readReceipt(withWords(request))
  return reading.kind === 'reading' ? reading.processData : `refused: ${reading.faults[0]?.member}`
}

function sold(chargeItems: ChargeItem[], payItems: PayItem[], receiptCase = implicit(0x1)): string {
  return dataOf(receipt(receiptCase, { chargeItems, payItems }))
}

const foreign = (amount: string, currency: string, word = de(0x2)) =>
  pay(word, '4.50', {
    payItemCaseData: `{"CurrencyCode":"${currency}","ForeignCurrencyAmount":${amount}}`,
  })

const published: [string, string, string][] = [
  [
    '11.90 at 19 % and 5.35 at 7 %, 10 cash, 7.25 card',
    sold(
      [charge(de(0x11), '11.90'), charge(de(0x12), '5.35')],
      [pay(de(0x1), '10'), pay(de(0x4), '7.25')],
    ),
    'Beleg^11.90_5.35_0.00_0.00_0.00^10.00:Bar_7.25:Unbar',
  ],
  [
    'the official example with mixed currencies',
    sold(
      [charge(de(0x1), '75.33'), charge(de(0x2), '7.99')],
      [
        pay(de(0x5), '64.30'),
        foreign('5.00', 'USD'),
        foreign('5.00', 'CHF'),
        pay(de(0x1), '10.00'),
      ],
    ),
    'Beleg^75.33_7.99_0.00_0.00_0.00^10.00:Bar_5.00:Bar:CHF_5.00:Bar:USD_64.30:Unbar',
  ],
  [
    'sale of a multi-purpose voucher',
    sold([], [pay(de(0xd), '-50'), pay(de(0x1), '50')]),
    'Beleg^0.00_0.00_0.00_0.00_50.00^50.00:Bar',
  ],
  [
    'goods paid with it',
    sold([charge(de(0x11), '30')], [pay(de(0xd), '30')]),
    'Beleg^30.00_0.00_0.00_0.00_-30.00^',
  ],
  [
    'a tip for the employee',
    sold([charge(de(0x11), '10')], [pay(de(0x10), '-2'), pay(de(0x5), '12')]),
    'Beleg^10.00_0.00_0.00_0.00_2.00^12.00:Unbar',
  ],
  [
    'the owner takes money',
    sold([], [pay(de(0x13), '5'), pay(de(0x1), '-5')]),
    'Beleg^0.00_0.00_0.00_0.00_-5.00^-5.00:Bar',
  ],
  [
    'money to the bank',
    sold([], [pay(de(0x14), '4200'), pay(de(0x1), '-4200')]),
    'Beleg^0.00_0.00_0.00_0.00_-4200.00^-4200.00:Bar',
  ],
  [
    'opening balance',
    sold([], [pay(de(0x12), '-250'), pay(de(0x1), '250')]),
    'Beleg^0.00_0.00_0.00_0.00_250.00^250.00:Bar',
  ],
  [
    'training',
    sold([charge(de(0x11), '1')], [pay(de(0x1), '1')], implicit(0x2_0001)),
    'AVTraining^1.00_0.00_0.00_0.00_0.00^1.00:Bar',
  ],
]

describe('processData of a Kassenbeleg-V1', () => {
  it.each(published)('%s', (_name, data, expected) => {
    expect(data).toBe(expected)
  })

  const minus = { quantity: Decimal.of('-1') }
  it.each([
    ['+/+', charge(de(0x11), '5'), '5.00'],
    ['-/+', charge(de(0x11), '5', minus), '-5.00'],
    ['+/-', charge(de(0x11), '-5'), '-5.00'],
    ['-/-', charge(de(0x11), '-5', minus), '-5.00'],
    ['-/+ of a cancelled position', charge(de(0x20_0011), '5', minus), '5.00'],
    ['-/- of a cancelled position', charge(de(0x20_0011), '-5', minus), '-5.00'],
  ])('an item with quantity and amount %s counts with its sign', (_signs, item, expected) => {
    expect(sold([item], [])).toBe(`Beleg^${expected}_0.00_0.00_0.00_0.00^`)
  })

  it.each([
    ['-/+', pay(de(0x1), '5', minus), '-5.00:Bar'],
    ['+/-', pay(de(0x1), '-5'), '-5.00:Bar'],
    ['-/+ with the cancellation flag', pay(de(0x20_0001), '5', minus), '5.00:Bar'],
  ])('a payment %s counts with its sign', (_signs, item, expected) => {
    expect(sold([], [item])).toBe(`Beleg^0.00_0.00_0.00_0.00_0.00^${expected}`)
  })

  it('leaves the amounts alone on a void receipt: the signs come from the items', () => {
    const data = sold([charge(de(0x11), '-9')], [pay(de(0x1), '-9')], implicit(0x4_0001))
    expect(data).toBe('Beleg^-9.00_0.00_0.00_0.00_0.00^-9.00:Bar')
  })

  it('takes own use with minus its amount, and unchanged on a void receipt', () => {
    const items = (sign: string) => [pay(de(0xa), `${sign}4`, minus)]
    expect(sold([], items(''))).toBe('Beleg^0.00_0.00_0.00_0.00_-4.00^')
    expect(sold([], items(''), implicit(0x4_0001))).toBe('Beleg^0.00_0.00_0.00_0.00_4.00^')
  })

  it('rounds each sum once, halves away from zero', () => {
    const third = () => charge(de(0x11), '0.335')
    expect(sold([third(), third(), third()], [])).toBe('Beleg^1.01_0.00_0.00_0.00_0.00^')
    const money = [pay(de(0x1), '17855.565'), pay(de(0x1), '0.003')]
    expect(sold([], money)).toBe('Beleg^0.00_0.00_0.00_0.00_0.00^17855.57:Bar')
    expect(sold([charge(de(0x12), '-0.005')], [])).toBe('Beleg^0.00_-0.01_0.00_0.00_0.00^')
    expect(sold([charge(de(0x12), '-0.004')], [])).toBe('Beleg^0.00_0.00_0.00_0.00_0.00^')
  })

  it('leaves out payments that cancel out', () => {
    const pays = [pay(de(0x1), '5'), pay(de(0xb), '-5'), pay(de(0x6), '3')]
    expect(sold([], pays)).toBe('Beleg^0.00_0.00_0.00_0.00_0.00^3.00:Unbar')
  })

  it('adds no cent to very large or very small amounts', () => {
    const data = sold([charge(de(0x13), '9999999999999.98'), charge(de(0x13), '0.01')], [])
    expect(data).toBe('Beleg^0.00_0.00_9999999999999.99_0.00_0.00^')
  })

  it('writes card payments in foreign money when their data say so, never in EUR', () => {
    const card = (currency: string) => foreign('5.25', currency, de(0x5))
    expect(sold([], [card('CHF')])).toContain('^5.25:Unbar:CHF')
    expect(sold([], [card('eur')])).toContain('^4.50:Unbar')
    expect(sold([], [pay(de(0x5), '4.50', { payItemCaseData: 'no json' })])).toContain(
      '^4.50:Unbar',
    )
  })

  it('turns the sign of foreign money with a negative quantity', () => {
    expect(sold([], [{ ...foreign('5.25', 'CHF'), ...minus }])).toContain('^-5.25:Bar:CHF')
    const change = { ...foreign('-2', 'CHF', de(0xc)) }
    expect(sold([], [foreign('5', 'CHF'), change])).toContain('^3.00:Bar:CHF')
  })

  it('takes foreign money that leaves the drawer as negative, with either sign', () => {
    const payItemCaseData = '{"CurrencyCode":"CHF","ForeignCurrencyAmount":5.00}'
    expect(sold([], [pay(de(0xc), '-4.50', { payItemCaseData })])).toContain('^-5.00:Bar:CHF')
    const both = { ...foreign('-5.00', 'CHF'), ...minus }
    expect(sold([], [both])).toContain('^-5.00:Bar:CHF')
  })

  it.each([
    ['no case data', null],
    ['no amount', '{"CurrencyCode":"CHF"}'],
    ['no currency', '{"ForeignCurrencyAmount":5}'],
    ['a currency that would break the field', '{"CurrencyCode":"C_F","ForeignCurrencyAmount":5}'],
    ['no JSON', 'CHF 5'],
  ])('refuses cash in foreign currency with %s', (_name, payItemCaseData) => {
    const item = pay(de(0x2), '4.50', { payItemCaseData })
    expect(sold([], [pay(de(0x1), '1'), item])).toBe('refused: cbPayItems[1].ftPayItemCaseData')
  })

  it('says the members of both versions when they are missing', () => {
    const reading = readReceipt(
      withWords(receipt(implicit(0x1), { payItems: [pay(de(0x2), '4.50')] })),
    )
    const message = reading.kind === 'refusal' ? reading.faults[0]?.message : ''
    for (const name of ['foreignCurrencySymbol', 'CurrencyCode', 'foreignCurrencyAmount']) {
      expect(message).toContain(name)
    }
  })

  it('reads the member names of version 2 as well', () => {
    const item = pay(de(0x2), '10', {
      payItemCaseData: '{"foreignCurrencySymbol":"CHF","foreignCurrencyAmount":10.50}',
    })
    expect(sold([], [item])).toContain('^10.50:Bar:CHF')
  })
})

describe('processData of a Bestellung-V1', () => {
  const ordered = (...chargeItems: ChargeItem[]) => dataOf(receipt(implicit(0x10), { chargeItems }))
  const line = (quantity: string, description: string, amount: string) =>
    charge(de(0x11), amount, { quantity: Decimal.of(quantity), description })

  it('is the published example, byte for byte', () => {
    const data = ordered(line('2', 'Eisbecher "Himbeere"', '7.98'), line('1', 'Eiskaffee', '2.99'))
    expect(Buffer.from(data, 'utf8').toString('hex')).toBe(
      Buffer.from('2;"Eisbecher ""Himbeere""";3.99\r1;"Eiskaffee";2.99').toString('hex'),
    )
  })

  it.each([
    ['1.5000', '3.00', '1.5;"x";2.00'],
    ['0.12345678905', '1', '0.1234567891;"x";8.10'],
    ['3', '10', '3;"x";3.33'],
    ['3', '20', '3;"x";6.67'],
    ['2', '0.25', '2;"x";0.13'],
    ['2', '-7.98', '-2;"x";3.99'],
    ['-2', '-7.98', '-2;"x";3.99'],
    ['-2', '7.98', '-2;"x";3.99'],
    ['0', '0', '0;"x";0.00'],
    ['5', '0', '5;"x";0.00'],
    ['10', '100', '10;"x";10.00'],
  ])('quantity %s for %s is %s', (quantity, amount, expected) => {
    expect(ordered(line(quantity, 'x', amount))).toBe(expected)
  })

  it('refuses a price of more than 13 digits before the point, which no amount may have', () => {
    expect(ordered(line('1', 'x', '1'), line('0.0000001', 'x', '9999999.99'))).toBe(
      'refused: cbChargeItems[1].Quantity',
    )
    expect(ordered(line('0.0000001', 'x', '999999.99'))).toBe('0.0000001;"x";9999999900000.00')
  })

  it('refuses an amount without quantity and names the line', () => {
    expect(ordered(line('1', 'x', '1'), line('0', 'y', '1'))).toBe(
      'refused: cbChargeItems[1].Quantity',
    )
  })

  it('is a Kassenbeleg-V1 as soon as something is paid', () => {
    const request = receipt(implicit(0x10), {
      chargeItems: [charge(de(0x11), '2')],
      payItems: [pay(de(0x1), '2')],
    })
    expect(dataOf(request)).toBe('AVBestellung^2.00_0.00_0.00_0.00_0.00^2.00:Bar')
  })
})
