// SAF-T (PT) 1.04_01 (Portaria 302/2016): books as one file. Documents are read twice: for master
// data and sums, and to be written.
import { quotient, sumOf } from '../../lib/amounts.js'
import { Decimal, formatCents } from '../../lib/decimal.js'
import { formsOf } from '../../lib/form.js'
import { sha256 } from '../../lib/hash.js'
import { element, unlessEmpty, type XmlTree, type XmlValue } from '../../lib/xml-write.js'
import {
  anonymous,
  type BookDocument,
  type Customer,
  type DocumentStatus,
  type Issuer,
  type Line,
  type Region,
  type Table,
  type TaxCode,
} from './document.js'
import forms from './saft.json' with { type: 'json' }

/** Lists of the law, as far as the file repeats them. */
interface Lists {
  /** In percent. */
  rates: Readonly<Record<Region, Readonly<Record<TaxCode, number>>>>
  taxNames: Readonly<Record<TaxCode, string>>
  /** Mention by the digits of a reason for no tax. */
  exemptions: Readonly<Record<string, string>>
}

export interface Books {
  issuer: Issuer
  /** With one key the file can be checked by itself; undefined: there are several. */
  key: string | undefined
  /** Day on which the file is made. */
  today: string
  lists: Lists
  /** Of one part, series by series. */
  documents(table: Table): AsyncIterable<BookDocument>
  /** By the number of the document; of those that are normal there is none. */
  statuses: ReadonlyMap<string, DocumentStatus>
}

const NAMESPACE = 'urn:OECD:StandardAuditFile-Tax:PT_1.04_01'
const ELEMENTS = {
  ...{ SalesInvoices: 'Invoice', WorkingDocuments: 'WorkDocument', Payments: 'Payment' },
} as const satisfies Record<Table, string>
const TABLES = Object.keys(ELEMENTS) as Table[]

/** Header, master data and documents, with their members (saft.json). */
const write = formsOf<keyof typeof forms, XmlValue>(forms)

/** In pieces of any size; nothing where there are no documents. */
export async function* fileOf(books: Books): AsyncGenerator<string, void, undefined> {
  const { issuer, key, today, lists } = books
  const found = await surveyOf(books)
  const { first, customers, products, taxes } = found
  if (first === '') return
  yield `<?xml version="1.0" encoding="windows-1252"?>\n<AuditFile xmlns="${NAMESPACE}">`
  const told = { ...found, issuer, year: first.slice(0, 4), today }
  yield element('Header', write.header({ ...told, key: key && `RSA-SHA1 1 ${key}` }))
  yield '<MasterFiles>'
  for (const one of customers.values()) {
    const where = one.id === anonymous.id ? anonymous.address : one.country
    yield element('Customer', write.customer({ ...one, where }))
  }
  for (const line of products.values()) {
    yield element('Product', write.product({ ...line, product: productCode(line) }))
  }
  if (taxes.size > 0) {
    const entries = [...taxes].toSorted().map((entry) => taxEntry(entry, lists))
    yield element('TaxTable', { TaxTableEntry: entries })
  }
  yield '</MasterFiles><SourceDocuments>'
  for (const table of TABLES) {
    const sums = found.sums[table]
    if (sums === undefined) continue
    yield `<${table}>`
    yield element('NumberOfEntries', String(sums.entries))
    yield element('TotalDebit', formatCents(sums.debit.toCents(), '.'))
    yield element('TotalCredit', formatCents(sums.credit.toCents(), '.'))
    for await (const one of books.documents(table)) yield documentXml(table, one, books)
    yield `</${table}>`
  }
  yield '</SourceDocuments></AuditFile>'
}

// ------------------------------------------------------------------------------ what is counted

interface Sums {
  entries: number
  debit: Decimal
  credit: Decimal
}

interface Survey {
  customers: Map<string, Customer>
  products: Map<string, Line>
  /** Region and code. */
  taxes: Set<string>
  sums: Partial<Record<Table, Sums>>
  /** Days of the first and the last document; '' for none. */
  first: string
  last: string
}

async function surveyOf({ documents, statuses }: Books): Promise<Survey> {
  const survey: Survey = {
    ...{ customers: new Map(), products: new Map(), taxes: new Set(), sums: {} },
    ...{ first: '', last: '' },
  }
  for (const table of TABLES) {
    for await (const one of documents(table)) {
      count(survey, table, { one, isAnnulled: statuses.get(one.number)?.status === 'A' })
    }
  }
  return survey
}

type Counted = { one: BookDocument; isAnnulled: boolean }

/** An annulled document stays in the books, and is in no sum. */
function count(survey: Survey, table: Table, { one, isAnnulled }: Counted): void {
  const { date: day, customer } = one
  if (survey.first === '' || day < survey.first) survey.first = day
  if (day > survey.last) survey.last = day
  if (!survey.customers.has(customer.id)) survey.customers.set(customer.id, customer)
  const isPayment = table === 'Payments'
  for (const line of isPayment ? [] : one.lines) {
    survey.products.set(productCode(line), line)
    survey.taxes.add(`${one.region} ${line.tax}`)
  }
  const sums = survey.sums[table] ?? { entries: 0, debit: Decimal.ZERO, credit: Decimal.ZERO }
  survey.sums[table] = sums
  sums.entries += 1
  if (isAnnulled) return
  const net = isPayment
    ? Decimal.of(one.totals.gross)
    : sumOf(one.lines.map((line) => Decimal.of(line.net)))
  if (one.type === 'NC') sums.debit = sums.debit.plus(net)
  else sums.credit = sums.credit.plus(net)
}

// ------------------------------------------------------------------------------ what is written

export const productCode = ({ text }: Pick<Line, 'text'>): string => sha256(text).toString('base64')

function taxEntry(entry: string, lists: Lists): XmlTree {
  const [region, code] = entry.split(' ') as [Region, TaxCode]
  return write.tax({ ...taxOf(region, code, lists), name: lists.taxNames[code] })
}

const taxOf = (region: Region, code: TaxCode, { rates }: Lists) => ({
  ...{ region, code, percent: String(rates[region][code]) },
})

/** It is normal (N), or what became of it. */
function documentXml(table: Table, one: BookDocument, { statuses, lists }: Books): string {
  const { date, entry, user, number } = one
  const values = {
    ...{ ...one, status: statuses.get(number) ?? { status: 'N', entry, user } },
    period: String(Number(date.slice(5, 7))),
    payments: one.payments.map((payment) => write.payment({ ...payment, date })),
    lines:
      table === 'Payments'
        ? write.paidLine({ ...one, previous: one.previous ?? { number: '', date: '' } })
        : one.lines.map((line, at) => lineTree(one, { ...line, at: String(at + 1) }, lists)),
  }
  return element(ELEMENTS[table], write[table](values))
}

function lineTree(
  { type, region, previous, date }: BookDocument,
  line: Line & { at: string },
  lists: Lists,
): XmlTree {
  const isCredit = type === 'NC'
  const isOrder = previous !== null && !isCredit && /^(PF|OR|CM) /.test(previous.number)
  const reason = lists.exemptions[line.exempt]
  return write.line({
    ...{ ...line, date, product: productCode(line), price: unitPriceOf(line) },
    ...{ order: isOrder ? previous : null, credited: isCredit ? previous : null },
    [isCredit ? 'debit' : 'credit']: line.net,
    tax: write.tax(taxOf(region, line.tax, lists)),
    ...{ reason, exemption: reason && `M${line.exempt}`, discount: unlessEmpty(line.discount) },
  })
}

/** Without tax, after the discount; six decimals. */
const unitPriceOf = ({ net, quantity }: Line): string =>
  quotient(Decimal.of(net), Decimal.of(quantity), { scale: 6, toEven: true }).toString()
