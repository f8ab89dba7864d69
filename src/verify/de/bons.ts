// Brings the rows of all receipt tables together, receipt by receipt, in one pass through all of
// them at once: memory holds one receipt.

import { quote } from '../text.js'
import { BonIndex, bonKey } from './bon-index.js'
import { type Closing, type Closings, closingKey, type Sources } from './closings.js'
import { eachRow, type Report, type Row, rowsOf, type TableSource } from './table-reader.js'

export const DETAILS = [
  'datapayment.csv',
  'lines.csv',
  'itemamounts.csv',
  'subitems.csv',
  'transactions_tse.csv',
  'transactions_vat.csv',
  'lines_vat.csv',
  'allocation_groups.csv',
  'references.csv',
] as const

export type DetailFile = (typeof DETAILS)[number]

export interface Bon {
  id: string
  row: Row
  closing: Closing
  /** Rows of the receipt; undefined: the table cannot be read. */
  rows(file: DetailFile): Row[] | undefined
}

/** More rows of one receipt in one table are not held. */
const MOST_ROWS = 100_000

export interface BonPass {
  sources: Sources
  closings: Closings
  report: Report
}

/** First look at transactions.csv: which receipts there are. */
export async function indexBons({ sources, closings, report }: BonPass): Promise<BonIndex> {
  const index = new BonIndex()
  const numbers = new Map<string, bigint>()
  await eachRow(sources.get('transactions.csv'), report, (row) => {
    closings.of(row)
    if (!index.add(bonKey(row))) {
      const text = `expected ${quote(row.get('BON_ID'))} once in its closing, found it again`
      closings.add('BON_DOUBLED', row, text)
    }
    const number = row.units('BON_NR')
    if (number === undefined) return
    const closing = closingKey(row)
    const last = numbers.get(closing)
    numbers.set(closing, number)
    if (last === undefined || number > last) return
    const text = `expected a BON_NR above ${last / 100_000n}, found ${row.get('BON_NR')}`
    closings.add('BON_NUMBER', row, text)
  })
  return index
}

/** Every receipt with all its rows, in the order of transactions.csv. */
export async function* bonsOf(pass: BonPass, index: BonIndex): AsyncGenerator<Bon, void> {
  const { sources, closings, report } = pass
  const transactions = sources.get('transactions.csv')
  if (transactions === undefined) return
  const details = new Map(
    DETAILS.filter((file) => sources.has(file)).map((file) => {
      return [file, new Detail(sources.get(file), { index, closings, report })]
    }),
  )
  try {
    for await (const { row, position } of heads(transactions, index)) {
      const bon = await gathered(row, details, { position, closings })
      if (bon !== undefined) yield bon
    }
    for (const detail of details.values()) await detail.drain()
  } finally {
    for (const detail of details.values()) await detail.close()
  }
}

/** Rows of transactions.csv; those of a doubled receipt were told when the index was made. */
async function* heads(
  transactions: TableSource,
  index: BonIndex,
): AsyncGenerator<{ row: Row; position: number }, void> {
  let last = 0
  for await (const rows of rowsOf(transactions, undefined)) {
    for (const row of rows) {
      const position = index.find(bonKey(row))
      if (position <= last) continue
      last = position
      yield { row, position }
    }
  }
}

async function gathered(
  row: Row,
  details: ReadonlyMap<DetailFile, Detail>,
  { position, closings }: { position: number; closings: Closings },
): Promise<Bon | undefined> {
  const key = bonKey(row)
  const found = new Map<DetailFile, Row[]>()
  for (const [file, detail] of details) found.set(file, await detail.take(key, position))
  const closing = closings.all.get(closingKey(row))
  if (closing === undefined) return undefined
  return { id: row.get('BON_ID'), row, closing, rows: (file) => found.get(file) }
}

interface DetailTools {
  index: BonIndex
  closings: Closings
  report: Report
}

/** One table of receipts, read along with transactions.csv. */
class Detail {
  private readonly groups: AsyncGenerator<Row[], void>
  private readonly tools: DetailTools
  private group: Row[] = []
  private at = 0
  /** Key of the row that waits, and where its receipt stands; undefined: not looked at. */
  private waiting: { key: string; position: number } | undefined
  private hasEnded = false

  constructor(source: TableSource | undefined, tools: DetailTools) {
    this.tools = tools
    this.groups = source === undefined ? none() : rowsOf(source, tools.report)
  }

  /** The rows of this receipt, which are the next ones of the table. */
  async take(key: string, position: number): Promise<Row[]> {
    const rows: Row[] = []
    for (;;) {
      const row = await this.head()
      if (row === undefined) return rows
      const waiting = this.waiting ?? this.look(row, key, position)
      if (waiting.key === key) {
        if (rows.length < MOST_ROWS) rows.push(row)
        else this.tools.closings.add('ROW_ORDER', row, `expected at most ${MOST_ROWS} rows`)
        this.tools.closings.of(row)
      } else if (waiting.position === 0) this.orphan(row)
      else if (waiting.position < position) this.late(row)
      else {
        this.waiting = waiting
        return rows
      }
      this.waiting = undefined
      this.at += 1
    }
  }

  /** What is left belongs to no receipt. */
  async drain(): Promise<void> {
    await this.take('', Number.POSITIVE_INFINITY)
  }

  async close(): Promise<void> {
    await this.groups.return()
  }

  private async head(): Promise<Row | undefined> {
    while (this.at >= this.group.length && !this.hasEnded) {
      const next = await this.groups.next()
      this.hasEnded = next.done === true
      this.group = next.done === true ? [] : next.value
      this.at = 0
    }
    return this.group[this.at]
  }

  private look(row: Row, key: string, position: number): { key: string; position: number } {
    const own = bonKey(row)
    return { key: own, position: own === key ? position : this.tools.index.find(own) }
  }

  private orphan(row: Row): void {
    this.tools.closings.of(row)
    const text = `expected a BON_ID of transactions.csv, found ${quote(row.get('BON_ID'))}`
    this.tools.closings.add('BON_UNKNOWN', row, text)
  }

  private late(row: Row): void {
    const text =
      'expected rows in the order of transactions.csv, found this one behind a later receipt'
    this.tools.closings.add('ROW_ORDER', row, text)
  }
}

async function* none(): AsyncGenerator<Row[], void> {
  // a table that is not there has no rows
}
