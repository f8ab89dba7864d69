// Receipts lie in two tables, with and without their record; the rows of the country's journal in a
// table of their own and, where a record belongs to one receipt, in the row of that receipt. Each
// table is read by its key, and they come in one order. An order of both together is not left to
// the planner: as long as it knows nothing of a table that has grown, it sorts all of it.
import type { StoredMarketRow } from '../../model/journal.js'

export interface MarketColumns {
  time_stamp: bigint
  id: string
  kind: string
  number: bigint
  scu_id: string | null
  queue_item_id: string
  certificate_fingerprint: Buffer | null
  content: string
}

export const MARKET_COLUMNS =
  'time_stamp, id, kind, number, scu_id, queue_item_id, certificate_fingerprint, content'

export function marketRowOf(row: MarketColumns): StoredMarketRow {
  return {
    timeStamp: row.time_stamp,
    id: row.id,
    kind: row.kind,
    number: Number(row.number),
    scuId: row.scu_id,
    queueItemId: row.queue_item_id,
    certificateFingerprint: row.certificate_fingerprint,
    content: row.content,
  }
}

const OWN = MARKET_COLUMNS.split(', ')
const RECORDED = OWN.map((name) => {
  if (name === 'time_stamp') return 'j.time_stamp + 1 as time_stamp'
  return name === 'id' ? 'j.market_id as id' : `j.${name}`
})

interface ReceiptRows {
  /** Of `j`. */
  columns: string
  /** Of `j`, besides whose it is. */
  where: string
  order: 'asc' | 'desc'
  /** At most so many; a parameter or a number. */
  limit: string
  /** Account and queue, `$1` and `$2` unless told. */
  of?: readonly [string, string]
}

/** In brackets: the first receipts of both tables; the reader takes the first of them. */
export function receiptRowsOf(rows: ReceiptRows): string {
  const { columns, where, order, limit, of = ['$1', '$2'] } = rows
  const arm = (table: string) => `(select ${columns} from ${table} j
      where j.account_id = ${of[0]} and j.queue_id = ${of[1]} and ${where}
      order by j.time_stamp ${order} limit ${limit})`
  return `(${arm('only receipt_journal')} union all ${arm('recorded_receipt')})`
}

interface MarketRows {
  /**
   * What is asked of the ticks and the other columns of `j`, the queue `j.account_id = $1 and
   * j.queue_id = $2` besides. `less` stands behind every value that a tick is compared with: a
   * record has the tick behind that of its receipt.
   */
  where(less: string): string
  order: 'asc' | 'desc'
  /** At most so many; a parameter or a number. */
  limit: string
}

/** As a table `m` of a query: the first rows of both tables; the reader takes the first of them. */
export function marketRowsOf({ where, order, limit }: MarketRows): string {
  const arm = (table: string, columns: readonly string[], less: string) =>
    `(select ${columns.join(', ')} from ${table} j
      where j.account_id = $1 and j.queue_id = $2 and ${where(less)}
      order by j.time_stamp ${order} limit ${limit})`
  const own = arm('market_journal', OWN, '')
  return `(${own} union all ${arm('recorded_receipt', RECORDED, ' - 1')}) m`
}
