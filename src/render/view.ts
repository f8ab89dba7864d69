// What a shown receipt says, whatever its format: read from the published pair without complaint.
// Called by the renderers' callers; text.ts and html.ts only arrange it.
import { Decimal } from '../lib/decimal.js'
import type { JsonObject } from '../lib/json.js'
import {
  dataIn,
  decimalIn,
  linesIn,
  memberOf,
  momentIn,
  objectsIn,
  textIn,
  wordIn,
} from '../model/json-members.js'
import { dateText, moneyText, numberText, plainText } from './plain-text.js'
import { type SignatureView, signaturesOf } from './signatures.js'
import { type VatRow, vatRowsOf } from './vat.js'
import { type Language, type Words, wordsOf } from './words.js'

/** A published pair and what the server knows besides it. */
export interface PublishedPair {
  request: JsonObject
  response: JsonObject
  /** False for a pair that somebody sent: nobody vouches for it. */
  verified: boolean
  /** Name first, then its address. */
  merchant: string[]
  country: string
  /** Legal time zone of the queue. */
  zone: string
  currency: string
}

export interface ItemView {
  description: string
  lines: string[]
  /** `2 x 3,80`; '' for one piece. */
  detail: string
  rate: string
  amount: string
  /** A discount or an extra for the item above. */
  belongs: boolean
}

export interface PaymentView {
  description: string
  amount: string
  lines: string[]
}

export interface ReceiptView {
  language: Language
  words: Words
  /** In the language of the reader: `Beleg`. */
  title: string
  number: string
  merchant: string[]
  marks: string[]
  facts: { label: string; value: string }[]
  customer: string[]
  header: string[]
  items: ItemView[]
  chargeLines: string[]
  total: string
  vat: VatRow[]
  payments: PaymentView[]
  payLines: string[]
  receiptLines: string[]
  signatures: SignatureView[]
  footer: string[]
}

/** The pair in the words of a language; every text is free of control characters. */
export function viewOf(pair: PublishedPair, language: Language): ReceiptView {
  const { request, response } = pair
  const words = wordsOf(language)
  const receiptCase = wordIn(request, 'ftReceiptCase') ?? 0n
  const charges = [...objectsIn(request, 'cbChargeItems'), ...objectsIn(response, 'ftChargeItems')]
  const payments = [...objectsIn(request, 'cbPayItems'), ...objectsIn(response, 'ftPayItems')]
  const currency = plainText(textIn(request, 'Currency')) || pair.currency
  return {
    language,
    words,
    title: words.receipt,
    number: plainText(textIn(response, 'ftReceiptIdentification')),
    merchant: pair.merchant.map(plainText),
    marks: marksOf(receiptCase, pair.verified, words),
    facts: factsOf(pair, { language, words }),
    customer: customerOf(request),
    header: plainLines(response, 'ftReceiptHeader'),
    items: charges.map((item) => itemOf(item, language)),
    chargeLines: plainLines(response, 'ftChargeLines'),
    total: `${currency} ${moneyText(totalOf(request, charges), language)}`,
    vat: isSmallBusiness(receiptCase) ? [] : vatRowsOf(charges, language),
    payments: payments.map((item) => paymentOf(item, language)),
    payLines: plainLines(response, 'ftPayLines'),
    receiptLines: plainLines(dataIn(request, 'ftReceiptCaseData'), 'cbReceiptLines'),
    signatures: signaturesOf(response),
    footer: plainLines(response, 'ftReceiptFooter'),
  }
}

function plainLines(object: JsonObject | undefined, name: string): string[] {
  return object === undefined ? [] : linesIn(object, name).map(plainText)
}

// Flags of ftReceiptCase, bits 16 to 31 of the word, the same in both taggings.
const TRAINING = 0x0002_0000n
const VOID = 0x0004_0000n
const LATE = 0x0008_0000n
// Flags of tagging version 2 only.
const SMALL_BUSINESS = 0x0010_0000n
const REFUND = 0x0100_0000n

/** Tagging version 2, and a receipt or an invoice: elsewhere these bits say something else. */
function isSale(receiptCase: bigint): boolean {
  return ((receiptCase >> 44n) & 0xfn) === 2n && ((receiptCase >> 12n) & 0xfn) <= 1n
}

function isSmallBusiness(receiptCase: bigint): boolean {
  return isSale(receiptCase) && (receiptCase & SMALL_BUSINESS) !== 0n
}

function marksOf(receiptCase: bigint, verified: boolean, words: Words): string[] {
  const has = (flag: bigint): boolean => (receiptCase & flag) !== 0n
  return [
    ...(verified ? [] : [words.unverified]),
    ...(has(TRAINING) ? [words.training] : []),
    ...(has(VOID) ? [words.void] : []),
    ...(isSale(receiptCase) && has(REFUND) ? [words.refund] : []),
    ...(has(LATE) ? [words.late] : []),
  ]
}

/** A reference that is longer is a key of the register, which says nothing to anybody. */
const LONGEST_REFERENCE = 32

function factsOf(
  { request, response, zone }: PublishedPair,
  { language, words }: { language: Language; words: Words },
): ReceiptView['facts'] {
  const moment = momentIn(response, 'ftReceiptMoment') ?? momentIn(request, 'cbReceiptMoment')
  const reference = textIn(request, 'cbReceiptReference')
  const facts = [
    { label: words.number, value: textIn(response, 'ftReceiptIdentification') },
    { label: words.moment, value: moment === undefined ? '' : dateText(moment, zone, language) },
    { label: words.register, value: textIn(response, 'ftCashBoxIdentification') },
    { label: words.reference, value: reference.length <= LONGEST_REFERENCE ? reference : '' },
    { label: words.terminal, value: textIn(request, 'cbTerminalID') },
  ]
  return facts
    .map(({ label, value }) => ({ label, value: plainText(value) }))
    .filter(({ value }) => value !== '')
}

function customerOf(request: JsonObject): string[] {
  const customer = dataIn(request, 'cbCustomer')
  if (customer === undefined) return []
  const member = (name: string): string =>
    plainText(textIn(customer, `Customer${name}`) || textIn(customer, name))
  const place = `${member('Zip')} ${member('City')}`.trim()
  const lines = [member('Name'), member('Street'), place, member('Country'), member('VATId')]
  return lines.filter((line) => line !== '')
}

// Flag of ftChargeItemCase in tagging version 2: a discount or an extra for the item above.
const DISCOUNT = 0x0004_0000n

function itemOf(item: JsonObject, language: Language): ItemView {
  const itemCase = wordIn(item, 'ftChargeItemCase') ?? 0n
  const amount = decimalIn(item, 'Amount') ?? Decimal.ZERO
  const rate = decimalIn(item, 'VATRate') ?? Decimal.ZERO
  return {
    description: plainText(textIn(item, 'Description')),
    lines: plainLines(dataIn(item, 'ftChargeItemCaseData'), 'cbChargeItemLines'),
    detail: detailOf(item, amount, language),
    rate: `${numberText(rate, language)} %`,
    amount: moneyText(amount, language),
    belongs: ((itemCase >> 44n) & 0xfn) === 2n && (itemCase & DISCOUNT) !== 0n,
  }
}

/** Quantity and price of one, where there is not just one. */
function detailOf(item: JsonObject, amount: Decimal, language: Language): string {
  const given = decimalIn(item, 'Quantity')
  if (given === undefined || given.isZero || given.equals(ONE)) return ''
  const price = decimalIn(item, 'UnitPrice') ?? Decimal.cents(quotient(amount, given))
  const unit = plainText(textIn(item, 'Unit'))
  const quantity = `${numberText(given, language)}${unit === '' ? '' : ` ${unit}`}`
  return `${quantity} x ${moneyText(price, language)}`
}

const ONE = new Decimal(1n, 0)

/** Cents of `amount` by `quantity`, halves away from zero; a price has no sign of its own. */
function quotient(amount: Decimal, quantity: Decimal): bigint {
  const absolute = (value: bigint): bigint => (value < 0n ? -value : value)
  const scale = BigInt(quantity.scale + 2) - BigInt(amount.scale)
  const units = absolute(amount.units)
  const above = scale >= 0n ? units * 10n ** scale : units
  const below = absolute(quantity.units) * (scale >= 0n ? 1n : 10n ** -scale)
  return (above * 2n + below) / (below * 2n)
}

function totalOf(request: JsonObject, charges: readonly JsonObject[]): Decimal {
  const given = memberOf(request, 'cbReceiptAmount')
  const amount = given === undefined ? undefined : decimalIn(request, 'cbReceiptAmount')
  if (amount !== undefined) return amount
  const amounts = charges.map((item) => decimalIn(item, 'Amount') ?? Decimal.ZERO)
  return amounts.reduce((sum, one) => sum.plus(one), Decimal.ZERO)
}

function paymentOf(item: JsonObject, language: Language): PaymentView {
  const data = dataIn(item, 'ftPayItemCaseData')
  const receipt = plainLines(data, 'Receipt')
  return {
    description: plainText(textIn(item, 'Description')),
    amount: moneyText(decimalIn(item, 'Amount') ?? Decimal.ZERO, language),
    lines: receipt.length > 0 ? receipt : plainLines(data, 'cbPayItemLines'),
  }
}
