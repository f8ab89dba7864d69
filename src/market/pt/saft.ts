// SAF-T (PT) 1.04_01 (Portaria 302/2016): the books of a queue as one file, made from the rows of
// its documents. The rows are read twice: for master data and sums, and for the documents.

import { sumOf } from '../../lib/amounts.js'
import { Decimal, formatCents } from '../../lib/decimal.js'
import { formsOf } from '../../lib/form.js'
import { sha256 } from '../../lib/hash.js'
import { encode } from '../../lib/windows-1252.js'
import { element, unlessEmpty, type XmlTree, type XmlValue } from '../../lib/xml-write.js'
import type { ExportSource, Ticks } from '../../model/export-source.js'
import type { Export } from '../contract.js'
import { inPieces } from '../kit/csv-table.js'
import { each } from '../kit/receipt-range.js'
import type { Line } from './amounts.js'
import * as c from './cases.js'
import { anonymous, type Customer } from './customer.js'
import { localDay } from './draft.js'
import { unitPriceOf } from './lines.js'
import { type Issuer, ptState, type QueueConfiguration } from './queue.js'
import { STATUS_ROWS, type StoredDocument, type StoredStatus } from './rows.js'
import forms from './saft.json' with { type: 'json' }

const COUNTRY = 0x5054n
const COUNTRY_BITS = 48n
const STATUS_WORD = 0x1000n
const NAMESPACE = 'urn:OECD:StandardAuditFile-Tax:PT_1.04_01'
const PIECE = 64 * 1024

/** Any word of the country but that of its status. */
export const saft: Export = {
  matches: (word) => word >> COUNTRY_BITS === COUNTRY && (word & 0xffffn) !== STATUS_WORD,
  contentType: 'application/xml',
  async *run(source) {
    for await (const piece of inPieces(partsOf(source), PIECE)) yield encode(piece)
  },
}

export const isStatusWord = (word: bigint): boolean =>
  word >> COUNTRY_BITS === COUNTRY && (word & 0xffffn) === STATUS_WORD

async function* partsOf(source: ExportSource): AsyncGenerator<string, void, undefined> {
  const { issuer, keys } = ptState.parse(JSON.parse(source.state))
  if (issuer === null) return
  const range = await rangeOf(source)
  const found = await surveyOf(source, range)
  if (found.first === '') return
  yield `<?xml version="1.0" encoding="windows-1252"?>\n<AuditFile xmlns="${NAMESPACE}">`
  yield element('Header', headerOf(source, { issuer, keys }, found))
  yield '<MasterFiles>'
  for (const customer of found.customers.values()) yield element('Customer', customerTree(customer))
  for (const line of found.products.values()) {
    yield element('Product', write.product({ ...line, product: productCode(line) }))
  }
  if (found.taxes.size > 0) {
    yield element('TaxTable', { TaxTableEntry: [...found.taxes].toSorted().map(taxEntry) })
  }
  yield '</MasterFiles><SourceDocuments>'
  for (const table of TABLES) {
    const sums = found.sums[table]
    if (sums === undefined) continue
    yield `<${table}>`
    yield element('NumberOfEntries', String(sums.entries))
    yield element('TotalDebit', formatCents(sums.debit.toCents(), '.'))
    yield element('TotalCredit', formatCents(sums.credit.toCents(), '.'))
    for await (const stored of documentsOf(source, range, table)) {
      yield documentXml(table, stored, found.statuses.get(stored.number))
    }
    yield `</${table}>`
  }
  yield '</SourceDocuments></AuditFile>'
}

// ------------------------------------------------------------------------------------ what is read

const ELEMENTS = {
  ...{ SalesInvoices: 'Invoice', WorkingDocuments: 'WorkDocument', Payments: 'Payment' },
} as const satisfies Record<c.Table, string>
const TABLES = Object.keys(ELEMENTS) as c.Table[]

/** The range of the call; a negative end takes so many documents of all series. */
async function rangeOf(source: ExportSource): Promise<Ticks> {
  const { from, to } = source.range
  if (to >= 0n) return source.range
  let left = -to
  for await (const { kind, timeStamp } of each(source.marketRows({ range: { from, to: 0n } }))) {
    if (c.SLOTS.includes(kind as c.Slot)) left -= 1n
    if (left === 0n) return { from, to: timeStamp }
  }
  return { from, to: 0n }
}

const ALWAYS: Ticks = { from: 0n, to: 0n }

/** Whatever the range: an annulled document stays in the books, and is told as such. */
async function statusesOf(source: ExportSource): Promise<Map<string, StoredStatus>> {
  const found = new Map<string, StoredStatus>()
  for await (const { content } of each(source.marketRows({ kind: STATUS_ROWS, range: ALWAYS }))) {
    const status = JSON.parse(content) as StoredStatus
    found.set(status.number, status)
  }
  return found
}

async function* documentsOf(
  source: ExportSource,
  range: Ticks,
  table: c.Table,
): AsyncGenerator<StoredDocument, void, undefined> {
  for (const slot of c.SLOTS) {
    if (c.documents[slot].table !== table) continue
    for await (const { content } of each(source.marketRows({ kind: slot, range }))) {
      yield JSON.parse(content) as StoredDocument
    }
  }
}

interface Sums {
  entries: number
  debit: Decimal
  credit: Decimal
}

interface Survey {
  /** By the number of the document. */
  statuses: ReadonlyMap<string, StoredStatus>
  customers: Map<string, Customer>
  products: Map<string, Line>
  /** Region and code. */
  taxes: Set<string>
  sums: Partial<Record<c.Table, Sums>>
  /** Days of the first and the last document; '' for none. */
  first: string
  last: string
}

async function surveyOf(source: ExportSource, range: Ticks): Promise<Survey> {
  const survey: Survey = {
    statuses: await statusesOf(source),
    ...{ customers: new Map(), products: new Map(), taxes: new Set(), sums: {} },
    ...{ first: '', last: '' },
  }
  for (const table of TABLES) {
    for await (const stored of documentsOf(source, range, table)) count(survey, table, stored)
  }
  return survey
}

function count(survey: Survey, table: c.Table, stored: StoredDocument): void {
  const { date: day, customer } = stored
  if (survey.first === '' || day < survey.first) survey.first = day
  if (day > survey.last) survey.last = day
  if (!survey.customers.has(customer.id)) survey.customers.set(customer.id, customer)
  const isPayment = table === 'Payments'
  for (const line of isPayment ? [] : stored.lines) {
    survey.products.set(productCode(line), line)
    survey.taxes.add(`${stored.region} ${line.tax}`)
  }
  const sums = survey.sums[table] ?? { entries: 0, debit: Decimal.ZERO, credit: Decimal.ZERO }
  survey.sums[table] = sums
  sums.entries += 1
  if (survey.statuses.get(stored.number)?.status === 'A') return
  const net = isPayment
    ? Decimal.of(stored.totals.gross)
    : sumOf(stored.lines.map((line) => Decimal.of(line.net)))
  if (stored.type === 'NC') sums.debit = sums.debit.plus(net)
  else sums.credit = sums.credit.plus(net)
}

// --------------------------------------------------------------------------------- what is written

/** Header, master data and documents, with their members (saft.json). */
const write = formsOf<keyof typeof forms, XmlValue>(forms)

interface Signer {
  issuer: Issuer
  keys: readonly string[]
}

function headerOf(source: ExportSource, { issuer, keys }: Signer, found: Survey): XmlTree {
  const settings = source.queue.configuration as QueueConfiguration
  const today = localDay(source.now, settings)
  // with one key the file can be checked by itself
  const key = keys.length === 1 ? `RSA-SHA1 1 ${keys[0]}` : undefined
  return write.header({ ...found, issuer, year: found.first.slice(0, 4), today, key })
}

const customerTree = (one: Customer): XmlTree =>
  write.customer({ ...one, where: one.id === '0' ? anonymous.address : one.country })

export const productCode = ({ text }: Pick<Line, 'text'>): string => sha256(text).toString('base64')

function taxEntry(entry: string): XmlTree {
  const [region, code] = entry.split(' ') as [c.Region, c.TaxCode]
  return taxTree(region, code, c.taxNames[code])
}

const taxTree = (region: c.Region, code: c.TaxCode, name?: string): XmlTree =>
  write.tax({ region, code, name, percent: String(c.rates[region][code]) })

/** As its table has it (saft.json); it is normal (N), or what became of it. */
function documentXml(table: c.Table, stored: StoredDocument, status?: StoredStatus): string {
  const { date, entry, user } = stored
  const values = {
    ...{ ...stored, status: status ?? { status: 'N', entry, user } },
    period: String(Number(date.slice(5, 7))),
    payments: stored.payments.map((one) => write.payment({ ...one, date })),
    lines:
      table === 'Payments'
        ? write.paidLine({ ...stored, previous: stored.previous ?? { number: '', date: '' } })
        : stored.lines.map((line, at) => lineTree(stored, line, at + 1)),
  }
  return element(ELEMENTS[table], write[table](values))
}

function lineTree(
  { type, region, previous, date }: StoredDocument,
  line: Line,
  at: number,
): XmlTree {
  const isCredit = type === 'NC'
  const isOrder = previous !== null && !isCredit && /^(PF|OR|CM) /.test(previous.number)
  const reason = c.exemptions[line.exempt]
  return write.line({
    ...{ ...line, date, at: String(at), product: productCode(line), price: unitPriceOf(line) },
    ...{ order: isOrder ? previous : null, credited: isCredit ? previous : null },
    ...{ [isCredit ? 'debit' : 'credit']: line.net, tax: taxTree(region, line.tax) },
    ...{ reason, exemption: reason && `M${line.exempt}`, discount: unlessEmpty(line.discount) },
  })
}
