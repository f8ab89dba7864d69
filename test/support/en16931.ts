// The rules of EN 16931 (CEN/TC 434, Schematron for CII) that an invoice of a till can break, by
// their ids, and a reader of the invoice; the structure is judged by the schema of Factur-X.
import { readdirSync, readFileSync } from 'node:fs'
import { XMLParser } from 'fast-xml-parser'
import { validateXML } from 'xmllint-wasm'

const parser = new XMLParser({
  ...{ ignoreAttributes: false, removeNSPrefix: true, parseTagValue: false },
  isArray: (name) => name === 'IncludedSupplyChainTradeLineItem' || name === 'ApplicableTradeTax',
})

/** A part of the invoice, read by the names on the way to it. */
export class Part {
  constructor(private readonly value: unknown) {}

  static of(xml: string): Part {
    return new Part(parser.parse(xml)).at('CrossIndustryInvoice')
  }

  at(path: string): Part {
    return new Part(
      path.split('.').reduce((one: unknown, name) => Reflect.get(Object(one), name), this.value),
    )
  }

  list(path: string): Part[] {
    const { value } = this.at(path)
    return Array.isArray(value) ? value.map((one: unknown) => new Part(one)) : []
  }

  text(path: string): string {
    const { value } = this.at(path)
    return typeof value === 'string' ? value : ''
  }

  cents(path: string): number {
    return Math.round(Number(this.text(path)) * 100)
  }

  get isThere(): boolean {
    return this.value !== undefined
  }
}

const DEAL = 'SupplyChainTradeTransaction'
const AGREED = `${DEAL}.ApplicableHeaderTradeAgreement`
const SETTLED = `${DEAL}.ApplicableHeaderTradeSettlement`
const SUMS = `${SETTLED}.SpecifiedTradeSettlementHeaderMonetarySummation`
const LINE_SUM =
  'SpecifiedLineTradeSettlement.SpecifiedTradeSettlementLineMonetarySummation.LineTotalAmount'
const LINE_TAX = 'SpecifiedLineTradeSettlement.ApplicableTradeTax.0'
const PRICE = 'SpecifiedLineTradeAgreement.NetPriceProductTradePrice'

type Rule = [id: string, holds: boolean]
const filled = (part: Part, path: string): boolean => part.text(path).trim() !== ''
const two = (text: string): boolean => /^-?\d+(\.\d{1,2})?$/.test(text)
const sum = (list: number[]): number => list.reduce((one, other) => one + other, 0)

/** ISO 3166-1, and Northern Ireland and Kosovo as the code list of the norm has them. */
const COUNTRIES = new Set([
  ...['XI', '1A'],
  ...Array.from({ length: 26 * 26 }, (_, at) =>
    String.fromCharCode(65 + Math.floor(at / 26), 65 + (at % 26)),
  ).filter((code) => {
    const name = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(code)
    // letters that are kept for others (ISO 3166-1, exceptional reservations)
    return name !== undefined && !['EL', 'EU', 'UK', 'UN', 'EZ'].includes(code)
  }),
])

function documentRules(invoice: Part): Rule[] {
  const settled = invoice.at(SETTLED)
  const day = invoice.text('ExchangedDocument.IssueDateTime.DateTimeString.#text')
  const norm = 'ExchangedDocumentContext.GuidelineSpecifiedDocumentContextParameter.ID'
  return [
    ['BR-01', invoice.text(norm) === 'urn:cen.eu:en16931:2017'],
    ['BR-02', filled(invoice, 'ExchangedDocument.ID')],
    ['BR-03', /^\d{8}$/.test(day)],
    ['BR-04', filled(invoice, 'ExchangedDocument.TypeCode')],
    ['BR-05', filled(settled, 'InvoiceCurrencyCode')],
    ['BR-16', invoice.list(`${DEAL}.IncludedSupplyChainTradeLineItem`).length > 0],
    ['BR-CL-01', ['380', '381', '384', '389'].includes(invoice.text('ExchangedDocument.TypeCode'))],
    ['BR-CL-04', /^[A-Z]{3}$/.test(settled.text('InvoiceCurrencyCode'))],
  ]
}

function partyRules(invoice: Part): Rule[] {
  const [seller, buyer] = ['Seller', 'Buyer'].map((who) => invoice.at(`${AGREED}.${who}TradeParty`))
  if (seller === undefined || buyer === undefined) return [['BR-06', false]]
  const country = (party: Part) => party.text('PostalTradeAddress.CountryID')
  const vatIds = [seller, buyer].map((party) => party.text('SpecifiedTaxRegistration.ID.#text'))
  const isPrefixed = vatIds.every((id) => COUNTRIES.has(id.slice(0, 2)) || id.startsWith('EL'))
  return [
    ['BR-06', filled(seller, 'Name')],
    ['BR-07', filled(buyer, 'Name')],
    ['BR-08', seller.at('PostalTradeAddress').isThere],
    ['BR-09', country(seller) !== ''],
    ['BR-10', buyer.at('PostalTradeAddress').isThere],
    ['BR-11', country(buyer) !== ''],
    ['BR-CL-14', COUNTRIES.has(country(seller)) && COUNTRIES.has(country(buyer))],
    ['BR-CO-09', isPrefixed],
    ['BR-CO-26', vatIds[0] !== ''],
    ['BR-S-02', vatIds[0] !== ''],
  ]
}

function lineRules(line: Part, at: number): Rule[] {
  const price = line.at(PRICE)
  const unit = 'SpecifiedLineTradeDelivery.BilledQuantity.@_unitCode'
  const rules: Rule[] = [
    ['BR-21', filled(line, 'AssociatedDocumentLineDocument.LineID')],
    ['BR-22', filled(line, 'SpecifiedLineTradeDelivery.BilledQuantity.#text')],
    ['BR-23', line.text(unit) === 'C62'],
    ['BR-24', filled(line, LINE_SUM)],
    ['BR-25', filled(line, 'SpecifiedTradeProduct.Name')],
    ['BR-26', filled(price, 'ChargeAmount')],
    ['BR-27', Number(price.text('ChargeAmount')) >= 0],
    ['BR-CO-04', filled(line, `${LINE_TAX}.CategoryCode`)],
    ['BR-DEC-23', two(line.text(LINE_SUM))],
    ['BR-S-05', Number(line.text(`${LINE_TAX}.RateApplicablePercent`)) > 0],
  ]
  return rules.map(([id, holds]) => [`${id} line ${at + 1}`, holds])
}

function taxRules(invoice: Part): Rule[] {
  const taxes = invoice.list(`${SETTLED}.ApplicableTradeTax`)
  const lines = invoice.list(`${DEAL}.IncludedSupplyChainTradeLineItem`)
  const each = taxes.flatMap((one): Rule[] => {
    const [basis, tax] = [one.cents('BasisAmount'), one.cents('CalculatedAmount')]
    const rate = one.text('RateApplicablePercent')
    const own = lines.filter((line) => line.text(`${LINE_TAX}.RateApplicablePercent`) === rate)
    return [
      ['BR-45', filled(one, 'BasisAmount')],
      ['BR-46', filled(one, 'CalculatedAmount')],
      ['BR-47', filled(one, 'CategoryCode')],
      ['BR-48', rate !== ''],
      ['BR-CL-18', ['S', 'Z', 'E', 'AE', 'K', 'G', 'O'].includes(one.text('CategoryCode'))],
      ['BR-CO-17', Math.abs(tax - Math.round((basis * Number(rate)) / 100)) <= 1],
      ['BR-DEC-19', two(one.text('BasisAmount'))],
      ['BR-DEC-20', two(one.text('CalculatedAmount'))],
      ['BR-S-08', basis === sum(own.map((line) => line.cents(LINE_SUM)))],
      ['BR-S-09', Math.abs(tax - (basis * Number(rate)) / 100) <= 1],
      ['BR-S-10', !filled(one, 'ExemptionReason') && !filled(one, 'ExemptionReasonCode')],
    ]
  })
  return [['BR-CO-18', taxes.length > 0], ['BR-S-01', taxes.length > 0], ...each]
}

const TOTALS = [
  ['BR-12', 'LineTotalAmount', 'BR-DEC-09'],
  ['BR-13', 'TaxBasisTotalAmount', 'BR-DEC-12'],
  ['BR-14', 'GrandTotalAmount', 'BR-DEC-14'],
  ['BR-15', 'DuePayableAmount', 'BR-DEC-18'],
] as const

function sumRules(invoice: Part): Rule[] {
  const sums = invoice.at(SUMS)
  const lines = invoice.list(`${DEAL}.IncludedSupplyChainTradeLineItem`)
  const taxes = invoice.list(`${SETTLED}.ApplicableTradeTax`)
  const [net, basis, grand, due] = TOTALS.map(([, name]) => sums.cents(name))
  const tax = sums.cents('TaxTotalAmount.#text')
  const terms = filled(invoice, `${SETTLED}.SpecifiedTradePaymentTerms.Description`)
  return [
    ...TOTALS.flatMap(([id, name, decimals]): Rule[] => [
      [id, filled(sums, name)],
      [decimals, two(sums.text(name))],
    ]),
    [
      'BR-53',
      sums.text('TaxTotalAmount.@_currencyID') === invoice.text(`${SETTLED}.InvoiceCurrencyCode`),
    ],
    ['BR-CO-10', net === sum(lines.map((line) => line.cents(LINE_SUM)))],
    ['BR-CO-13', basis === net],
    ['BR-CO-14', tax === sum(taxes.map((one) => one.cents('CalculatedAmount')))],
    ['BR-CO-15', grand === (basis ?? 0) + tax],
    ['BR-CO-16', due === (grand ?? 0) - sums.cents('TotalPrepaidAmount')],
    ['BR-CO-25', (due ?? 0) <= 0 || terms],
    ['BR-DEC-13', two(sums.text('TaxTotalAmount.#text'))],
    ['BR-DEC-16', two(sums.text('TotalPrepaidAmount'))],
  ]
}

/** The ids of the rules that do not hold. */
export function brokenRules(xml: string): string[] {
  const invoice = Part.of(xml)
  const lines = invoice.list(`${DEAL}.IncludedSupplyChainTradeLineItem`)
  const all = [
    ...[...documentRules(invoice), ...partyRules(invoice), ...lines.flatMap(lineRules)],
    ...[...taxRules(invoice), ...sumRules(invoice)],
  ]
  return all.filter(([, holds]) => !holds).map(([id]) => id)
}

const SCHEMAS = new URL('factur-x/', import.meta.url)
const schemas = readdirSync(SCHEMAS)
  .filter((name) => name.endsWith('.xsd'))
  .map((fileName) => ({ fileName, contents: readFileSync(new URL(fileName, SCHEMAS), 'utf8') }))
const MAIN = 'Factur-X_1.07.3_EN16931.xsd'

/** What the schema says of these invoices. */
export async function schemaFaults(xmls: readonly string[]): Promise<string[]> {
  const { errors } = await validateXML({
    xml: xmls.map((contents, at) => ({ fileName: `${at}.xml`, contents })),
    schema: schemas.filter(({ fileName }) => fileName === MAIN),
    preload: schemas.filter(({ fileName }) => fileName !== MAIN),
  })
  return errors.map(({ message }) => message)
}
