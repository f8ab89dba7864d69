// One document of a SAF-T (PT) file: its place in the series, its signature, its sums.
import { quote } from '../text.js'
import { millionths, namedIn, type PlainNode, textOf } from '../xml-elements.js'
import type { Keys } from './keys.js'
import type { Report } from './rules.js'

export interface Document {
  number: string
  type: string
  status: string
  customer: string
  gross: bigint
  /** What the control totals count: net sums, and of payments what was paid. */
  counted: bigint
  references: string[]
}

interface Names {
  number: string
  date: string
  type: string
  status: string
  source: string
  /** Statuses that the table has. */
  statuses: RegExp
}

const TABLES: Readonly<Record<string, Names>> = {
  SalesInvoices: {
    ...{ number: 'InvoiceNo', date: 'InvoiceDate', type: 'InvoiceType' },
    ...{ status: 'InvoiceStatus', source: 'SourceBilling', statuses: /^[NSARF]$/ },
  },
  WorkingDocuments: {
    ...{ number: 'DocumentNumber', date: 'WorkDate', type: 'WorkType' },
    ...{ status: 'WorkStatus', source: 'SourceBilling', statuses: /^[NAF]$/ },
  },
  Payments: {
    ...{ number: 'PaymentRefNo', date: 'TransactionDate', type: 'PaymentType' },
    ...{ status: 'PaymentStatus', source: 'SourcePayment', statuses: /^[NA]$/ },
  },
}

interface Series {
  first: number
  last: number
  hash: string
  code: string
  entry: string
}

const CENT = 10_000n
const HUNDRED = 100_000_000n

export class DocumentJudge {
  private readonly report: Report
  private readonly keys: Keys
  private readonly series = new Map<string, Series>()
  /** The greatest number of each series that is referred to, and by whom. */
  private readonly referred = new Map<string, { last: number; by: string }>()
  private readonly missing = new Set<number>()

  constructor(report: Report, keys: Keys) {
    this.report = report
    this.keys = keys
  }

  read(table: string, node: PlainNode): Document {
    const names = TABLES[table] ?? (TABLES.SalesInvoices as Names)
    const number = textOf(node, names.number)
    const type = textOf(node, names.type)
    const gross = millionths(textOf(node, 'DocumentTotals', 'GrossTotal')) ?? 0n
    this.place(node, { names, number, type, table })
    const lines = namedIn(node, 'Line')
    const net = this.lines(lines, { number, type, isPayment: table === 'Payments' })
    this.totals(node, { number, net, gross, lines, isPayment: table === 'Payments' })
    const status = textOf(node, 'DocumentStatus', names.status)
    this.status(node, { names, number, status })
    const references = this.references(lines, { number, type })
    const customer = textOf(node, 'CustomerID')
    return { ...{ number, type, status, customer, gross, references }, counted: net }
  }

  private place(node: PlainNode, { names, number, type, table }: Placed): void {
    const [, written = '', name = '', digits = ''] = /^(\S+) ([^/\s]+)\/(\d+)$/.exec(number) ?? []
    if (digits === '' || written !== type) {
      this.report('NUMBER_FORM', number, `found ${quote(number)} of type ${quote(type)}`)
      return
    }
    const key = `${written} ${name}`
    const counter = Number(digits)
    const entry = textOf(node, 'SystemEntryDate')
    const atcud = textOf(node, 'ATCUD')
    const code = atcud.slice(0, Math.max(atcud.lastIndexOf('-'), 0))
    const before = this.series.get(key)
    if (before !== undefined && counter !== before.last + 1) {
      this.report('NUMBER_GAP', number, `it follows number ${before.last}`)
    } else if (before === undefined && counter !== 1) {
      this.report('SERIES_BEGIN', number, 'the first one of its series in this file')
    }
    const isCode = /^[A-Z0-9]{8,}$/.test(code) && atcud === `${code}-${digits}`
    if (!isCode || (before !== undefined && before.code !== code)) {
      this.report('ATCUD_WRONG', number, `found ${quote(atcud)}`)
    }
    if (before !== undefined && entry < before.entry) {
      this.report('TIME_DECREASES', number, `${quote(entry)} follows ${quote(before.entry)}`)
    }
    const isRecovered = textOf(node, 'DocumentStatus', names.source) === 'M'
    const date = textOf(node, names.date)
    if (isRecovered ? date > entry.slice(0, 10) : date !== entry.slice(0, 10)) {
      this.report('DATE_WRONG', number, `${quote(date)} of ${quote(entry)}`)
    }
    const hash = textOf(node, 'Hash')
    if (table !== 'Payments') {
      // where nothing is known of what stands before, the signature cannot be judged
      const previous = counter === 1 ? '' : before?.last === counter - 1 ? before.hash : undefined
      const total = textOf(node, 'DocumentTotals', 'GrossTotal')
      const text = `${date};${entry};${number};${total};`
      this.signature(node, { number, hash, isRecovered, text, previous })
    }
    this.series.set(key, { first: before?.first ?? counter, last: counter, hash, code, entry })
  }

  private signature(
    node: PlainNode,
    { number, hash, isRecovered, text, previous }: Signature,
  ): void {
    const control = textOf(node, 'HashControl')
    const pattern = isRecovered ? /^(\d+)-[A-Z]{2}[MD] [^\s/]+\/\d+$/ : /^(\d+)$/
    const version = Number(pattern.exec(control)?.[1] ?? 0)
    if (version === 0) this.report('HASH_CONTROL', number, `found ${quote(control)}`)
    else if (!this.keys.has(version)) {
      if (!this.missing.has(version)) this.report('KEY_MISSING', number, `version ${version}`)
      this.missing.add(version)
    } else if (previous !== undefined && !this.keys.verify(version, text + previous, hash)) {
      this.report('SIGNATURE_INVALID', number, 'the hash does not fit')
    }
  }

  private status(node: PlainNode, { names, number, status }: Status): void {
    const [told] = namedIn(node, 'DocumentStatus')
    const moment = textOf(told, `${names.status}Date`)
    const isKnown = names.statuses.test(status)
    const hasReason = status === 'N' || textOf(told, 'Reason') !== ''
    if (isKnown && hasReason && moment >= textOf(node, 'SystemEntryDate')) return
    this.report('STATUS_WRONG', number, `found ${quote(status)} of ${quote(moment)}`)
  }

  /** Sum of the lines. */
  private lines(lines: readonly PlainNode[], { number, type, isPayment }: Lined): bigint {
    const side = type === 'NC' ? 'DebitAmount' : 'CreditAmount'
    let sum = 0n
    for (const line of lines) {
      const amount = millionths(textOf(line, side))
      if (amount === undefined) this.report('SIDE_WRONG', number, `expected ${side}`)
      sum += amount ?? 0n
      if (isPayment) continue
      const isZero = millionths(textOf(line, 'Tax', 'TaxPercentage')) === 0n
      const code = textOf(line, 'TaxExemptionCode')
      const isTold = code !== '' && textOf(line, 'TaxExemptionReason') !== ''
      if (isZero === isTold && (isZero || code === '')) continue
      this.report('EXEMPTION_WRONG', number, `found ${quote(code)}`)
    }
    return sum
  }

  private totals(node: PlainNode, { number, net, gross, lines, isPayment }: Totalled): void {
    const [told] = namedIn(node, 'DocumentTotals')
    const netTotal = millionths(textOf(told, 'NetTotal')) ?? -1n
    const tax = millionths(textOf(told, 'TaxPayable')) ?? -1n
    if (netTotal + tax !== gross) this.report('GROSS_WRONG', number, 'it is another sum')
    if (size(netTotal - net) > CENT) this.report('NET_WRONG', number, 'the lines are another sum')
    const due = lines.reduce((all, line) => {
      const base = millionths(textOf(line, 'CreditAmount') || textOf(line, 'DebitAmount')) ?? 0n
      return all + (base * (millionths(textOf(line, 'Tax', 'TaxPercentage')) ?? 0n)) / HUNDRED
    }, 0n)
    // each line may be told with a tax that is a cent off
    const tolerated = CENT * BigInt(lines.length + 1)
    if (!isPayment && size(due - tax) > tolerated) {
      this.report('TAX_WRONG', number, 'the rates of the lines give another tax')
    }
  }

  private references(
    lines: readonly PlainNode[],
    { number, type }: Omit<Lined, 'isPayment'>,
  ): string[] {
    const found = lines.flatMap((line) =>
      [
        ...namedIn(line, 'References').map((one) => textOf(one, 'Reference')),
        ...namedIn(line, 'OrderReferences').map((one) => textOf(one, 'OriginatingON')),
        ...namedIn(line, 'SourceDocumentID').map((one) => textOf(one, 'OriginatingON')),
      ].filter((text) => text !== ''),
    )
    const isWanted = type === 'NC' || type === 'RG'
    if (isWanted && found.length < lines.length) {
      this.report('REFERENCE_MISSING', number, 'a line refers to nothing')
    }
    for (const reference of new Set(found)) this.note(reference, number)
    return found
  }

  private note(reference: string, by: string): void {
    const [, key = reference, digits = '0'] = /^(\S+ [^/\s]+)\/(\d+)$/.exec(reference) ?? []
    const known = this.referred.get(key)
    if (known === undefined || Number(digits) > known.last) {
      this.referred.set(key, { last: Number(digits), by })
    }
  }

  end(): void {
    for (const [key, { last, by }] of this.referred) {
      const series = this.series.get(key)
      // without gaps the last number says whether the others are there
      if (series !== undefined && last <= series.last && last > 0) continue
      this.report('REFERENCE_UNKNOWN', by, `found ${quote(`${key}/${last}`)}`)
    }
  }
}

interface Placed {
  names: Names
  number: string
  type: string
  table: string
}

interface Signature {
  number: string
  hash: string
  isRecovered: boolean
  text: string
  previous: string | undefined
}

type Status = Pick<Placed, 'names' | 'number'> & { status: string }
type Lined = Pick<Placed, 'number' | 'type'> & { isPayment: boolean }

interface Totalled {
  number: string
  net: bigint
  gross: bigint
  lines: readonly PlainNode[]
  isPayment: boolean
}

const size = (amount: bigint): bigint => (amount < 0n ? -amount : amount)
