// What a shown receipt says of the sale: items, tax and payments, by the words of both versions.
import { describe, expect, it } from 'vitest'
import { austrian, german, shown } from '../support/shown.js'

const charges = (...items: string[]): string => `"cbChargeItems":[${items.join(',')}]`
const pays = (...items: string[]): string => `"cbPayItems":[${items.join(',')}]`
const item = (members: string, low = 0x13n): string =>
  `{${members},"ftChargeItemCase":${austrian(low)}}`
const pay = (members: string, low = 0x01n): string =>
  `{${members},"ftPayItemCase":${austrian(low)}}`

describe('items', () => {
  it('the letter is that of the case, else of the rate; the rate is the one that was sent', () => {
    const { items, vat } = shown({
      request: `{${charges(
        item('"Description":"a","Amount":15.20,"VATRate":10', 0x11n),
        item('"Description":"b","Amount":3.80,"VATRate":20'),
        item('"Description":"c","Amount":1,"VATRate":7', 0x10n),
      )}}`,
    })
    expect(items.map(({ letter }) => letter)).toEqual(['B', 'A', 'D'])
    // check values: 15.20 at 10 % is 13.82 and 1.38, 3.80 at 20 % is 3.17 and 0.63
    expect(vat.slice(0, 2)).toEqual([
      { letter: 'A', rate: '20\u00a0%', net: '3,17', tax: '0,63', gross: '3,80' },
      { letter: 'B', rate: '10\u00a0%', net: '13,82', tax: '1,38', gross: '15,20' },
    ])
  })

  it('an item without any case has the letter of its rate in that country', () => {
    const request = `{${charges('{"Amount":1,"VATRate":20}', '{"Amount":1,"VATRate":10}')}}`
    expect(shown({ request }).items.map(({ letter }) => letter)).toEqual(['A', 'B'])
    const german7 = `{${charges('{"Amount":1,"VATRate":19}', '{"Amount":1,"VATRate":7}')}}`
    const { items } = shown({ request: german7, country: 'DE' })
    expect(items.map(({ letter }) => letter)).toEqual(['A', 'B'])
  })

  it('equal lines become one at the first place, with the sum of both', () => {
    const coffee = item('"Description":"Melange","Amount":3.80,"VATRate":20')
    const cake = item('"Description":"Torte","Amount":4.20,"VATRate":10', 0x11n)
    const { items, total } = shown({ request: `{${charges(coffee, cake, coffee)}}` })
    expect(items.map(({ description, detail, amount }) => [description, detail, amount])).toEqual([
      ['Melange', '2\u00a0\u00d7\u00a03,80\u00a0€', '7,60'],
      ['Torte', '', '4,20'],
    ])
    expect(total).toBe('11,80\u00a0€')
  })

  it.each([
    ['another price', ['"Amount":3.80', '"Amount":3.90']],
    ['another rate', ['"Amount":1,"VATRate":20', '"Amount":1,"VATRate":10']],
    ['another unit', ['"Amount":1,"Unit":"kg"', '"Amount":1']],
    ['another flag', ['"Amount":1,"ftChargeItemCase":1', '"Amount":1,"ftChargeItemCase":2']],
    [
      'lines of its own',
      [
        '"Amount":1,"ftChargeItemCaseData":{"cbChargeItemLines":["x"]}',
        '"Amount":1,"ftChargeItemCaseData":{"cbChargeItemLines":["x"]}',
      ],
    ],
  ])('lines with %s stay apart', (_what, members) => {
    const list = members.map((text) => `{"Description":"a",${text}}`)
    expect(shown({ request: `{${charges(...list)}}` }).items).toHaveLength(2)
  })

  it('a line with a discount below it is merged with no other', () => {
    const coffee = item('"Description":"Melange","Amount":3.80,"VATRate":20')
    const discount = item('"Description":"Rabatt","Amount":-1,"VATRate":20', 0x4_0013n)
    const { items } = shown({ request: `{${charges(coffee, discount, coffee)}}` })
    expect(items.map(({ description, belongs }) => [description, belongs])).toEqual([
      ['Melange', false],
      ['Rabatt', true],
      ['Melange', false],
    ])
  })

  it('thousands of lines with one name and many prices all stay', () => {
    const list = Array.from({ length: 10_000 }, (_, at) => `{"Description":"a","Amount":${at}.01}`)
    expect(shown({ request: `{${charges(...list)}}` }).items).toHaveLength(10_000)
  })

  it('groups by position: headline first, sub lines indented, zero shows neither', () => {
    const { items } = shown({
      request: `{"ftReceiptCase":${austrian(0x800_0001n)},${charges(
        item('"Position":2.1,"Description":"Reis","Quantity":0,"Amount":0'),
        item('"Position":1.0,"Description":"Suppe","Amount":5'),
        item('"Position":2.0,"Description":"Menü","Quantity":2,"Amount":24'),
        item('"Position":2.2,"Description":"Huhn","Amount":3'),
      )}}`,
    })
    const told = items.map(({ description, belongs, detail, amount, letter }) => [
      ...[description, belongs, detail, amount, letter],
    ])
    expect(told).toEqual([
      ['Suppe', false, '', '5,00', 'A'],
      ['Menü', false, '2\u00a0\u00d7\u00a012,00\u00a0€', '24,00', 'A'],
      ['Reis', true, '', '', ''],
      ['Huhn', true, '', '3,00', 'A'],
    ])
  })

  it('what is shown among the payments has its sign turned and is not in the total', () => {
    const { items, payments, total } = shown({
      request: `{${charges(
        item('"Description":"Essen","Amount":30,"VATRate":10', 0x11n),
        item('"Description":"Anzahlung","Amount":-10,"VATRate":10', 0x8000_0011n),
      )},${pays(pay('"Description":"Bar","Amount":20'))}}`,
    })
    expect(items).toHaveLength(1)
    expect(total).toBe('30,00\u00a0€')
    expect(payments.map(({ description, amount }) => [description, amount])).toEqual([
      ['Bar', '20,00'],
      ['Anzahlung', '10,00'],
    ])
  })

  it('a voucher that is sold stands among the items and is in the total', () => {
    const { items, payments, total, vat } = shown({
      request: `{${charges(item('"Description":"Buch","Amount":10,"VATRate":10', 0x11n))},${pays(
        pay('"Description":"Gutschein","Amount":-25', 0x8000_0006n),
        pay('"Description":"Karte","Amount":35', 0x04n),
      )}}`,
    })
    expect(items.map(({ description, amount, letter }) => [description, amount, letter])).toEqual([
      ['Buch', '10,00', 'B'],
      ['Gutschein', '25,00', ''],
    ])
    expect(payments.map(({ description }) => description)).toEqual(['Karte'])
    expect(total).toBe('35,00\u00a0€')
    expect(vat.map(({ gross }) => gross)).toEqual(['10,00'])
  })

  it('cancelled and returned lines say so', () => {
    const { items } = shown({
      request: `{${charges(
        item('"Description":"a","Amount":-1', 0x1_0013n),
        item('"Description":"b","Amount":-1', 0x2_0013n),
      )}}`,
    })
    expect(items.map(({ notes }) => notes)).toEqual([['Storno'], ['Rückgabe']])
  })
})

describe('tax', () => {
  it('a margin scheme shows no tax of its items, and says so', () => {
    const { items, vat, taxNotes } = shown({
      request: `{${charges(
        item('"Description":"Uhr","Amount":100,"VATRate":20', 0x4013n),
        item('"Description":"Band","Amount":1.20,"VATRate":20'),
      )}}`,
    })
    expect(items.map(({ letter, rate }) => [letter, rate])).toEqual([
      ['', ''],
      ['A', '20\u00a0%'],
    ])
    expect(vat.map(({ gross }) => gross)).toEqual(['1,20'])
    expect(taxNotes.join()).toContain('Differenzbesteuerung')
  })

  it('a small business names its law instead of a table', () => {
    const list = charges('{"Amount":1,"VATRate":20}')
    const of = (country: string, receiptCase: string) =>
      shown({ request: `{"ftReceiptCase":${receiptCase},${list}}`, country })
    const at = of('AT', austrian(0x10_0001n))
    expect(at.vat).toEqual([])
    expect(at.items[0]?.letter).toBe('')
    expect(at.taxNotes.join()).toContain('§ 6 Abs. 1 Z 27 UStG')
    expect(of('DE', german(0x10_0001n)).taxNotes.join()).toContain('§ 19 UStG')
    // the same bit on a zero receipt is a wish for information about the device
    expect(of('DE', german(0x10_2000n)).taxNotes).toEqual([])
  })
})

describe('payments', () => {
  it.each([
    ['change', '"Description":"Bar","Amount":-1.20', 0x20_0001n, ['Bar', '\u22121,20', 'Rückgeld']],
    ['change without a name', '"Amount":-1.20', 0x20_0001n, ['Rückgeld', '\u22121,20', '']],
    [
      'a tip',
      '"Description":"Karte","Amount":-2',
      0x40_0004n,
      ['Karte', '\u22122,00', 'Trinkgeld'],
    ],
    [
      'foreign money',
      '"Description":"Bar CHF","Amount":10,' +
        '"ftPayItemCaseData":{"foreignCurrencySymbol":"CHF","foreignCurrencyAmount":10.50}',
      0x10_0001n,
      ['Bar CHF', '10,00', '10,50\u00a0CHF'],
    ],
    [
      'foreign money as version 0 names it',
      '"Description":"Bar CHF","Amount":10,' +
        '"ftPayItemCaseData":"{\\"CurrencyCode\\":\\"CHF\\",\\"ForeignCurrencyAmount\\":10.50}"',
      0x10_0001n,
      ['Bar CHF', '10,00', '10,50\u00a0CHF'],
    ],
    ['a card without a name', '"Amount":5', 0x05n, ['Kreditkarte', '5,00', '']],
    ['a voucher', '"Amount":5', 0x06n, ['Gutschein', '5,00', '']],
  ])('%s', (_what, members, low, expected) => {
    const { payments } = shown({ request: `{${pays(pay(members, low))}}` })
    const [one] = payments
    expect([one?.description, one?.amount, one?.note]).toEqual(expected)
  })

  it('Receipt wins over cbPayItemLines, empty lines stay, line ends split', () => {
    const data = '{"cbPayItemLines":["other"],"Receipt":["one\\ntwo","","three"]}'
    const quoted = JSON.stringify(data)
    const { payments } = shown({ request: `{${pays(`{"ftPayItemCaseData":${quoted}}`)}}` })
    expect(payments[0]?.lines).toEqual(['one', 'two', '', 'three'])
  })
})

describe('words of version 0', () => {
  // ftState of version 0 says that the answer belongs to group B
  const v0 = (country: 'AT' | 'DE', request: string, language: 'de' | 'en' = 'de') => {
    const state = country === 'AT' ? 0x4154_0000_0000_0000n : 0x4445_0000_0000_0000n
    return shown({ request, response: `{"ftState":${state}}`, country }, language)
  }
  const low = (country: bigint, value: bigint): string => String((country << 48n) | value)
  const [AT, DE] = [0x4154n, 0x4445n]

  it.each([
    [AT, 0x02n, 'Nullbeleg'],
    [AT, 0x03n, 'Startbeleg'],
    [AT, 0x05n, 'Monatsabschluss'],
    [AT, 0x08n, 'Rechnung'],
    [DE, 0x07n, 'Tagesabschluss'],
    [DE, 0x10n, 'Bestellung'],
    [DE, 0x0cn, 'Rechnung'],
    [DE, 0x1_0000_0001n, 'Beleg'],
  ])('of country %d: receipt case %d is a %s', (country, value, title) => {
    const code = country === AT ? 'AT' : 'DE'
    expect(v0(code, `{"ftReceiptCase":${low(country, value)}}`).title).toBe(title)
  })

  it.each([
    [AT, 0x03n, 'A'],
    [AT, 0x08n, 'B'],
    [AT, 0x0fn, 'A'],
    [AT, 0x0cn, 'H'],
    [AT, 0x21n, 'I'],
    [DE, 0x01n, 'A'],
    [DE, 0x12n, 'B'],
    [DE, 0x1en, 'H'],
    [DE, 0x15n, 'I'],
    [DE, 0x60n, 'I'],
    [DE, 0x59n, 'I'],
    [DE, 0xa2n, 'I'],
  ])('of country %d: charge item case %d has a letter', (country, value, letter) => {
    const code = country === AT ? 'AT' : 'DE'
    const request = `{${charges(`{"Amount":1,"ftChargeItemCase":${low(country, value)}}`)}}`
    expect(v0(code, request).items[0]?.letter).toBe(letter)
  })

  it('a German discount belongs to the line above, change is change', () => {
    const request = `{${charges(
      `{"Description":"a","Amount":2,"VATRate":7,"ftChargeItemCase":${low(DE, 0x12n)}}`,
      `{"Amount":-0.5,"VATRate":7,"ftChargeItemCase":${low(DE, 0x32n)}}`,
    )},${pays(`{"Amount":-1,"ftPayItemCase":${low(DE, 0x0bn)}}`)}}`
    const { items, payments } = v0('DE', request)
    expect(items[1]).toMatchObject({ description: 'Rabatt', belongs: true })
    expect(payments[0]?.description).toBe('Rückgeld')
    const austria = `{${pays(`{"Amount":-1,"ftPayItemCase":${low(AT, 0x12n)}}`)}}`
    expect(v0('AT', austria).payments[0]?.description).toBe('Rückgeld')
  })

  it('an answer of version 2 means words of version 2, also without a version nibble', () => {
    // 0x4154_0000_0000_2000, as the published client builds it: a zero receipt
    const request = `{"ftReceiptCase":${low(AT, 0x2000n)}}`
    expect(shown({ request, response: `{"ftState":${austrian(0n)}}` }).title).toBe('Nullbeleg')
    // a German word of version 0 with the implicit flag stays one
    const implicit = `{"ftReceiptCase":${low(DE, 0x1_0000_0007n)}}`
    const response = `{"ftState":${german(0n)}}`
    expect(shown({ request: implicit, response, country: 'DE' }).title).toBe('Tagesabschluss')
  })

  it('the optional flag of version 0 is no place on the page', () => {
    const sign = (type: bigint) =>
      `{"ftSignatures":[{"ftSignatureFormat":65537,"ftSignatureType":${type},"Data":"x"}]}`
    const place = (type: bigint) => shown({ response: sign(type) }).signatures[0]?.place
    expect(place(0x4445_0000_0000_0017n)).toBe('usual')
    expect(place(0x4445_2000_0000_0017n)).toBe('after-header')
    expect(place(0n)).toBe('after-header')
  })
})
