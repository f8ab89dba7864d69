// A document of myDATA from what was read: members in the order of the schema (2.0.1).
import type { DocumentId } from '../../device/gr/mydata.js'
import { HEADER, ROW_ORDER } from '../../device/gr/said.js'
import { inside } from '../../device/gr/whole.js'
import { type Decimal, formatCents } from '../../lib/decimal.js'
import { inOrder, unlessEmpty, type XmlTree } from '../../lib/xml-write.js'
import { correlates, isRetail, namesForeigner, write } from './cases.js'
import { type Classification, classificationTree } from './classification.js'
import type { Customer, Reading, Row } from './reading.js'

export interface About extends Omit<DocumentId, 'type' | 'variation'> {
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

/** What stands inside of `invoice`. */
export function documentOf(reading: Reading, about: About): string {
  const { voids, voided, payments, taxes } = reading
  const rows = voids ? [] : reading.rows
  const taxTrees = taxes.map(({ type, category, amount }) =>
    write.tax({ type: `${type}`, category: `${category}`, amount: two(amount) }),
  )
  return inside(
    write.document({
      ...{ ...about, counterpart: counterpartOf(reading), header: headerOf(reading, about) },
      paid: payments.length > 0 ? about.payments : undefined,
      rows: voids
        ? write.voided({ text: voided.slice(0, 300) })
        : rows.map((row) => rowTree(row, reading)),
      taxes: taxTrees.length > 0 ? taxTrees : undefined,
      summary: summaryOf(reading, rows),
    }),
  )
}

function counterpartOf({ type, customer, carries, said }: Reading): XmlTree | undefined {
  if (said.counterpart !== undefined) return said.counterpart
  const isSilent = (isRetail(type) && !carries) || /^8\.[456]$/.test(type)
  if (customer === undefined || isSilent) return undefined
  const isNamed = carries || (customer.country !== 'GR' && namesForeigner.has(type))
  const named = isNamed ? unlessEmpty(customer.name) : undefined
  return write.counterpart({ ...customer, named, address: addressOf(customer, carries) })
}

/** The number is part of the street; where goods are sent there has to be one. */
export function addressOf(
  { street, zip, city }: Pick<Customer, 'street' | 'zip' | 'city'>,
  isNumbered: boolean,
): XmlTree | undefined {
  if (zip === '' || city === '') return undefined
  const number = isNumbered ? '0' : undefined
  return write.address({ street: unlessEmpty(street), number, zip, city })
}

function headerOf({ type, refunds, voids, carries, said }: Reading, about: About): XmlTree {
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

function rowTree(row: Row, { type, carries }: Reading): XmlTree {
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

function summaryOf({ taxes }: Reading, rows: readonly Row[]): XmlTree {
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
