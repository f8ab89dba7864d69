// A document of myDATA: members in the order of the schema (2.0.1). Amounts are cents, positive in
// the direction of the document.
import { type Decimal, formatCents } from '../../lib/decimal.js'
import { formsOf } from '../../lib/form.js'
import { inOrder, unlessEmpty, type XmlTree, type XmlValue } from '../../lib/xml-write.js'
import type { Company } from '../../model/queue-facts.js'
import forms from './document.json' with { type: 'json' }
import { correlates, isRetail, namesForeigner } from './invoice-types.js'
import type { DocumentId } from './mydata.js'
import { HEADER, ROW_ORDER } from './said.js'
import type { SpecialTax } from './special-taxes.js'
import { inside } from './whole.js'

export interface Classification {
  category: string
  /** '' : none. */
  type: string
}

export interface Row {
  line: string
  text: string
  quantity: Decimal
  net: bigint
  vat: bigint
  category: number
  exemption: string
  /** Category of a fee with VAT. */
  fee: number | undefined
  deductions: bigint
  isReturn: boolean
  classification: Classification | undefined
  code: string
  /** In the place of ours. */
  said: XmlTree
}

export interface Tax extends SpecialTax {
  amount: bigint
}

export interface Customer {
  country: string
  isHome: boolean
  vat: string
  name: string
  street: string
  zip: string
  city: string
}

/** What a document says. */
export interface Content {
  /** invoiceType */
  type: string
  voids: boolean
  refunds: boolean
  customer: Customer | undefined
  rows: readonly Row[]
  taxes: readonly Tax[]
  payments: readonly XmlTree[]
  /** Of an order that is cancelled: what its first item is. */
  voided: string
  /** Goods go with the document. */
  carries: boolean
  /** Members that take the place of ours. */
  said: { header: XmlTree; counterpart: XmlTree | undefined }
}

export interface About extends Omit<DocumentId, 'type' | 'variation'> {
  /** Of the documents that it refers to. */
  marks: readonly string[]
  /** tableAA. */
  table: string
  url: string
  /** Who issues it: told where goods go with the document. */
  sender: Pick<Company, 'name' | 'street' | 'postalCode' | 'city'> | undefined
  /** Number of the provider, where cards were signed. */
  author: string
}

/** Its parts with their members (document.json). */
const write = formsOf<keyof typeof forms, XmlValue>(forms)

const two = (cents: bigint): string => formatCents(cents, '.')
const sumOf = (values: readonly bigint[]): bigint => values.reduce((sum, one) => sum + one, 0n)

/** What stands inside of `invoice`. */
export function documentOf(content: Content, about: About): string {
  const { voids, voided, payments, taxes } = content
  const rows = voids ? [] : content.rows
  const taxTrees = taxes.map(({ type, category, amount }) =>
    write.tax({ type: `${type}`, category: `${category}`, amount: two(amount) }),
  )
  return inside(
    write.document({
      ...{ ...about, counterpart: counterpartOf(content), header: headerOf(content, about) },
      sender: content.carries ? senderOf(about) : undefined,
      paid: payments.length > 0 ? signedBy(payments, about.author) : undefined,
      rows: voids
        ? write.voided({ text: voided.slice(0, 300) })
        : rows.map((row) => rowTree(row, content)),
      taxes: taxTrees.length > 0 ? taxTrees : undefined,
      summary: summaryOf(content, rows),
    }),
  )
}

function counterpartOf({ type, customer, carries, said }: Content): XmlTree | undefined {
  if (said.counterpart !== undefined) return said.counterpart
  const isSilent = (isRetail(type) && !carries) || /^8\.[456]$/.test(type)
  if (customer === undefined || isSilent) return undefined
  const isNamed = carries || (!customer.isHome && namesForeigner.has(type))
  const named = isNamed ? unlessEmpty(customer.name.slice(0, 200)) : undefined
  const { zip } = customer
  const place = { street: customer.street.slice(0, 150), zip, city: customer.city.slice(0, 150) }
  return write.counterpart({ ...customer, named, address: addressOf(place, carries) })
}

function senderOf({ sender }: About): XmlTree {
  const { name, street, postalCode, city } = { ...sender }
  const place = { street: street ?? '', zip: postalCode ?? '', city: city ?? '' }
  return { name: unlessEmpty((name ?? '').slice(0, 200)), address: addressOf(place, true) }
}

/** The number is part of the street; where goods are sent there has to be one. */
function addressOf(
  { street, zip, city }: Pick<Customer, 'street' | 'zip' | 'city'>,
  isNumbered: boolean,
): XmlTree | undefined {
  if (zip === '' || city === '') return undefined
  const number = isNumbered ? '0' : undefined
  return write.address({ street: unlessEmpty(street), number, zip, city })
}

function headerOf({ type, refunds, voids, carries, said }: Content, about: About): XmlTree {
  const isCorrelated = refunds ? !isRetail(type) : correlates.has(type)
  const isDelivery = type === '9.3'
  return inOrder(HEADER, {
    ...{ series: about.series, aa: about.aa, issueDate: about.date, invoiceType: type },
    currency: isDelivery ? undefined : 'EUR',
    [isCorrelated ? 'correlatedInvoices' : 'multipleConnectedMarks']: about.marks,
    tableAA: type === '8.6' ? about.table : undefined,
    totalCancelDeliveryOrders: voids ? 'true' : undefined,
    isDeliveryNote: carries && !isDelivery ? 'true' : undefined,
    reverseDeliveryNote: isDelivery && refunds ? 'true' : undefined,
    ...said.header,
  })
}

/** `2.0` of 2, as the field writes it. */
const quantityOf = (value: Decimal): string => {
  const text = (value.isNegative ? value.negated() : value).toShortString()
  return text.includes('.') ? text : `${text}.0`
}

function rowTree(row: Row, { type, carries }: Content): XmlTree {
  const { classification } = row
  const { incomeClassification: _, ...said } = row.said
  const exemption = said.vatExemptionCategory ?? row.exemption
  const about = {
    itemCode: unlessEmpty(row.code.slice(0, 50)),
    ...{ itemDescr: row.text.slice(0, 300), quantity: quantityOf(row.quantity) },
    measurementUnit: '1',
  }
  return inOrder(ROW_ORDER, {
    ...(type === '8.6' || carries ? about : {}),
    recType: row.fee !== undefined ? '2' : row.isReturn ? '7' : undefined,
    ...{ vatCategory: String(row.category), ...said },
    vatExemptionCategory: exemption === '' ? undefined : exemption,
    ...{ lineNumber: row.line, netValue: two(row.net), vatAmount: two(row.vat) },
    feesPercentCategory: row.fee?.toString(),
    deductionsAmount: row.deductions === 0n ? undefined : two(row.deductions),
    incomeClassification: classification && classificationTree(classification, two(row.net)),
  })
}

function summaryOf({ taxes }: Content, rows: readonly Row[]): XmlTree {
  const sum = (part: 'net' | 'vat' | 'deductions') => sumOf(rows.map((row) => row[part]))
  const of = (type: number) => sumOf(taxes.flatMap((one) => (one.type === type ? one.amount : [])))
  const [net, vat, deductions] = [sum('net'), sum('vat'), sum('deductions')]
  const [withheld, fees, other, stamp] = [of(1), of(2), of(3), of(4)]
  const gross = net + vat - withheld + fees + stamp + other - deductions
  const sums = { net, vat, withheld, fees, stamp, other, deductions, gross }
  const texts = Object.entries(sums).map(([name, one]) => [name, two(one)])
  return write.summary({ ...Object.fromEntries(texts), classified: classified(rows) })
}

/** By category and type, typed ones first. */
function classified(rows: readonly Row[]): XmlTree[] {
  const sums = new Map<string, { of: Classification; amount: bigint }>()
  for (const { classification: of, net } of rows) {
    if (of === undefined) continue
    const key = `${of.category}|${of.type}`
    sums.set(key, { of, amount: (sums.get(key)?.amount ?? 0n) + net })
  }
  const isPlain = ({ of }: { of: Classification }) => (of.type === '' ? 1 : 0)
  return [...sums.values()]
    .sort((one, other) => isPlain(one) - isPlain(other))
    .map(({ of, amount }) => classificationTree(of, two(amount)))
}

const classificationTree = (of: Classification, amount: string): XmlTree =>
  write.classification({ ...of, type: of.type || undefined, amount })

interface Payment {
  type: number
  amount: bigint
  tip: bigint
  text: string
  /** Of a card: its transaction, and what the provider has signed of it. */
  id?: string
  signature?: string
}

export const paymentTree = ({ type, amount, tip, ...rest }: Payment): XmlTree =>
  write.payment({
    ...{ ...rest, type: String(type), amount: two(amount) },
    tip: tip === 0n ? undefined : two(tip),
  })

/** With the number of the provider, where cards were signed. */
export const signedBy = (payments: readonly XmlTree[], author: string): XmlTree[] =>
  payments.map((one) => {
    const { ProvidersSignature: signature } = one
    if (signature === undefined) return one
    return { ...one, ProvidersSignature: { SigningAuthor: author, ...(signature as XmlTree) } }
  })
