// What the customer of a shop reads: codes that are what was signed, no lines for programmers, no
// empty names, numbers in one piece, and the form for hospitality on sales alone.
import { describe, expect, it } from 'vitest'
import type { RenderedFormat } from '../../src/core/receipts/render.js'
import { NO_BRANDING } from '../../src/model/branding.js'
import { htmlReceipt } from '../../src/render/html.js'
import { textReceipt } from '../../src/render/text.js'
import { viewOf } from '../../src/render/view.js'
import { wordsOf } from '../../src/render/words.js'
import { RECEIPT_LANGUAGES } from '../../src/words/words.js'
import { drawn, issued } from '../support/drawn.js'
import { codeBytesIn, pixelsOf, readPdf, svgPixels } from '../support/pictures.js'
import { austrian, german, publishedPair } from '../support/shown.js'

/** What a German order signs: positions end with a carriage return; and other odd signs. */
const ORDER =
  'V0;kasse-7;Bestellung-V1;1;"Bier, ""hell""";3.50\r2;"Wasser";2.00\r' +
  ';17;34;2026-07-01T10:14:58.000Z\t\u200e ü\n;unixTime;c2ln'

const orderReceipt = issued({
  market: 'DE',
  accountCountry: 'DE',
  request: JSON.stringify({ ftReceiptCase: '0x4445_2000_0000_3004' }),
  response: JSON.stringify({
    ftReceiptIdentification: 'ft3#U17',
    ftReceiptMoment: '2026-07-01T10:15:00Z',
    ftSignatures: [{ ftSignatureFormat: 3, ftSignatureType: '0x4445_2000_0000_0001', Data: ORDER }],
  }),
})

describe('the code of signed data with carriage returns is, byte for byte, what was signed', () => {
  const expected = Buffer.from(ORDER)
  const of = (format: RenderedFormat) => drawn(orderReceipt, format, { language: 'de' })

  it('on the page', async () => {
    const svg = /<svg class="qr".*?<\/svg>/.exec((await of('html')).toString())?.[0] ?? ''
    expect(codeBytesIn(await svgPixels(svg))).toEqual(expected)
  })

  it.each(['png', 'jpg'] as const)('as %s', async (format) => {
    expect(codeBytesIn(await pixelsOf(await of(format)))).toEqual(expected)
  })

  it('in a PDF', async () => {
    const { pages } = await readPdf(await of('pdf'))
    expect(pages.map(({ picture }) => codeBytesIn(picture))).toEqual([expected])
  })

  it.each([
    ['epson', Buffer.from('1P0')],
    ['star', Buffer.from([0x1b, 0x1d, 0x79, 0x44, 0x31, 0])],
  ])('sent to a printer of %s', async (brand, before) => {
    const bytes = await drawn(orderReceipt, 'escpos', { brand: brand as 'epson' | 'star' })
    const start = bytes.indexOf(before)
    expect(start).toBeGreaterThan(0)
    const data = bytes.subarray(start + before.length + (brand === 'star' ? 2 : 0))
    expect(data.subarray(0, expected.length)).toEqual(expected)
  })

  it('and where no code can be drawn its text stands in plain signs', async () => {
    const text = (await of('txt')).toString()
    expect(text).toContain('Bestellung-V1')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what it looks for
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/)
  })
})

interface Shop {
  receiptCase?: string
  items?: object[]
  pays?: object[]
  more?: object
  signatures?: object[]
}

const ITEM = { Quantity: 1, Description: 'Menü', Amount: 12.5, VATRate: 10 }
const CASH = { Description: 'Bar', Amount: 12.5, ftPayItemCase: austrian(1n) }

/** A receipt of a shop that wants the form for hospitality. */
function viewed(shop: Shop = {}, country: 'AT' | 'DE' = 'AT') {
  const { receiptCase = austrian(1n), items = [ITEM], pays = [CASH] } = shop
  const { more = {}, signatures = [] } = shop
  const request = JSON.stringify({
    ...{ ftReceiptCase: receiptCase, cbChargeItems: items, cbPayItems: pays },
    ...more,
  })
  const response = JSON.stringify({
    ftReceiptIdentification: 'ft1#1',
    ftState: country === 'AT' ? austrian(0n) : german(0n),
    ftReceiptMoment: '2026-07-01T10:15:00Z',
    ftSignatures: signatures,
  })
  const branding = { ...NO_BRANDING, hospitality: true }
  return viewOf({ ...publishedPair({ request, response, country }), branding }, 'de')
}

const FORM = 'Bewirtete Personen'
const at = (code: bigint): string => austrian(code)
const de = (code: bigint): string => german(code)

describe('the form for the expenses of hospitality', () => {
  it.each([
    ['a sale', at(1n)],
    ['an invoice', at(0x1001n)],
    ['a sale that was entered late', at(0x1_0001n)],
  ])('stands on %s, folded on the page, open on paper', (_name, receiptCase) => {
    const view = viewed({ receiptCase })
    expect(htmlReceipt(view)).toMatch(/<details id="hospitality"><summary>[^<]+<\/summary>.*Bewirt/)
    expect(textReceipt(view, 48)).toContain(FORM)
  })

  it.each([
    ['a return', at(0x100_0001n)],
    ['a void receipt', at(0x4_0001n)],
    ['a training receipt', at(0x2_0001n)],
    ['a pay-in', at(2n)],
    ['a delivery note', at(5n)],
    ['an interim bill', at(6n)],
    ['a pro forma', at(7n)],
    ['a zero receipt', at(0x2000n)],
    ['a daily closing', at(0x2011n)],
    ['a monthly closing', at(0x2012n)],
    ['a yearly closing', at(0x2013n)],
    ['a protocol', at(0x3000n)],
    ['internal use', at(0x3003n)],
    ['an order', at(0x3004n)],
    ['a copy of a receipt', at(0x3010n)],
    ['a start receipt', at(0x4001n)],
    ['a stop receipt', at(0x4002n)],
  ])('is not on %s', (_name, receiptCase) => {
    const view = viewed({ receiptCase })
    expect(htmlReceipt(view)).not.toContain('hospitality"')
    expect(textReceipt(view, 48)).not.toContain(FORM)
  })

  it('is not on a sale whose money goes back, nor on one of nothing', () => {
    const back = { items: [{ ...ITEM, Amount: -12.5 }], pays: [{ ...CASH, Amount: -12.5 }] }
    expect(textReceipt(viewed(back), 48)).not.toContain(FORM)
    expect(textReceipt(viewed({ items: [], pays: [] }), 48)).not.toContain(FORM)
  })

  it('is not on a German order, and stands on a German sale', () => {
    expect(textReceipt(viewed({ receiptCase: de(0x3004n) }, 'DE'), 48)).not.toContain(FORM)
    expect(textReceipt(viewed({ receiptCase: de(1n) }, 'DE'), 48)).toContain(FORM)
  })
})

const QUEUE = 'c719b59a-9ff0-491a-98a1-030776d8c46f'
const text = (type: string, Caption: string, Data: string) => ({
  ...{ ftSignatureFormat: 1, ftSignatureType: type, Caption, Data },
})
const DEBUG = [
  text(austrian(0n), 'Decision 2', 'Sign: True Counter:True'),
  text('4707387510509010944', 'Counter Add', '1250'),
  text(austrian(0x10_1000n), '[Information] MISSING', 'names no earlier receipt'),
]
const LAW = text(austrian(0n), 'Trainingsbuchung', 'Trainingsbuchung')
const MARK = text('0', 'S A N D B O X', QUEUE)

describe('lines for programmers', () => {
  const view = viewed({ signatures: [LAW, ...DEBUG, MARK] })
  const SAID = ['Decision 2', 'Counter:True', 'Counter Add', '[Information]', QUEUE]

  it('of the sandbox are folded on the page; what the law wants is not', () => {
    const page = htmlReceipt(view)
    const [folded = ''] = /<details id="sandbox">.*?<\/details>/s.exec(page) ?? []
    const open = page.replace(folded, '')
    for (const said of SAID) {
      expect(folded).toContain(said)
      expect(open).not.toContain(said)
    }
    expect(folded).toContain('<summary>S A N D B O X')
    expect(open).toContain('Trainingsbuchung')
  })

  it('are on no paper: the mark of the sandbox is all that is left of them', () => {
    const paper = textReceipt(view, 48)
    for (const said of SAID) expect(paper).not.toContain(said)
    expect(paper).toContain('S A N D B O X')
    expect(paper).toContain('Trainingsbuchung')
  })

  it('of another kind, and the same words outside of the sandbox, stay where they are', () => {
    const other = text(austrian(2n), 'Startbeleg', 'Sammelbeleg 17')
    const page = htmlReceipt(viewed({ signatures: [other, ...DEBUG.slice(0, 1)] }))
    expect(page).not.toContain('id="sandbox"')
    expect(page).toContain('Sammelbeleg 17')
  })
})

it('fields of a device are folded on the page and rows on paper, without their brackets', () => {
  const view = viewed({ signatures: [text(austrian(2n), '<rt-doc-number>', '0015')] })
  const page = htmlReceipt(view)
  const [folded = ''] = /<details><summary>[^<]*<\/summary><dl.*?<\/details>/s.exec(page) ?? []
  expect(folded).toContain('<dt>rt-doc-number</dt>')
  expect(page.replace(folded, '')).not.toContain('rt-doc-number')
  expect(textReceipt(view, 48)).toMatch(/^rt-doc-number: +0015$/m)
})

describe('names and terminals', () => {
  it.each(['', ' ', '\t', '\u0007', undefined])(
    'an item whose description is %j has a name in every language, and is not merged',
    (Description) => {
      const items = [1, 2].map(() => ({ Quantity: 1, Amount: 2, VATRate: 20, Description }))
      for (const language of RECEIPT_LANGUAGES) {
        const pair = publishedPair({ request: JSON.stringify({ cbChargeItems: items }) })
        const view = viewOf(pair, language)
        expect(view.items.map(({ description }) => description)).toEqual([
          wordsOf(language).noName,
          wordsOf(language).noName,
        ])
      }
    },
  )

  it('a payment without description has the name of its kind', () => {
    const pays = [{ Description: ' ', Amount: 12.5, ftPayItemCase: austrian(1n) }]
    expect(viewed({ pays }).payments.map(({ description }) => description)).toEqual(['Bar'])
  })

  it.each(['undefined', 'null', ' ', ''])('a terminal called %j is no fact', (cbTerminalID) => {
    const view = viewed({ more: { cbTerminalID } })
    expect(view.facts.map(({ label }) => label)).not.toContain('Terminal')
    expect(htmlReceipt(view)).not.toContain('undefined')
  })
})

describe('data for programs', () => {
  const dataOf = (shop: Shop) => {
    const page = htmlReceipt(viewed(shop))
    return JSON.parse(/ld\+json">(.*?)<\/script>/.exec(page)?.[1] ?? '')
  }
  const money = (value: string) => ({ '@type': 'MonetaryAmount', currency: 'EUR', value })
  const price = (value: string) => ({
    acceptedOffer: { '@type': 'Offer', price: value, priceCurrency: 'EUR' },
  })

  it('a receipt that is paid says so, with its price and nothing that is due', () => {
    expect(dataOf({})).toMatchObject({
      '@type': 'Invoice',
      paymentStatus: 'https://schema.org/PaymentComplete',
      totalPaymentDue: money('0.00'),
      referencesOrder: price('12.50'),
    })
  })

  it('what goes on account is due', () => {
    const pays = [
      { Amount: 10, ftPayItemCase: austrian(9n) },
      { ...CASH, Amount: 2.5 },
    ]
    expect(dataOf({ pays, receiptCase: austrian(0x1001n) })).toMatchObject({
      paymentStatus: 'https://schema.org/PaymentDue',
      totalPaymentDue: money('10.00'),
      referencesOrder: price('12.50'),
    })
  })

  it('an invoice without payments is due as a whole, a receipt without them says nothing', () => {
    expect(dataOf({ pays: [], receiptCase: austrian(0x1001n) })).toMatchObject({
      paymentStatus: 'https://schema.org/PaymentDue',
      totalPaymentDue: money('12.50'),
    })
    const receipt = dataOf({ pays: [] })
    expect(receipt).toMatchObject({ '@type': 'Invoice', referencesOrder: price('12.50') })
    expect(receipt).not.toHaveProperty('paymentStatus')
    expect(receipt).not.toHaveProperty('totalPaymentDue')
  })

  it('change and tips do not make a receipt unpaid', () => {
    const pays = [
      { ...CASH, Amount: 20 },
      { Amount: -7.5, ftPayItemCase: austrian(0x20_0001n) },
    ]
    expect(dataOf({ pays })).toMatchObject({
      paymentStatus: 'https://schema.org/PaymentComplete',
    })
  })
})
