// The electronic invoice inside the PDF: the rules of EN 16931 by their numbers, the same cents as
// the receipt, and nothing where something would have to be guessed.
import { describe, expect, it } from 'vitest'
import { taskView } from '../../src/core/receipts/render.js'
import { createSamples } from '../../src/core/receipts/samples/samples.js'
import { pairOf } from '../../src/core/receipts/shown-pair.js'
import { factsOf } from '../../src/market/index.js'
import { NO_BRANDING } from '../../src/model/branding.js'
import { eInvoice } from '../../src/render/e-invoice.js'
import type { IssuedReceipt } from '../../src/store/receipt/issued.js'
import { drawn, issued } from '../support/drawn.js'
import { brokenRules, Part, schemaFaults } from '../support/en16931.js'
import { pdfObjects } from '../support/pdf-check.js'

const branding = {
  ...{ ...NO_BRANDING, name: 'Zur Linde GmbH', vatId: 'DE123456789' },
  ...{ street: 'Ringstraße 1', postalCode: '10115', city: 'Berlin' },
}
const CUSTOMER = {
  ...{ CustomerName: 'Muster & Söhne <KG>', CustomerStreet: 'Weg 2', CustomerZip: '1010' },
  ...{ CustomerCity: 'Wien', CustomerVATId: 'ATU12345675' },
}
const item = (Description: string, Amount: number, VATRate: number, Quantity = 1) => ({
  ...{ Description, Amount, VATRate, Quantity },
})
const ITEMS = [
  item('Schnitzel', 19.3, 19),
  item('Kaffee', 2.9, 19, 3),
  item('Rabatt', -0.1, 19),
  item('Brot', 0.07, 7, 0.333),
]

function sold(
  more: object = {},
  { charges = ITEMS, receipt = {} }: { charges?: object[]; receipt?: Partial<IssuedReceipt> } = {},
): IssuedReceipt {
  const total = charges.reduce((sum, one) => sum + Number(Reflect.get(one, 'Amount')), 0)
  const request = {
    ...{ ftReceiptCase: '0x4445200000000001', cbCustomer: CUSTOMER, cbChargeItems: charges },
    cbPayItems: [{ Description: 'Bar', Amount: Number(total.toFixed(2)) }],
    ...more,
  }
  const response = { ftReceiptIdentification: 'ft1#7', ftReceiptMoment: '2026-06-30T22:30:00Z' }
  return issued({
    ...{ market: 'DE', accountCountry: 'DE', branding },
    ...{ request: JSON.stringify(request), response: JSON.stringify(response), ...receipt },
  })
}

function invoiceOf(receipt: IssuedReceipt, copy = false) {
  const view = taskView({ receipt, language: 'de', copy }, factsOf)
  return eInvoice({ ...pairOf(receipt, factsOf), copy }, view)
}

/** Of the text of the invoice. */
function invoiceIn(receipt: IssuedReceipt): Part {
  const xml = invoiceOf(receipt)?.bytes.toString() ?? ''
  expect(xml).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<rsm:CrossIndustryInvoice /)
  return Part.of(xml)
}

const DEAL = 'SupplyChainTradeTransaction'
const SETTLED = `${DEAL}.ApplicableHeaderTradeSettlement`
const SUMS = `${SETTLED}.SpecifiedTradeSettlementHeaderMonetarySummation`
const LINE_SUM = 'SpecifiedTradeSettlementLineMonetarySummation.LineTotalAmount'
const sum = (list: number[]): number => list.reduce((one, other) => one + other, 0)

function checkSums(invoice: Part, total: number): void {
  const sums = invoice.at(SUMS)
  const taxes = invoice.list(`${SETTLED}.ApplicableTradeTax`)
  const lines = invoice.list(`${DEAL}.IncludedSupplyChainTradeLineItem`).map((one) => ({
    net: one.cents(`SpecifiedLineTradeSettlement.${LINE_SUM}`),
    rate: one.text('SpecifiedLineTradeSettlement.ApplicableTradeTax.0.RateApplicablePercent'),
    price: one.at('SpecifiedLineTradeAgreement.NetPriceProductTradePrice'),
    quantity: Number(one.text('SpecifiedLineTradeDelivery.BilledQuantity.#text')),
  }))
  const tax = sums.cents('TaxTotalAmount.#text')
  const base = sums.cents('TaxBasisTotalAmount')
  const grand = sums.cents('GrandTotalAmount')
  expect(sums.cents('LineTotalAmount'), 'BR-CO-10').toBe(sum(lines.map(({ net }) => net)))
  expect(base, 'BR-CO-13').toBe(sums.cents('LineTotalAmount'))
  expect(tax, 'BR-CO-14').toBe(sum(taxes.map((one) => one.cents('CalculatedAmount'))))
  expect(grand, 'BR-CO-15').toBe(base + tax)
  const due = sums.cents('DuePayableAmount')
  expect(due, 'BR-CO-16').toBe(grand - sums.cents('TotalPrepaidAmount'))
  for (const one of taxes) {
    const rate = one.text('RateApplicablePercent')
    const own = lines.filter((line) => line.rate === rate)
    const basis = one.cents('BasisAmount')
    expect(basis, 'BR-S-08').toBe(sum(own.map(({ net }) => net)))
    const away = Math.abs(one.cents('CalculatedAmount') - (basis * Number(rate)) / 100)
    expect(away, 'BR-S-09').toBeLessThanOrEqual(1)
    expect(one.text('CategoryCode'), 'BR-CO-18').toBe('S')
  }
  for (const { net, price, quantity } of lines) {
    const amount = Number(price.text('ChargeAmount'))
    expect(amount, 'BR-27').toBeGreaterThanOrEqual(0)
    const exact = (amount * quantity) / Number(price.text('BasisQuantity.#text'))
    expect(Math.round(exact * 100)).toBe(net)
  }
  expect(grand).toBe(total)
  expect(sums.text('TaxTotalAmount.@_currencyID'), 'BR-53').toBe('EUR')
}

describe('the invoice', () => {
  it('says who, to whom, when and what (BR-02 to BR-16)', () => {
    const invoice = invoiceIn(sold())
    const agreed = invoice.at(`${DEAL}.ApplicableHeaderTradeAgreement`)
    const [seller, buyer] = [agreed.at('SellerTradeParty'), agreed.at('BuyerTradeParty')]
    const norm = 'ExchangedDocumentContext.GuidelineSpecifiedDocumentContextParameter.ID'
    expect(invoice.text(norm), 'BR-01').toBe('urn:cen.eu:en16931:2017')
    expect(invoice.text('ExchangedDocument.ID'), 'BR-02').toBe('ft1#7')
    // half past midnight in Berlin: the day of the law
    const day = 'ExchangedDocument.IssueDateTime.DateTimeString.#text'
    expect(invoice.text(day), 'BR-03').toBe('20260701')
    expect(invoice.text('ExchangedDocument.TypeCode'), 'BR-04').toBe('380')
    expect(invoice.text(`${SETTLED}.InvoiceCurrencyCode`), 'BR-05').toBe('EUR')
    expect(seller.text('Name'), 'BR-06').toBe('Zur Linde GmbH')
    expect(buyer.text('Name'), 'BR-07').toBe('Muster & Söhne <KG>')
    expect(seller.text('PostalTradeAddress.CountryID'), 'BR-09').toBe('DE')
    expect(buyer.text('PostalTradeAddress.CountryID'), 'BR-11').toBe('AT')
    expect(seller.text('SpecifiedTaxRegistration.ID.#text'), 'BR-S-02').toBe('DE123456789')
    expect(buyer.text('SpecifiedTaxRegistration.ID.#text')).toBe('ATU12345675')
    expect(invoice.list(`${DEAL}.IncludedSupplyChainTradeLineItem`), 'BR-16').toHaveLength(4)
  })

  it('has the cents of the receipt', () => {
    checkSums(invoiceIn(sold()), 2217)
  })

  it.each(Array.from({ length: 12 }, (_, seed) => seed))(
    'adds up, whatever is sold: %i',
    (seed) => {
      let state = seed * 7919 + 1
      const next = (most: number): number => {
        state = (state * 48271) % 2147483647
        return state % most
      }
      const charges = Array.from({ length: 1 + next(30) }, (_, at) =>
        item(`Ware ${at}`, (1 + next(9999)) / 100, [19, 7, 5.5][next(3)] ?? 19, 1 + next(9)),
      )
      const total = Math.round(sum(charges.map(({ Amount }) => Amount * 100)))
      checkSums(invoiceIn(sold({}, { charges })), total)
    },
  )

  it('takes the tax that was given', () => {
    const charges = [{ ...item('Ware', 11.9, 19), VATAmount: 1.91 }]
    const [tax] = invoiceIn(sold({}, { charges })).list(`${SETTLED}.ApplicableTradeTax`)
    expect([tax?.text('CalculatedAmount'), tax?.text('BasisAmount')]).toEqual(['1.91', '9.99'])
  })

  it('says what is open, and its terms (BR-CO-25)', () => {
    const owed = [{ Description: 'Ziel', Amount: 22.17, ftPayItemCase: '0x4445200000000009' }]
    const invoice = invoiceIn(sold({ cbPayItems: owed }))
    expect(invoice.text(`${SETTLED}.SpecifiedTradePaymentTerms.Description`)).not.toBe('')
    expect(invoice.text(`${SUMS}.TotalPrepaidAmount`)).toBe('0.00')
    expect(invoice.text(`${SUMS}.DuePayableAmount`)).toBe('22.17')
  })
})

describe('the rules of EN 16931 and the schema of Factur-X', () => {
  const xmlOf = (receipt: IssuedReceipt) => invoiceOf(receipt)?.bytes.toString() ?? ''

  it('hold for every kind of receipt of every country with a customer’s VAT id', async () => {
    const samples = createSamples()
    const markets = new Set<string>()
    const xmls: string[] = []
    for (const { market, name } of samples.list()) {
      const sample = samples.receiptOf(market, name)
      if (sample === undefined) continue
      const request = JSON.parse(sample.request)
      request.cbCustomer = CUSTOMER
      const xml = xmlOf({ ...sample, branding, request: JSON.stringify(request) })
      if (xml === '') continue
      markets.add(market)
      xmls.push(xml)
      expect(brokenRules(xml), `${market} ${name}`).toEqual([])
    }
    expect([markets.size, xmls.length > 30]).toEqual([7, true])
    expect(await schemaFaults(xmls)).toEqual([])
  })

  it('hold for customers of countries whose VAT ids begin otherwise (BR-CL-14, BR-CO-09)', () => {
    for (const [id, country] of [
      ['EL123456789', 'GR'],
      ['XI123456789', 'XI'],
      ['FR12345678901', 'FR'],
    ]) {
      const receipt = sold({ cbCustomer: { ...CUSTOMER, CustomerVATId: id } })
      const buyer = invoiceIn(receipt).at(`${DEAL}.ApplicableHeaderTradeAgreement.BuyerTradeParty`)
      expect(buyer.text('PostalTradeAddress.CountryID')).toBe(country)
      expect(brokenRules(xmlOf(receipt))).toEqual([])
    }
  })

  it('are seen to be broken', async () => {
    const good = xmlOf(sold())
    const broken = (from: string | RegExp, to: string) => brokenRules(good.replace(from, to))
    expect(brokenRules(good)).toEqual([])
    expect(broken('<ram:GrandTotalAmount>22.17', '<ram:GrandTotalAmount>22.18')).toEqual([
      ...['BR-CO-15', 'BR-CO-16'],
    ])
    expect(broken(/<ram:CountryID>AT/, '<ram:CountryID>EL')).toEqual(['BR-CL-14'])
    expect(broken(/<ram:Name>Schnitzel<\/ram:Name>/, '')).toEqual(['BR-25 line 1'])
    expect(await schemaFaults([good.replaceAll('ram:Name', 'ram:Nmae')])).not.toEqual([])
  })
})

describe('there is none', () => {
  const without = (name: string) =>
    Object.fromEntries(Object.entries(CUSTOMER).filter(([member]) => member !== name))
  it.each<[string, IssuedReceipt]>([
    ['without a customer', sold({ cbCustomer: undefined })],
    ['without the customer’s VAT id', sold({ cbCustomer: without('CustomerVATId') })],
    ['without the customer’s name', sold({ cbCustomer: without('CustomerName') })],
    ['with a text that is no VAT id', sold({ cbCustomer: { ...CUSTOMER, CustomerVATId: 'none' } })],
    ['without the merchant’s VAT id', sold({}, { receipt: { branding: NO_BRANDING } })],
    ['with an item without rate', sold({}, { charges: [...ITEMS, item('Frei', 5, 0)] })],
    ['for a void', sold({ ftReceiptCase: '0x4445200000040001' })],
    ['for training', sold({ ftReceiptCase: '0x4445200000020001' })],
    ['for an order', sold({ ftReceiptCase: '0x4445200000003004' })],
    ['for what goes back', sold({}, { charges: [item('Zurück', -5, 19)] })],
    ['for a total of its own', sold({ cbReceiptAmount: 1 })],
    ['for what nobody here has signed', sold({}, { receipt: { verified: false } })],
  ])('%s', (_name, receipt) => {
    expect(invoiceOf(receipt)).toBeUndefined()
  })

  it('on a copy', () => {
    expect(invoiceOf(sold(), true)).toBeUndefined()
  })
})

describe('the PDF', () => {
  it('has it as alternative, and names it in its metadata', async () => {
    const objects = [...(await pdfObjects(await drawn(sold(), 'pdf'))).values()]
    const told = objects.map(({ value }) => JSON.stringify(value))
    const file = told.find((text) => text.includes('factur-x.xml') && text.includes('/Filespec'))
    expect(file).toContain('"/AFRelationship":"/Alternative"')
    const texts = objects.map(({ bytes }) => bytes?.toString() ?? '')
    expect(texts.filter((text) => text.includes('CrossIndustryInvoice:100'))).toHaveLength(1)
    const metadata = texts.find((text) => text.includes('<x:xmpmeta')) ?? ''
    expect(metadata).toContain('<fx:DocumentFileName>factur-x.xml</fx:DocumentFileName>')
    expect(metadata).toContain('<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>')
    for (const name of ['DocumentFileName', 'DocumentType', 'Version', 'ConformanceLevel']) {
      expect(metadata).toContain(`<pdfaProperty:name>${name}</pdfaProperty:name>`)
    }
  })

  it('of any other receipt has nothing of it', async () => {
    const receipt = sold({ cbCustomer: undefined })
    const objects = [...(await pdfObjects(await drawn(receipt, 'pdf'))).values()]
    const texts = objects.map(({ bytes }) => bytes?.toString() ?? '').join('')
    expect(texts).not.toMatch(/factur-x|CrossIndustry/i)
  })
})
