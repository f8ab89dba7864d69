// What a shown receipt says, whatever its format: read from the published pair without complaint.
// The renderers only arrange it.

import { type DocumentKind, isSale } from '../case/traits.js'
import { Decimal } from '../lib/decimal.js'
import type { JsonObject } from '../lib/json.js'
import type { Branding, Logo } from '../model/branding.js'
import { dataIn, decimalIn, linesIn, memberOf, objectsIn, textIn } from '../model/json-members.js'
import { type GuestRow, guestRows, isMeal } from './guest.js'
import { plainText, priceText } from './plain-text.js'
import type { PublishedPair } from './published-pair.js'
import { type SignatureView, signaturesOf } from './signatures.js'
import { type VatRow, vatRowsOf } from './vat.js'
import { type Cases, casesOf } from './view-cases.js'
import { customerOf, type Fact, factsOf, momentOf } from './view-facts.js'
import { type Charge, chargeIn, type ItemView, itemsOf } from './view-items.js'
import { marksOf, noticesOf, type Told, toldOf } from './view-marks.js'
import {
  amountText,
  dueOf,
  type Payment,
  type PaymentView,
  paidItemsOf,
  paymentIn,
  paymentsOf,
} from './view-payments.js'
import { type Language, type Words, wordsOf } from './words.js'

export type { ItemView, PaymentView, PublishedPair }

export interface ReceiptView {
  language: Language
  words: Words
  document: DocumentKind
  /** The document in the language of the reader, `Beleg`, or by its law. */
  title: string
  number: string
  data: SaleData
  merchant: string[]
  logo: Logo | undefined
  colours: Branding['colours']
  marks: string[]
  /** What the reader should do, besides reading. */
  notices: string[]
  facts: Fact[]
  customer: string[]
  header: string[]
  /** Those that were paid for among them stand last, without a letter. */
  items: ItemView[]
  chargeLines: string[]
  /** `16,60 €` */
  total: string
  vat: VatRow[]
  /** What is said about the tax beside or instead of the table. */
  taxNotes: string[]
  payments: PaymentView[]
  payLines: string[]
  receiptLines: string[]
  signatures: SignatureView[]
  /** Something was sold: what the expenses of hospitality are asked for. */
  sale: boolean
  /** True when the form for the expenses of hospitality is wanted. */
  hospitality: boolean
  /** What a guest has added to this copy. */
  guest: GuestRow[]
  /** The copy asks for place, day and signature below. */
  guestSigns: boolean
  footer: string[]
  /** '' or an address with http: or https: in front. */
  website: string
}

/** For programs: amounts in plain notation. */
export interface SaleData {
  /** ISO 8601, '' when it is not known. */
  moment: string
  /** ISO 4217 */
  currency: string
  total: string
  /** What is still to be paid; '' when the receipt does not tell. */
  due: string
}

/** The pair in the words of a language; every text is free of control characters. */
export function viewOf(pair: PublishedPair, language: Language): ReceiptView {
  const { request, response, rules, zone, branding } = pair
  const words = wordsOf(language)
  const moment = momentOf(pair)
  const cases = casesOf({ request, response, rules, at: moment ?? new Date(0) })
  const told = toldOf(pair, cases.receipt)
  const { sold, ...content } = contentOf(pair, { cases, told, language })
  const facts = factsOf(pair, { language, receipt: cases.receipt, told })
  const sale = sold && isSale(cases.receipt)
  return {
    language,
    words,
    document: cases.receipt.document,
    title: told.title === undefined ? words[cases.receipt.document] : plainText(told.title),
    number: plainText(textIn(response, 'ftReceiptIdentification')),
    merchant: pair.merchant.map((line) => merchantLine(line, branding, words)),
    logo: branding?.logo,
    colours: branding?.colours,
    marks: marksOf(pair, { traits: cases.receipt, told, language }),
    notices: noticesOf(pair, words),
    facts,
    customer: customerOf(request, words),
    header: plainLines(response, 'ftReceiptHeader'),
    chargeLines: plainLines(response, 'ftChargeLines'),
    payLines: plainLines(response, 'ftPayLines'),
    receiptLines: plainLines(dataIn(request, 'ftReceiptCaseData'), 'cbReceiptLines'),
    signatures: signaturesOf(response, { rules, told, language, zone }),
    sale,
    // what was typed needs no empty form below
    hospitality: branding?.hospitality === true && sale && !isMeal(pair.guest),
    guest: guestRows(pair.guest, words),
    guestSigns: isMeal(pair.guest),
    footer: [
      ...plainLines(response, 'ftReceiptFooter'),
      ...(branding?.footer ?? []).map(plainText),
    ],
    website: branding?.website ?? '',
    ...content,
    data: { ...content.data, moment: moment?.toISOString() ?? '' },
  }
}

/** A VAT id is named: it says nothing by itself. */
function merchantLine(line: string, branding: Branding | undefined, words: Words): string {
  const text = plainText(line)
  return line !== '' && line === branding?.vatId ? `${words.vatNumber}: ${text}` : text
}

type Content = Pick<ReceiptView, 'items' | 'total' | 'vat' | 'taxNotes' | 'payments' | 'data'>

/** Items, total, tax and payments: what the case words decide about. */
function contentOf(
  pair: PublishedPair,
  { cases, told, language }: { cases: Cases; told: Told; language: Language },
): Content & { sold: boolean } {
  const { request, response } = pair
  const words = wordsOf(language)
  const both = (sent: string, added: string): JsonObject[] => [
    ...objectsIn(request, sent),
    ...objectsIn(response, added),
  ]
  const charges = both('cbChargeItems', 'ftChargeItems').map((item) => chargeIn(item, cases, words))
  const payments = both('cbPayItems', 'ftPayItems').map((item) =>
    paymentIn(item, { cases, language }),
  )
  const currency = plainText(textIn(request, 'Currency')) || pair.currency
  const { document, grouped, smallBusiness } = cases.receipt
  const untaxed = smallBusiness || told.omits.has('tax')
  const shown = charges.filter(({ traits }) => !traits.amongPayments)
  const total = totalOf(request, shown, payments)
  return {
    items: [
      ...itemsOf(shown, { language, currency, grouped, untaxed }),
      ...paidItemsOf(payments, language),
    ],
    total: priceText(total, language, currency),
    ...(told.omits.has('tax') ? UNTOLD : taxOf(pair, charges, { untaxed, language })),
    payments: told.omits.has('payments') ? [] : paymentsOf(payments, charges, language),
    data: {
      ...{ moment: '', currency, total: amountText(total) },
      due: dueOf(total, { document, payments, charges }),
    },
    sold: total.isPositive,
  }
}

const UNTOLD: Pick<ReceiptView, 'vat' | 'taxNotes'> = { vat: [], taxNotes: [] }

/** A small business shows no tax, and what is sold by the margin scheme is in no row. */
function taxOf(
  { rules }: PublishedPair,
  charges: readonly Charge[],
  { untaxed, language }: { untaxed: boolean; language: Language },
): Pick<ReceiptView, 'vat' | 'taxNotes'> {
  const words = wordsOf(language)
  if (untaxed) {
    const law = rules === undefined ? '' : ` (${rules.smallBusinessLaw})`
    return { vat: [], taxNotes: [`${words.smallBusiness}${law}`] }
  }
  const rows = vatRowsOf(
    charges.filter(({ traits }) => !traits.marginScheme),
    language,
  )
  const margin = charges.some(({ traits }) => traits.marginScheme)
  return { vat: rows, taxNotes: margin ? [words.marginScheme] : [] }
}

function plainLines(object: JsonObject | undefined, name: string): string[] {
  return object === undefined ? [] : linesIn(object, name).map(plainText)
}

/** As it was given, else what is shown above it. */
function totalOf(
  request: JsonObject,
  charges: readonly Charge[],
  payments: readonly Payment[],
): Decimal {
  const given = memberOf(request, 'cbReceiptAmount')
  const amount = given === undefined ? undefined : decimalIn(request, 'cbReceiptAmount')
  if (amount !== undefined) return amount
  const paid = payments.filter(({ traits }) => traits.amongItems)
  const sums = [...charges.map((one) => one.amount), ...paid.map((one) => one.amount.negated())]
  return sums.reduce((sum, one) => sum.plus(one), Decimal.ZERO)
}
