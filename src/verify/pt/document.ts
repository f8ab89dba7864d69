// One document of a SAF-T (PT) file: its place in the series, its signature, its sums.
import { CENT, size } from '../amount.js'
import { quote } from '../text.js'
import { millionths, namedIn, type PlainNode, textOf } from '../xml-elements.js'
import type { Keys } from './keys.js'
import lists from './lists.json' with { type: 'json' }
import type { Report } from './rules.js'

type Table = Omit<(typeof lists.tables)['Payments'], 'element'>
/** How a table names what all documents have, and the statuses that it knows. */
const tables: ReadonlyMap<string, Table> = new Map(Object.entries(lists.tables))
const NO_TABLE: Table = { number: '', date: '', type: '', status: '', statuses: [''] }

interface Series {
  last: number
  hash: string
  code: string
  entry: string
}

export type Document = ReturnType<typeof documentIn>

const HUNDRED = 100_000_000n
const NUMBER = /^(\S+) ([^/\s]+)\/(\d+)$/

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
    const one = documentIn(table, node)
    this.place(one)
    this.lines(one)
    this.totals(one)
    const { number, status, moment, entry } = one
    if (!one.isKnown || (status !== 'N' && one.reason === '') || moment < entry) {
      this.report('STATUS_WRONG', number, `found ${quote(status)} of ${quote(moment)}`)
    }
    this.refer(one)
    return one
  }

  private place(one: Document): void {
    const { number, type, entry, date } = one
    const [, written = '', name = '', digits = ''] = NUMBER.exec(number) ?? []
    if (digits === '' || written !== type) {
      this.report('NUMBER_FORM', number, `found ${quote(number)} of type ${quote(type)}`)
      return
    }
    const key = `${written} ${name}`
    const counter = Number(digits)
    const atcud = textOf(one.node, 'ATCUD')
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
    const day = entry.slice(0, 10)
    if (one.isRecovered ? date > day : date !== day) {
      this.report('DATE_WRONG', number, `${quote(date)} of ${quote(entry)}`)
    }
    // where nothing is known of what stands before, the signature cannot be judged
    const previous = counter === 1 ? '' : before?.last === counter - 1 ? before.hash : undefined
    if (!one.isPayment) this.signature(one, previous)
    this.series.set(key, { last: counter, hash: textOf(one.node, 'Hash'), code, entry })
  }

  private signature(one: Document, previous: string | undefined): void {
    const { node, number, isRecovered, date, entry } = one
    const control = textOf(node, 'HashControl')
    const pattern = isRecovered ? /^(\d+)-[A-Z]{2}[MD] [^\s/]+\/\d+$/ : /^(\d+)$/
    const version = Number(pattern.exec(control)?.[1] ?? 0)
    const total = textOf(node, 'DocumentTotals', 'GrossTotal')
    const text = `${date};${entry};${number};${total};${previous}`
    if (version === 0) this.report('HASH_CONTROL', number, `found ${quote(control)}`)
    else if (!this.keys.has(version)) {
      if (!this.missing.has(version)) this.report('KEY_MISSING', number, `version ${version}`)
      this.missing.add(version)
    } else if (previous !== undefined && !this.keys.verify(version, text, textOf(node, 'Hash'))) {
      this.report('SIGNATURE_INVALID', number, 'the hash does not fit')
    }
  }

  private lines({ lines, number, side, isPayment }: Document): void {
    for (const line of lines) {
      const hasAmount = millionths(textOf(line, side)) !== undefined
      if (!hasAmount) this.report('SIDE_WRONG', number, `expected ${side}`)
      if (isPayment) continue
      const isZero = millionths(textOf(line, 'Tax', 'TaxPercentage')) === 0n
      const code = textOf(line, 'TaxExemptionCode')
      const isTold = code !== '' && textOf(line, 'TaxExemptionReason') !== ''
      if (isZero === isTold && (isZero || code === '')) continue
      this.report('EXEMPTION_WRONG', number, `found ${quote(code)}`)
    }
  }

  private totals({ node, number, gross, lines, isPayment, counted }: Document): void {
    const [told] = namedIn(node, 'DocumentTotals')
    const netTotal = millionths(textOf(told, 'NetTotal')) ?? -1n
    const tax = millionths(textOf(told, 'TaxPayable')) ?? -1n
    if (netTotal + tax !== gross) this.report('GROSS_WRONG', number, 'it is another sum')
    if (size(netTotal - counted) > CENT)
      this.report('NET_WRONG', number, 'the lines are another sum')
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

  private refer({ lines, number, type, references }: Document): void {
    if (/^(NC|RG)$/.test(type) && references.length < lines.length) {
      this.report('REFERENCE_MISSING', number, 'a line refers to nothing')
    }
    for (const reference of new Set(references)) {
      const [, kind = reference, name = '', digits = '0'] = NUMBER.exec(reference) ?? []
      const key = `${kind} ${name}`
      const known = this.referred.get(key)
      if (known === undefined || Number(digits) > known.last) {
        this.referred.set(key, { last: Number(digits), by: number })
      }
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

function documentIn(table: string, node: PlainNode) {
  const names = tables.get(table) ?? NO_TABLE
  const [told] = namedIn(node, 'DocumentStatus')
  const [type, status] = [textOf(node, names.type), textOf(told, names.status)]
  const lines = namedIn(node, 'Line')
  const side = type === 'NC' ? 'DebitAmount' : 'CreditAmount'
  const referred = lines.flatMap((line) =>
    lists.references.flatMap(([name = '', inside = '']) =>
      namedIn(line, name).map((one) => textOf(one, inside)),
    ),
  )
  return {
    ...{ node, type, lines, side, status, isKnown: names.statuses.includes(status) },
    ...{ moment: textOf(told, `${names.status}Date`), reason: textOf(told, 'Reason') },
    ...{ number: textOf(node, names.number), customer: textOf(node, 'CustomerID') },
    ...{ date: textOf(node, names.date), entry: textOf(node, 'SystemEntryDate') },
    gross: millionths(textOf(node, 'DocumentTotals', 'GrossTotal')) ?? 0n,
    /** What the control totals count: net sums, and of payments what was paid. */
    counted: lines.reduce((all, line) => all + (millionths(textOf(line, side)) ?? 0n), 0n),
    isPayment: table === 'Payments',
    /** First written on paper. */
    isRecovered: (textOf(told, 'SourceBilling') || textOf(told, 'SourcePayment')) === 'M',
    references: referred.filter((text) => text !== ''),
  }
}
