// A receipt as an electronic invoice: EN 16931 in the syntax of UN/CEFACT CII D16B, which ZUGFeRD
// and Factur-X put into a PDF. Made where both VAT ids are known and every item is taxed at a rate:
// what would have to be guessed is not told.
import { Decimal } from '../lib/decimal.js'
import type { JsonObject } from '../lib/json.js'
import { element, type XmlTree } from '../lib/xml-write.js'
import { dataIn, objectsIn, textIn } from '../model/json-members.js'
import type { AttachedFile } from './pdf-archive.js'
import { plainText } from './plain-text.js'
import type { PublishedPair } from './published-pair.js'
import { netOf } from './vat.js'
import type { ReceiptView } from './view.js'
import { casesOf } from './view-cases.js'
import { momentOf } from './view-facts.js'
import { type Charge, chargeIn } from './view-items.js'

/** Factur-X 1.0 and ZUGFeRD 2.1 want this name. */
export const E_INVOICE = 'factur-x.xml'

/** Undefined: it is no invoice in the sense of the norm, or not enough is known of it. */
export function eInvoice(pair: PublishedPair, view: ReceiptView): AttachedFile | undefined {
  const parties = partiesOf(pair)
  const moment = momentOf(pair)
  if (parties === undefined || moment === undefined || !isInvoice(pair, view)) return undefined
  const lines = linesOf(pair, view, moment)
  if (lines === undefined || lines.length === 0) return undefined
  const groups = groupsOf(lines)
  const total = groups.reduce((sum, { net, tax }) => sum + net + tax, 0n)
  if (total !== Decimal.of(view.data.total).toCents()) return undefined
  const day = dayOf(moment, pair.zone)
  const tree = invoiceOf({ view, parties, day, lines, groups, total })
  return {
    name: E_INVOICE,
    type: 'text/xml',
    description: `${view.title} ${view.number}`.trim(),
    bytes: Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${tree}`),
    relationship: 'Alternative',
  }
}

/** A signed sale, not taken back, not for training, and not seen as a copy. */
function isInvoice({ verified }: PublishedPair, { sale, marks, number }: ReceiptView): boolean {
  return verified && sale && marks.length === 0 && number !== ''
}

// ------------------------------------------------------------------------- parties

interface Party {
  name: string
  street: string
  postalCode: string
  city: string
  /** ISO 3166-1, two letters. */
  country: string
  vatId: string
}

/** EN 16931, BR-06 to BR-11 and BR-S-02: names, countries, both VAT ids. */
function partiesOf(pair: PublishedPair): { seller: Party; buyer: Party } | undefined {
  const { request, merchant, branding, country } = pair
  const customer = dataIn(request, 'cbCustomer')
  if (customer === undefined || branding === undefined) return undefined
  const member = (name: string): string =>
    plainText(textIn(customer, `Customer${name}`) || textIn(customer, name)).trim()
  const vatId = member('VATId')
  const { street, postalCode, city } = branding
  const seller: Party = {
    ...{ street, postalCode, city, vatId: branding.vatId },
    name: merchant[0] ?? '',
    country: countryIn(branding.country) ?? country,
  }
  const buyer: Party = {
    ...{ name: member('Name'), street: member('Street'), vatId },
    ...{ postalCode: member('Zip'), city: member('City') },
    // a VAT id begins with its country
    country: countryIn(member('Country')) ?? countryIn(vatId.slice(0, 2)) ?? '',
  }
  const isWhole = [seller, buyer].every(
    (one) => one.name !== '' && one.country !== '' && VAT_ID.test(one.vatId),
  )
  return isWhole ? { seller, buyer } : undefined
}

const VAT_ID = /^[A-Z]{2}[A-Z0-9+*]{2,13}$/

/** VAT ids of Greece begin with letters that are no country of ISO 3166-1 (BR-CL-14, BR-CO-09). */
const countryIn = (text: string): string | undefined => {
  if (!/^[A-Za-z]{2}$/.test(text)) return undefined
  const code = text.toUpperCase()
  return code === 'EL' ? 'GR' : code
}

function partyTree({ name, street, postalCode, city, country, vatId }: Party): XmlTree {
  return {
    'ram:Name': name,
    'ram:PostalTradeAddress': {
      ...(postalCode === '' ? {} : { 'ram:PostcodeCode': postalCode }),
      ...(street === '' ? {} : { 'ram:LineOne': street }),
      ...(city === '' ? {} : { 'ram:CityName': city }),
      'ram:CountryID': country,
    },
    'ram:SpecifiedTaxRegistration': { 'ram:ID': { '@schemeID': 'VA', '#text': vatId } },
  }
}

// --------------------------------------------------------------------------- lines

interface Line {
  name: string
  quantity: Decimal
  rate: Decimal
  /** Cents. */
  net: bigint
  gross: bigint
}

/** Undefined where an item has no rate, is no sale, or stands among the payments. */
function linesOf(pair: PublishedPair, view: ReceiptView, at: Date): Line[] | undefined {
  const { request, response, rules } = pair
  const cases = casesOf({ request, response, rules, at })
  const items: JsonObject[] = [
    ...objectsIn(request, 'cbChargeItems'),
    ...objectsIn(response, 'ftChargeItems'),
  ]
  const charges = items.map((item) => chargeIn(item, cases, view.words))
  if (!charges.every(isTaxed)) return undefined
  const lines = charges.map(({ description, quantity, rate, amount, tax }) => {
    const gross = amount.toCents()
    const net = tax === undefined ? netOf(amount, rate) : gross - tax.toCents()
    return { name: description, quantity, rate, net, gross }
  })
  return balanced(lines, charges)
}

function isTaxed({ rate, traits }: Charge): boolean {
  const { marginScheme, voucher, tip, amongPayments } = traits
  return rate.isPositive && !marginScheme && !voucher && !tip && !amongPayments
}

/** Net is rounded of the sum of a rate (BR-S-08): the last line of each takes what is left. */
function balanced(lines: readonly Line[], charges: readonly Charge[]): Line[] {
  const given = charges.every(({ tax }) => tax !== undefined)
  const result = [...lines]
  if (given) return result
  for (const rate of ratesIn(lines)) {
    const own = lines.filter((one) => one.rate.equals(rate))
    const gross = own.reduce((sum, one) => sum + one.gross, 0n)
    const net = own.reduce((sum, one) => sum + one.net, 0n)
    const last = lines.findLastIndex((one) => one.rate.equals(rate))
    const line = lines[last]
    const left = netOf(Decimal.cents(gross), rate) - net
    if (line !== undefined) result[last] = { ...line, net: line.net + left }
  }
  return result
}

function ratesIn(lines: readonly Line[]): Decimal[] {
  const rates = new Map(lines.map(({ rate }) => [rate.toShortString(), rate]))
  return [...rates.values()]
}

interface Group {
  rate: Decimal
  net: bigint
  tax: bigint
}

function groupsOf(lines: readonly Line[]): Group[] {
  return ratesIn(lines).map((rate) => {
    const own = lines.filter((one) => one.rate.equals(rate))
    const net = own.reduce((sum, one) => sum + one.net, 0n)
    return { rate, net, tax: own.reduce((sum, one) => sum + one.gross, 0n) - net }
  })
}

// ----------------------------------------------------------------------------- XML

interface Invoice {
  view: ReceiptView
  parties: { seller: Party; buyer: Party }
  /** `20260701` */
  day: string
  lines: readonly Line[]
  groups: readonly Group[]
  total: bigint
}

const NAMES = 'urn:un:unece:uncefact:data:standard'

function invoiceOf(invoice: Invoice): string {
  const { view, parties, day, lines } = invoice
  return element('rsm:CrossIndustryInvoice', {
    '@xmlns:rsm': `${NAMES}:CrossIndustryInvoice:100`,
    '@xmlns:ram': `${NAMES}:ReusableAggregateBusinessInformationEntity:100`,
    '@xmlns:udt': `${NAMES}:UnqualifiedDataType:100`,
    'rsm:ExchangedDocumentContext': {
      'ram:GuidelineSpecifiedDocumentContextParameter': { 'ram:ID': 'urn:cen.eu:en16931:2017' },
    },
    'rsm:ExchangedDocument': {
      ...{ 'ram:ID': view.number, 'ram:TypeCode': COMMERCIAL_INVOICE },
      'ram:IssueDateTime': dateTree(day),
    },
    'rsm:SupplyChainTradeTransaction': {
      'ram:IncludedSupplyChainTradeLineItem': lines.map(lineTree),
      'ram:ApplicableHeaderTradeAgreement': {
        'ram:SellerTradeParty': partyTree(parties.seller),
        'ram:BuyerTradeParty': partyTree(parties.buyer),
      },
      'ram:ApplicableHeaderTradeDelivery': {
        'ram:ActualDeliverySupplyChainEvent': { 'ram:OccurrenceDateTime': dateTree(day) },
      },
      'ram:ApplicableHeaderTradeSettlement': settlementTree(invoice),
    },
  })
}

/** UNTDID 1001 */
const COMMERCIAL_INVOICE = '380'
/** UN/ECE Recommendation 20: one piece. */
const PIECE = 'C62'
/** UNTDID 5305: the usual rates. */
const STANDARD = 'S'

const dateTree = (day: string): XmlTree => ({
  'udt:DateTimeString': { '@format': '102', '#text': day },
})

/** The price is that of the whole quantity: no rounding is between it and the amount. */
function lineTree({ name, quantity, rate, net }: Line, at: number): XmlTree {
  const size = quantity.isZero
    ? Decimal.of('1')
    : quantity.isNegative
      ? quantity.negated()
      : quantity
  const pieces = (net < 0n ? size.negated() : size).toShortString()
  return {
    'ram:AssociatedDocumentLineDocument': { 'ram:LineID': String(at + 1) },
    'ram:SpecifiedTradeProduct': { 'ram:Name': name },
    'ram:SpecifiedLineTradeAgreement': {
      'ram:NetPriceProductTradePrice': {
        'ram:ChargeAmount': cents(net < 0n ? -net : net),
        'ram:BasisQuantity': { '@unitCode': PIECE, '#text': size.toShortString() },
      },
    },
    'ram:SpecifiedLineTradeDelivery': {
      'ram:BilledQuantity': { '@unitCode': PIECE, '#text': pieces },
    },
    'ram:SpecifiedLineTradeSettlement': {
      'ram:ApplicableTradeTax': taxTree(rate),
      'ram:SpecifiedTradeSettlementLineMonetarySummation': { 'ram:LineTotalAmount': cents(net) },
    },
  }
}

const taxTree = (rate: Decimal): XmlTree => ({
  ...{ 'ram:TypeCode': 'VAT', 'ram:CategoryCode': STANDARD },
  'ram:RateApplicablePercent': rate.toShortString(),
})

function settlementTree({ view, groups, total }: Invoice): XmlTree {
  const { currency, due } = view.data
  const net = groups.reduce((sum, one) => sum + one.net, 0n)
  const open = due === '' ? 0n : Decimal.of(due).toCents()
  return {
    'ram:InvoiceCurrencyCode': currency,
    'ram:ApplicableTradeTax': groups.map((one) => ({
      ...{ 'ram:CalculatedAmount': cents(one.tax), 'ram:TypeCode': 'VAT' },
      ...{ 'ram:BasisAmount': cents(one.net), 'ram:CategoryCode': STANDARD },
      'ram:RateApplicablePercent': one.rate.toShortString(),
    })),
    // BR-CO-25: what is open has terms
    ...(open > 0n
      ? { 'ram:SpecifiedTradePaymentTerms': { 'ram:Description': view.words.receivable } }
      : {}),
    'ram:SpecifiedTradeSettlementHeaderMonetarySummation': {
      ...{ 'ram:LineTotalAmount': cents(net), 'ram:TaxBasisTotalAmount': cents(net) },
      'ram:TaxTotalAmount': { '@currencyID': currency, '#text': cents(total - net) },
      'ram:GrandTotalAmount': cents(total),
      'ram:TotalPrepaidAmount': cents(total - open),
      'ram:DuePayableAmount': cents(open),
    },
  }
}

/** `-12.30` */
function cents(amount: bigint): string {
  return Decimal.cents(amount).toString()
}

/** `20260701` where the receipt was made. */
function dayOf(moment: Date, timeZone: string): string {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
  return new Intl.DateTimeFormat('en-CA', { ...parts, timeZone }).format(moment).replaceAll('-', '')
}
