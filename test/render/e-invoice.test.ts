// The electronic invoice inside the PDF: the rules of EN 16931 by their numbers, the same cents as
// the receipt, and nothing where something would have to be guessed.
import { XMLParser } from 'fast-xml-parser'
import { describe, expect, it } from 'vitest'
import { taskView } from '../../src/core/receipts/render.js'
import { pairOf } from '../../src/core/receipts/shown-pair.js'
import { factsOf } from '../../src/market/index.js'
import { NO_BRANDING } from '../../src/model/branding.js'
import { eInvoice } from '../../src/render/e-invoice.js'
import type { IssuedReceipt } from '../../src/store/receipt/issued.js'
import { drawn, issued } from '../support/drawn.js'
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

// biome-ignore lint/suspicious/noExplicitAny: a tree that was read from XML
type Tree = any
const parser = new XMLParser({
  ...{ ignoreAttributes: false, removeNSPrefix: true, parseTagValue: false },
  isArray: (name) => name === 'IncludedSupplyChainTradeLineItem' || name === 'ApplicableTradeTax',
})
function read(receipt: IssuedReceipt): Tree {
  const xml = invoiceOf(receipt)?.bytes.toString() ?? ''
  expect(xml).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<rsm:CrossIndustryInvoice /)
  return parser.parse(xml).CrossIndustryInvoice
}

const cents = (text: string): number => Math.round(Number(text) * 100)

function checkSums(transaction: Tree, total: number): void {
  const lines: Tree[] = transaction.IncludedSupplyChainTradeLineItem
  const settlement = transaction.ApplicableHeaderTradeSettlement
  const sums = settlement.SpecifiedTradeSettlementHeaderMonetarySummation
  const taxes: Tree[] = settlement.ApplicableTradeTax
  const nets = lines.map((one) => ({
    net: cents(
      one.SpecifiedLineTradeSettlement.SpecifiedTradeSettlementLineMonetarySummation
        .LineTotalAmount,
    ),
    rate: one.SpecifiedLineTradeSettlement.ApplicableTradeTax[0].RateApplicablePercent,
    price: one.SpecifiedLineTradeAgreement.NetPriceProductTradePrice,
    quantity: Number(one.SpecifiedLineTradeDelivery.BilledQuantity['#text']),
  }))
  const sum = (list: number[]): number => list.reduce((one, other) => one + other, 0)
  expect(cents(sums.LineTotalAmount), 'BR-CO-10').toBe(sum(nets.map(({ net }) => net)))
  expect(sums.TaxBasisTotalAmount, 'BR-CO-13').toBe(sums.LineTotalAmount)
  const tax = cents(sums.TaxTotalAmount['#text'])
  expect(tax, 'BR-CO-14').toBe(sum(taxes.map((one) => cents(one.CalculatedAmount))))
  expect(cents(sums.GrandTotalAmount), 'BR-CO-15').toBe(cents(sums.TaxBasisTotalAmount) + tax)
  expect(cents(sums.DuePayableAmount), 'BR-CO-16').toBe(
    cents(sums.GrandTotalAmount) - cents(sums.TotalPrepaidAmount),
  )
  for (const one of taxes) {
    const own = nets.filter(({ rate }) => rate === one.RateApplicablePercent)
    expect(cents(one.BasisAmount), 'BR-S-08').toBe(sum(own.map(({ net }) => net)))
    const wanted = (cents(one.BasisAmount) * Number(one.RateApplicablePercent)) / 100
    expect(Math.abs(cents(one.CalculatedAmount) - wanted), 'BR-S-09').toBeLessThanOrEqual(1)
    expect(one.CategoryCode, 'BR-CO-18').toBe('S')
  }
  for (const { net, price, quantity } of nets) {
    expect(cents(price.ChargeAmount), 'BR-27').toBeGreaterThanOrEqual(0)
    const exact = (Number(price.ChargeAmount) * quantity) / Number(price.BasisQuantity['#text'])
    expect(Math.round(exact * 100)).toBe(net)
  }
  expect(cents(sums.GrandTotalAmount)).toBe(total)
  expect(sums.TaxTotalAmount['@_currencyID'], 'BR-53').toBe('EUR')
}

describe('the invoice', () => {
  it('says who, to whom, when and what (BR-02 to BR-16)', () => {
    const tree = read(sold())
    const transaction = tree.SupplyChainTradeTransaction
    const { SellerTradeParty: seller, BuyerTradeParty: buyer } =
      transaction.ApplicableHeaderTradeAgreement
    expect(
      tree.ExchangedDocumentContext.GuidelineSpecifiedDocumentContextParameter.ID,
      'BR-01',
    ).toBe('urn:cen.eu:en16931:2017')
    expect(tree.ExchangedDocument).toMatchObject({ ID: 'ft1#7', TypeCode: '380' })
    // half past midnight in Berlin: the day of the law
    expect(tree.ExchangedDocument.IssueDateTime.DateTimeString['#text'], 'BR-03').toBe('20260701')
    expect(seller.Name, 'BR-06').toBe('Zur Linde GmbH')
    expect(buyer.Name, 'BR-07').toBe('Muster & Söhne <KG>')
    expect(seller.PostalTradeAddress.CountryID, 'BR-09').toBe('DE')
    expect(buyer.PostalTradeAddress.CountryID, 'BR-11').toBe('AT')
    expect(seller.SpecifiedTaxRegistration.ID['#text'], 'BR-S-02').toBe('DE123456789')
    expect(buyer.SpecifiedTaxRegistration.ID['#text']).toBe('ATU12345675')
    expect(transaction.IncludedSupplyChainTradeLineItem, 'BR-16').toHaveLength(4)
  })

  it('has the cents of the receipt', () => {
    checkSums(read(sold()).SupplyChainTradeTransaction, 2217)
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
      const total = Math.round(charges.reduce((sum, one) => sum + one.Amount * 100, 0))
      checkSums(read(sold({}, { charges })).SupplyChainTradeTransaction, total)
    },
  )

  it('takes the tax that was given', () => {
    const charges = [{ ...item('Ware', 11.9, 19), VATAmount: 1.91 }]
    const { ApplicableTradeTax } = read(sold({}, { charges })).SupplyChainTradeTransaction
      .ApplicableHeaderTradeSettlement
    expect(ApplicableTradeTax[0]).toMatchObject({ CalculatedAmount: '1.91', BasisAmount: '9.99' })
  })

  it('says what is open, and its terms (BR-CO-25)', () => {
    const owed = [{ Description: 'Ziel', Amount: 22.17, ftPayItemCase: '0x4445200000000009' }]
    const settlement = read(sold({ cbPayItems: owed })).SupplyChainTradeTransaction
      .ApplicableHeaderTradeSettlement
    expect(settlement.SpecifiedTradePaymentTerms.Description).not.toBe('')
    expect(settlement.SpecifiedTradeSettlementHeaderMonetarySummation).toMatchObject({
      ...{ TotalPrepaidAmount: '0.00', DuePayableAmount: '22.17' },
    })
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
