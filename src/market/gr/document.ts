// A document of myDATA from what was read: members in the order of the schema (2.0.1).
import { type Decimal, formatCents } from '../../lib/decimal.js'
import { element, type XmlTree } from '../../lib/xml-write.js'
import { correlates, isRetail, NO_TAX, namesForeigner } from './cases.js'
import { type Classification, classificationTree } from './classification.js'
import type { Customer, Reading, Row } from './reading.js'

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
    issuer: { vatNumber: about.vat, country: 'GR', branch: about.branch },
    ...counterpartOf(reading),
    invoiceHeader: headerOf(reading, about),
    ...(reading.payments.length === 0
      ? {}
      : { paymentMethods: { paymentMethodDetails: reading.payments } }),
    invoiceDetails: reading.voids
      ? [voidedRow(reading)]
      : rows.map((row): XmlTree => rowTree(row, reading.type)),
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

function counterpartOf({ type, customer }: Reading): XmlTree {
  if (customer === undefined || isRetail(type) || /^8\.[456]$/.test(type)) return {}
  const { country, vat, name } = customer
  const isNamed = country !== 'GR' && namesForeigner.has(type)
  return {
    counterpart: {
      ...{ vatNumber: vat, country, branch: '0' },
      ...(isNamed && name !== '' ? { name } : {}),
      ...addressOf(customer),
    },
  }
}

function addressOf({ street, zip, city }: Customer): XmlTree {
  if (zip === '' || city === '') return {}
  return { address: { ...(street === '' ? {} : { street }), postalCode: zip, city } }
}

function headerOf({ type, refunds, voids }: Reading, about: About): XmlTree {
  const isCorrelated = refunds ? !isRetail(type) : correlates.has(type)
  return {
    ...{ series: about.series, aa: about.aa, issueDate: about.date, invoiceType: type },
    currency: 'EUR',
    ...(isCorrelated ? { correlatedInvoices: about.marks } : {}),
    ...(isCorrelated ? {} : { multipleConnectedMarks: about.marks }),
    ...(type === '8.6' ? { tableAA: about.table } : {}),
    ...(voids ? { totalCancelDeliveryOrders: 'true' } : {}),
  }
}

/** `2.0` of 2, as the field writes it. */
const quantityOf = (value: Decimal): string => {
  const text = (value.isNegative ? value.negated() : value).toShortString()
  return text.includes('.') ? text : `${text}.0`
}

function rowTree(row: Row, type: string): XmlTree {
  const { classification } = row
  const isTold = type === '8.6'
  const recType = row.fee !== undefined ? '2' : row.isReturn ? '7' : undefined
  return {
    lineNumber: row.line,
    ...(recType === undefined ? {} : { recType }),
    ...(isTold ? { itemDescr: row.text.slice(0, 300), quantity: quantityOf(row.quantity) } : {}),
    ...(isTold ? { measurementUnit: '1' } : {}),
    ...{ netValue: two(row.net), vatCategory: String(row.category), vatAmount: two(row.vat) },
    ...(row.exemption === '' ? {} : { vatExemptionCategory: row.exemption }),
    ...(row.fee === undefined ? {} : { feesPercentCategory: String(row.fee) }),
    ...(row.deductions === 0n ? {} : { deductionsAmount: two(row.deductions) }),
    ...(classification === undefined
      ? {}
      : { incomeClassification: classificationTree(classification, two(row.net)) }),
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
