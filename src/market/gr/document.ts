// A document of myDATA from what was read: members in the order of the schema (2.0.1).
import { inOrder, ROW_HEAD, ROW_TAIL } from '../../device/gr/said.js'
import { type Decimal, formatCents } from '../../lib/decimal.js'
import { element, type XmlTree } from '../../lib/xml-write.js'
import { correlates, isRetail, NO_TAX, namesForeigner } from './cases.js'
import { type Classification, classificationTree } from './classification.js'
import type { Customer, Reading, Row } from './reading.js'
import { headed } from './said.js'

export interface About {
  vat: string
  branch: string
  series: string
  aa: string
  date: string
  /** Of the documents that it refers to. */
  marks: readonly string[]
  /** tableAA. */
  table: string
  url: string
  /** Name and address of the issuer, where goods go with the document. */
  sender: XmlTree
  payments: readonly XmlTree[]
}

const two = (cents: bigint): string => formatCents(cents, '.')
const sumOf = (values: readonly bigint[]): bigint => values.reduce((sum, one) => sum + one, 0n)

export interface Made {
  /** What stands inside of `invoice`. */
  xml: string
  gross: string
}

export function documentOf(reading: Reading, about: About): Made {
  const rows = reading.voids ? [] : reading.rows
  const summary = summaryOf(reading, rows)
  const members: XmlTree = {
    issuer: { vatNumber: about.vat, country: 'GR', branch: about.branch, ...about.sender },
    ...counterpartOf(reading),
    invoiceHeader: headerOf(reading, about),
    ...(reading.payments.length === 0
      ? {}
      : { paymentMethods: { paymentMethodDetails: about.payments } }),
    invoiceDetails: reading.voids
      ? [voidedRow(reading)]
      : rows.map((row): XmlTree => rowTree(row, reading)),
    ...(reading.taxes.length === 0 ? {} : { taxesTotals: { taxes: taxTrees(reading) } }),
    ...{ invoiceSummary: summary, downloadingInvoiceUrl: about.url },
  }
  const xml = element('invoice', members)
  const gross = String(summary.totalGrossValue)
  return { xml: xml.slice('<invoice>'.length, -'</invoice>'.length), gross }
}

const voidedRow = ({ voided }: Reading): XmlTree => ({
  ...{ lineNumber: '1', itemDescr: voided.slice(0, 300), quantity: '1.0', measurementUnit: '1' },
  ...{ netValue: '0.00', vatCategory: String(NO_TAX), vatAmount: '0.00' },
})

function counterpartOf({ type, customer, carries, said }: Reading): XmlTree {
  if (said.counterpart !== undefined) return { counterpart: said.counterpart }
  const isSilent = (isRetail(type) && !carries) || /^8\.[456]$/.test(type)
  if (customer === undefined || isSilent) return {}
  const { country, vat, name } = customer
  const isNamed = carries || (country !== 'GR' && namesForeigner.has(type))
  return {
    counterpart: {
      ...{ vatNumber: vat, country, branch: '0' },
      ...(isNamed && name !== '' ? { name } : {}),
      ...addressOf(customer, carries),
    },
  }
}

/** The number is part of the street; where goods are sent there has to be one. */
export function addressOf(
  { street, zip, city }: Pick<Customer, 'street' | 'zip' | 'city'>,
  isNumbered: boolean,
): XmlTree {
  if (zip === '' || city === '') return {}
  const number = isNumbered ? { number: '0' } : {}
  return { address: { ...(street === '' ? {} : { street }), ...number, postalCode: zip, city } }
}

function headerOf({ type, refunds, voids, carries, said }: Reading, about: About): XmlTree {
  const isCorrelated = refunds ? !isRetail(type) : correlates.has(type)
  const isDelivery = type === '9.3'
  const ours = {
    ...{ series: about.series, aa: about.aa, issueDate: about.date, invoiceType: type },
    ...(isDelivery ? {} : { currency: 'EUR' }),
    ...(about.marks.length === 0
      ? {}
      : { [isCorrelated ? 'correlatedInvoices' : 'multipleConnectedMarks']: about.marks }),
    ...(type === '8.6' ? { tableAA: about.table } : {}),
    ...(voids ? { totalCancelDeliveryOrders: 'true' } : {}),
    ...(carries && !isDelivery ? { isDeliveryNote: 'true' } : {}),
    ...(isDelivery && refunds ? { reverseDeliveryNote: 'true' } : {}),
  }
  return headed(ours, said.header)
}

/** `2.0` of 2, as the field writes it. */
const quantityOf = (value: Decimal): string => {
  const text = (value.isNegative ? value.negated() : value).toShortString()
  return text.includes('.') ? text : `${text}.0`
}

function rowTree(row: Row, { type, carries }: Reading): XmlTree {
  const { classification, said } = row
  const isTold = type === '8.6' || carries
  const recType = row.fee !== undefined ? '2' : row.isReturn ? '7' : undefined
  const { incomeClassification: _, ...own } = said
  const head = {
    ...(recType === undefined ? {} : { recType }),
    ...(isTold && row.code !== '' ? { itemCode: row.code.slice(0, 50) } : {}),
    ...(isTold ? { itemDescr: row.text.slice(0, 300), quantity: quantityOf(row.quantity) } : {}),
    ...(isTold ? { measurementUnit: '1' } : {}),
    ...own,
  }
  const tax = { vatCategory: String(row.category), vatExemptionCategory: row.exemption, ...own }
  return {
    ...{ lineNumber: row.line, ...inOrder(ROW_HEAD, head), netValue: two(row.net) },
    ...{ vatCategory: tax.vatCategory, vatAmount: two(row.vat) },
    ...(tax.vatExemptionCategory === '' ? {} : { vatExemptionCategory: tax.vatExemptionCategory }),
    ...inOrder(['discountOption'], own),
    ...(row.fee === undefined ? {} : { feesPercentCategory: String(row.fee) }),
    ...(row.deductions === 0n ? {} : { deductionsAmount: two(row.deductions) }),
    ...inOrder(['lineComments'], own),
    ...(classification === undefined
      ? {}
      : { incomeClassification: classificationTree(classification, two(row.net)) }),
    ...inOrder(ROW_TAIL, own),
  }
}

const taxTrees = ({ taxes }: Reading): XmlTree[] =>
  taxes.map(({ type, category, amount }) => ({
    ...{ taxType: String(type), taxCategory: String(category), taxAmount: two(amount) },
  }))

function summaryOf({ taxes }: Reading, rows: readonly Row[]): Record<string, XmlTree[string]> {
  const net = sumOf(rows.map((row) => row.net))
  const vat = sumOf(rows.map((row) => row.vat))
  const deductions = sumOf(rows.map((row) => row.deductions))
  const of = (type: number) => sumOf(taxes.flatMap((one) => (one.type === type ? one.amount : [])))
  const [withheld, fees, other, stamp] = [of(1), of(2), of(3), of(4)]
  const gross = net + vat - withheld + fees + stamp + other - deductions
  return {
    ...{ totalNetValue: two(net), totalVatAmount: two(vat), totalWithheldAmount: two(withheld) },
    ...{ totalFeesAmount: two(fees), totalStampDutyAmount: two(stamp) },
    ...{ totalOtherTaxesAmount: two(other), totalDeductionsAmount: two(deductions) },
    ...{ totalGrossValue: two(gross), incomeClassification: classified(rows) },
  }
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
