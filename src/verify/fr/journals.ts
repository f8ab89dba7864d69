// Journals of a French queue: the documents of one chain as a table, and the raw journal with its
// signatures.
import { JSONParser } from '@streamparser/json'
import type { FileVerifier, ReadPart, VerifyOptions } from '../contract.js'
import { openTable, TableFault, type TableRow } from '../csv-table.js'
import { quote } from '../text.js'
import { amountOf } from './amount.js'
import { reported } from './archive.js'
import { Chains } from './chains.js'
import { payloadText } from './payload.js'
import { contentCodes, type Report } from './rules.js'
import { wording } from './words.js'

const HEAD = 'QueueId,CashBoxIdentification,Siret,ReceiptId,ReceiptMoment,QueueItemId'

/** The documents of one chain; without signatures, so that numbers, order and sums are judged. */
export const groupFile: FileVerifier = {
  wording,
  name: 'French journal of a chain',
  recognises: ({ head }) => {
    const [line = ''] = head.toString('utf8').split(/\r?\n/)
    return line.replace(/^\ufeff?(?:A[^,]*,|L[^,]*,|P[^,]*,|F[^,]*,)*/, '').startsWith(HEAD)
  },
  contentCodes,
  takes: new Set(),
  verify: (read, _options, sink) => reported(sink, (report) => judgeTable(read, report)),
}

async function judgeTable(read: ReadPart, report: Report): Promise<{ documents: number }> {
  let documents = 0
  try {
    const group = new Group(report)
    const { rows } = openTable(read())
    for await (const row of rows) {
      group.row(row)
      documents += 1
    }
  } catch (error) {
    if (!(error instanceof TableFault)) throw error
    report('TABLE_FORM', '', `expected ${error.message}`)
  }
  return { documents }
}

const RATES = ['CINormal', 'CIReduced1', 'CIReduced2', 'CIReducedS', 'CIZero', 'CIUnknown']
const PREFIXES = ['', 'A', 'D', 'M', 'Y', 'S', 'P']

class Group {
  private readonly report: Report
  private letter = ''
  private number = 0
  private queue = ''
  private moment = ''

  constructor(report: Report) {
    this.report = report
  }

  row(row: TableRow): void {
    const rid = row.ReceiptId ?? ''
    const [, letter = '', digits = ''] = /^ft[0-9A-F]+#([A-Z])(\d+)$/.exec(rid) ?? []
    const number = Number(digits)
    const isNext = this.number === 0 ? digits !== '' : number === this.number + 1
    if (!isNext || (this.letter !== '' && letter !== this.letter)) {
      this.report('NUMBER_GAP', rid, `${quote(rid)} follows ${this.letter}${this.number}`)
    }
    if ((row.LastHash === '') !== (number === 1)) {
      this.report('CHAIN_BROKEN', rid, 'the first document alone has no hash before it')
    }
    if (this.queue !== '' && row.QueueId !== this.queue) {
      this.report('QUEUE_CHANGED', rid, quote(row.QueueId ?? ''))
    }
    const moment = sortable(row.ReceiptMoment ?? '')
    if (moment < this.moment) this.report('TIME_DECREASES', rid, quote(row.ReceiptMoment ?? ''))
    for (const prefix of PREFIXES) this.sum(row, prefix)
    this.letter = letter
    this.number = number
    this.queue = row.QueueId ?? ''
    this.moment = moment
  }

  private sum(row: TableRow, prefix: string): void {
    const total = row[`${prefix}Totalizer`] ?? ''
    if (total === '') return
    const rates = RATES.map((name) => amountOf(row[prefix + name] || '0') ?? 0n)
    if (amountOf(total) === rates.reduce((sum, one) => sum + one, 0n)) return
    this.report('SUM_WRONG', row.ReceiptId ?? '', `${prefix}Totalizer is not the sum of its rates`)
  }
}

/** `MM/dd/yyyy HH:mm:ss` in an order that texts have. */
function sortable(text: string): string {
  return text.replace(/^(\d\d)\/(\d\d)\/(\d{4}) /, '$3-$1-$2 ')
}

// -------------------------------------------------------------------------------- the raw journal

/** ftJournalFR as JSON, with the signature of every document; certificates are given beside it. */
export const rawFile: FileVerifier = {
  wording,
  name: 'French journal',
  recognises: ({ head }) => /^\s*\[\s*\{\s*"ftJournalFRId"/.test(head.toString('utf8')),
  contentCodes,
  takes: new Set(),
  verify: (read, options, sink) => reported(sink, (report) => judgeRaw(read, options, report)),
}

async function judgeRaw(
  read: ReadPart,
  { certificates }: VerifyOptions,
  report: Report,
): Promise<{ documents: number }> {
  const chains = new Chains(report)
  chains.trust(certificates, false)
  for await (const row of rowsOf(read, report)) {
    const [letter, jws, data] = ['ReceiptType', 'JWT', 'JsonData'].map((name) => textOf(row, name))
    const payload = payloadText(jws ?? '')
    const number = /"rid":"ft[0-9A-F]+#[A-Z](\d+)"/.exec(payload)?.[1] ?? ''
    const document = chains.document({ letter: letter ?? '', number, jws: jws ?? '' })
    const isSame =
      data === payload && document?.payload.texts.get('qiid') === textOf(row, 'ftQueueItemId')
    if (!isSame) report('DOCUMENT_ITEM', document?.rid ?? '', 'the row says something else')
  }
  if (chains.count === 0) report('EMPTY', '', 'expected documents, found none')
  return { documents: chains.count }
}

/** Row by row as the text comes. */
async function* rowsOf(read: ReadPart, report: Report): AsyncGenerator<Row, void, undefined> {
  const parser = new JSONParser({ paths: ['$.*'], keepStack: false })
  let rows: Row[] = []
  parser.onValue = ({ value }) => {
    rows.push(value as unknown as Row)
  }
  try {
    for await (const piece of read()) {
      parser.write(piece)
      yield* rows
      rows = []
    }
    if (!parser.isEnded) parser.end()
  } catch {
    report('JSON_BROKEN', '', 'expected one complete JSON array')
  }
}

type Row = Readonly<Record<string, unknown>> | null

function textOf(row: Row, name: string): string {
  const value = row?.[name]
  return typeof value === 'string' ? value : ''
}
