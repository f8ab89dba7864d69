// What a request means to the Greek queue, and every rule that it can break by itself; the first
// one that is broken is told. Amounts are cents, positive in the direction of the document.
import type { Cased, CasedRequest } from '../../case/reader.js'
import { foreignItem, foreignReceipt } from '../../case/refusals.js'
import { chargeTraits, receiptTraits } from '../../case/traits.js'
import { isVersion2, natureIn, serviceIn } from '../../case/word.js'
import { COUNTRY } from '../../device/gr/countries.js'
import type { Content, Customer, Row, Tax } from '../../device/gr/document.js'
import { isTaxless, needsCustomer } from '../../device/gr/invoice-types.js'
import { isVat, plainVat } from '../../device/gr/mydata.js'
import { isFeeRow, type SpecialTax, specialTaxOf } from '../../device/gr/special-taxes.js'
import { formatCents, taxInside } from '../../lib/decimal.js'
import { objectIn } from '../../lib/json.js'
import type { XmlTree } from '../../lib/xml-write.js'
import type { ChargeItem } from '../../model/receipt.js'
import { customerIn } from '../kit/customer.js'
import { decidedBy } from '../kit/decide.js'
import { type Refusal, refuse as refuseWith } from '../kit/refusal.js'
import * as c from './cases.js'
import { classificationOf, regionOf } from './classification.js'
import lists from './lists.json' with { type: 'json' }
import { paymentsOf } from './payments.js'
import { NOTHING_SAID, rowSaid, type Said, saidOf } from './said.js'
import { firstOf, refuse } from './text.js'

/** Its `type` is '' where nothing is sent. */
export interface Reading extends Content {
  kind: 'reading'
  code: number
  /** Of a document that was issued before: how it was paid. */
  paysLater: boolean
  late: boolean
  references: readonly string[]
  /** A delivery is cancelled by its MARK. */
  cancels: boolean
  said: Said
}

const hex = (value: bigint): string => `0x${value.toString(16)}`

/** cbPreviousReceiptReference: one, or a list as JSON. */
export function referencesIn({ request }: Pick<CasedRequest, 'request'>): string[] {
  const text = request.previousReceiptReference?.trim() ?? ''
  if (!text.startsWith('[')) return text === '' ? [] : [text]
  const list = objectIn(`{"list":${text}}`)?.get('list')
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [text]
}

export function readReceipt(read: CasedRequest): Reading | Refusal {
  const wrong = foreignReceipt(read, c.caseRules) ?? foreignItem(read, c.caseRules)
  if (wrong !== undefined) return refuseWith(wrong.message, wrong.field)
  const { receipt } = read.words
  const what = isVersion2(receipt) ? c.receipts[receipt.code] : undefined
  const { handwritten, ...traits } = receiptTraits(receipt)
  const carries = (receipt.flags & c.TRANSPORT_FLAG) !== 0
  const isUnknown = what === undefined || (what === 'deliveryNote' && !carries)
  if (isUnknown || (handwritten && !c.written.has(what))) {
    return refuse('notSupported', hex(read.request.receiptCase))
  }
  const said = c.written.has(what) || what === 'online' ? saidOf(read, handwritten) : NOTHING_SAID
  if ('kind' in said) return said
  // the traits of a log say nothing of a void: an order has one
  const voids = (receipt.flags & 0x0004) !== 0
  const plain: Reading = {
    ...{ kind: 'reading', code: receipt.code, type: '', voids, refunds: traits.refund },
    ...{ late: traits.late, customer: undefined, rows: [], taxes: [], payments: [] },
    ...{ references: referencesIn(read), voided: '', paysLater: false, cancels: false },
    ...{ carries, said },
  }
  if (what === 'plain' || what === 'life') return plain
  if (what === 'online' && said.header.invoiceType === undefined) return plain
  if (what === 'payment') return payment(read, plain)
  return document(read, plain, what)
}

/** Without a payment of this kind, or without its document, it is only stored. */
function payment({ words }: CasedRequest, plain: Reading): Reading | Refusal {
  const pays = words.pays.filter(({ local }) => (local & c.LATER_PAYMENT) !== 0)
  if (pays.length === 0 || plain.references.length === 0) return plain
  const payments = paymentsOf(pays, plain.refunds)
  return 'kind' in payments ? payments : { ...plain, payments, paysLater: true }
}

function document(read: CasedRequest, plain: Reading, what: c.What): Reading | Refusal {
  const { request, words } = read
  if (words.charges.length === 0) return refuse('itemsMissing')
  const customer = customerOf(request.customer)
  const own = plain.said.header.invoiceType
  const type = typeof own === 'string' ? own : typeOf(read, { ...plain, customer }, what)
  if (typeof type !== 'string') return type
  const given = { ...plain, type, customer }
  const { voids, said, references } = given
  const isDelivery = type === '9.3'
  if (voids && isDelivery) {
    return references.length === 0 ? refuse('deliveryVoid') : { ...given, cancels: true }
  }
  const isPaid = what !== 'order' && what !== 'deliveryNote'
  const [sold, paid] = [words.charges, words.pays].map((items) =>
    items.reduce((sum, { item }) => sum + item.amount.toCents(), 0n),
  )
  const needsParty = needsCustomer.has(type) && said.counterpart === undefined
  const isNamed = customer === undefined || !customer.isHome || isVat(customer.vat)
  const isBack = isDelivery && plain.refunds
  const wrong = firstOf(
    [voids && type !== '8.6', 'voidNotSupported'],
    [needsParty && customer === undefined, 'customer'],
    [needsParty && !isNamed, 'customerVat', customer?.vat ?? ''],
    [isBack && said.header.reverseDeliveryNotePurpose === undefined, 'returnPurpose'],
    [isPaid && sold !== paid, 'sums'],
    [voids && references.length === 0, 'orderVoid'],
    [voids && (request.area?.trim() ?? '') === '', 'orderTable'],
  )
  if (wrong !== undefined) return wrong
  if (voids) return { ...given, voided: words.charges[0]?.item.description ?? '' }
  const lines = linesOf(read, given)
  if ('kind' in lines) return lines
  const payments = paymentsOf(words.pays, given.refunds)
  return 'kind' in payments ? payments : { ...given, ...lines, payments }
}

function customerOf(text: string | null): Customer | undefined {
  const { vatId, ...given } = customerIn(text)
  const letters = given.country.toUpperCase()
  const country = letters === 'EL' ? 'GR' : letters
  // without a country of the list there is no counterpart
  if (!COUNTRY.test(country)) return undefined
  const isHome = country === 'GR'
  const vat = isHome ? plainVat(vatId) : vatId.replace(/[\s.-]/g, '')
  const { name, street, zip, city } = given
  return { country, isHome, vat, name, street, zip, city }
}

const documentTypes = decidedBy<string>(lists.documentTypes)

/** By the kinds of what is sold (S); what must stand alone is no type, but the name of its kind. */
function typeOf(
  { words }: CasedRequest,
  { refunds, references, said, customer }: Reading,
  what: c.What,
): string | Refusal {
  const kinds = new Set(words.charges.map(serviceIn))
  kinds.delete(c.services.special)
  const original = said.header.correlatedInvoices ?? said.header.multipleConnectedMarks
  const type = documentTypes({
    ...{ what, isInvoice: what === 'invoice', refunds, region: regionOf(customer) },
    kinds: [...kinds]
      .map((kind) => kind.toString(16))
      .toSorted()
      .join(''),
    refers: references.length + said.marks.length > 0 || original !== undefined,
  })
  return type !== undefined && /^\d/.test(type) ? type : refuse('mixed', type ?? '')
}

// ------------------------------------------------------------------------------------------- rows

type Lines = Pick<Reading, 'rows' | 'taxes'>

function linesOf(read: CasedRequest, given: Reading): Lines | Refusal {
  const rows: Row[] = []
  const taxes: Tax[] = []
  const sign = given.refunds ? -1n : 1n
  for (const [at, one] of read.words.charges.entries()) {
    const amount = sign * one.item.amount.toCents()
    const service = serviceIn(one)
    const special = service === c.services.special ? specialTaxOf(one.item.description) : undefined
    if (service === c.services.special && special === undefined) {
      return refuse('specialTax', one.item.description)
    }
    if (special !== undefined && !isFeeRow(special, one.code & 0xf)) {
      taxes.push({ ...special, amount: amount < 0n ? -amount : amount })
      continue
    }
    const isRedeemed = service === c.services.voucher && amount < 0n
    if (chargeTraits(one).discount || isRedeemed) {
      const before = rows.at(-1)
      if (before === undefined) return refuse('modifier')
      before.deductions -= amount
      continue
    }
    const row = rowOf(one, { at, amount, given, special })
    if ('kind' in row) return row
    rows.push(row)
  }
  const isClassified = ({ said }: Row) => said.incomeClassification !== undefined
  if (rows.some(isClassified) && !rows.every(isClassified)) return refuse('allClassifications')
  const over = rows.find(({ deductions }) => deductions < 0n)
  return over === undefined
    ? { rows, taxes }
    : refuse('negative', formatCents(over.deductions, '.'))
}

interface Place {
  at: number
  amount: bigint
  given: Reading
  special: SpecialTax | undefined
}

function rowOf(one: Cased<ChargeItem>, { at, amount, given, special }: Place): Row | Refusal {
  const { item } = one
  const isReturn = given.type === '8.6' && chargeTraits(one).refund
  const gross = isReturn && amount < 0n ? -amount : amount
  if (gross < 0n) return refuse('negative', item.amount.toShortString())
  const tax = taxOf(one, given.type)
  if ('kind' in tax) return tax
  const told = item.vatAmount?.toCents() ?? taxInside(gross, item.vatRate)
  const size = told < 0n ? -told : told
  const vat = tax.category === c.NO_TAX || tax.category === c.EXEMPT ? 0n : size
  if (tax.exemption !== '' && size !== 0n) return refuse('natureWithVat', formatCents(size, '.'))
  const said = rowSaid(item.chargeItemCaseData)
  if ('kind' in said) return said
  const own = said.tree.incomeClassification as XmlTree | undefined
  const usual = special === undefined ? classificationOf(one, given, tax.exemption) : undefined
  return {
    line: String(item.position > 0n ? item.position : at + 1),
    ...{ text: item.description, quantity: item.quantity, net: gross - vat, vat, ...tax },
    ...{ fee: special?.category, deductions: 0n, isReturn, code: item.productNumber ?? '' },
    ...{ classification: own === undefined ? usual : saidClass(own), said: said.tree },
  }
}

/** What a program says in the place of the table. */
const saidClass = (own: XmlTree): Row['classification'] => ({
  category: String(own.classificationCategory ?? ''),
  type: String(own.classificationType ?? ''),
})

function taxOf(
  one: Cased<ChargeItem>,
  type: string,
): { category: number; exemption: string } | Refusal {
  const { item, code } = one
  const [vat, nature, rate] = [code & 0xf, natureIn(one), item.vatRate.toShortString()]
  if (/^8\.[45]$/.test(type)) return { category: c.NO_TAX, exemption: '' }
  const isVoucher = serviceIn(one) === c.services.voucher && vat === c.NO_TAX
  const plain = isVoucher ? c.VOUCHER_EXEMPTION : ''
  const exemption = nature === '00' ? plain : c.exemptions[nature]
  if (exemption === undefined) return refuse('nature', hex(item.chargeItemCase))
  if (exemption !== '') return { category: c.EXEMPT, exemption }
  const category = c.vatCategories[vat]?.[rate]
  const name = c.vatNames[vat] ?? String(vat)
  const isZero = vat === c.EXEMPT || vat === c.NO_TAX
  if (category === undefined)
    return isZero ? refuse('zeroRate', name) : refuse('vatRate', rate, name)
  const isNone = category === c.EXEMPT || (category === c.NO_TAX && !isTaxless(type))
  return isNone ? refuse('natureMissing', hex(item.chargeItemCase)) : { category, exemption }
}
