// Reads the receipt, action and market journals of one queue in pages. What is written is in
// sign-statement.ts; queue items are read by journal-items.ts.
import type { CertificateEntry, StoredMarketRow, StoredReceiptRow } from '../../model/journal.js'
import { reaching, type Store } from '../client.js'
import {
  boundedPage,
  type JournalKey,
  type JournalQuery,
  type JournalTable,
  PAGE,
  pagesFrom,
  turned,
  windowOf,
} from './journal-pages.js'
import {
  MARKET_COLUMNS,
  type MarketColumns,
  marketRowOf,
  marketRowsOf,
  receiptRowsOf,
} from './market-rows.js'

export interface StoredActionRow {
  timeStamp: bigint
  id: string
  queueItemId: string | null
  moment: Date
  priority: number
  type: string
  message: string
  dataBase64: string | null
  dataJson: string | null
}

interface Stamped {
  time_stamp: bigint
}

/** How one journal is read: by its primary key, which ends with the time stamp. */
interface Reading<D extends Stamped, R> {
  table: JournalTable
  text: string
  rowOf(row: D): R
}

async function* read<D extends Stamped, R>(
  store: Store,
  query: JournalQuery,
  reading: Reading<D, R>,
): AsyncGenerator<R[], void, undefined> {
  const window = await windowOf(store, reading.table, query)
  if (window === undefined) return
  const { accountId, queueId } = query.key
  yield* pagesFrom(window.from - 1n, async (after) => {
    const { rows } = await reaching(() =>
      store.pool.query<D>({
        name: `page-of-${reading.table}`,
        text: reading.text,
        values: [accountId, queueId, after, window.upTo, PAGE.rows, PAGE.bytes],
      }),
    )
    const last = rows.at(-1)?.time_stamp ?? window.upTo
    const next = last < window.upTo ? last : undefined
    return { rows: turned(rows, reading.rowOf), next }
  })
}

interface ReceiptColumns extends Stamped {
  id: string
  receipt_moment: Date
  receipt_number: bigint
  receipt_total: string
  queue_item_id: string
  receipt_hash: Buffer
}

const RECEIPT_COLUMNS =
  'time_stamp, id, receipt_moment, receipt_number, receipt_total, queue_item_id, receipt_hash'

const receiptReading: Reading<ReceiptColumns, StoredReceiptRow> = {
  table: 'receipt_journal',
  text: boundedPage({
    columns: RECEIPT_COLUMNS,
    bytes: '200',
    from: `${receiptRowsOf({
      columns: RECEIPT_COLUMNS,
      where: 'j.time_stamp > $3 and j.time_stamp <= $4',
      ...{ order: 'asc', limit: '$5' },
    })} r`,
    where: 'true',
    order: 'time_stamp',
    first: 5,
  }),
  rowOf: (row) => ({
    timeStamp: row.time_stamp,
    id: row.id,
    receiptMoment: row.receipt_moment,
    receiptNumber: row.receipt_number,
    receiptTotal: row.receipt_total,
    queueItemId: row.queue_item_id,
    receiptHash: row.receipt_hash,
  }),
}

/** The receipt journal in the order of its time stamps, in pages. */
export function receiptRows(store: Store, query: JournalQuery): AsyncGenerator<StoredReceiptRow[]> {
  return read(store, query, receiptReading)
}

interface ActionColumns extends Stamped {
  id: string
  queue_item_id: string | null
  moment: Date
  priority: number
  type: string
  message: string
  data_base64: string | null
  data_json: string | null
}

const actionReading: Reading<ActionColumns, StoredActionRow> = {
  table: 'action_journal',
  text: boundedPage({
    columns:
      'time_stamp, id, queue_item_id, moment, priority, type, message, data_base64, data_json',
    bytes:
      '200 + octet_length(message) + coalesce(octet_length(data_base64), 0)' +
      ' + coalesce(octet_length(data_json), 0)',
    from: 'action_journal',
    where: 'account_id = $1 and queue_id = $2 and time_stamp > $3 and time_stamp <= $4',
    order: 'time_stamp',
    first: 5,
  }),
  rowOf: (row) => ({
    timeStamp: row.time_stamp,
    id: row.id,
    queueItemId: row.queue_item_id,
    moment: row.moment,
    priority: row.priority,
    type: row.type,
    message: row.message,
    dataBase64: row.data_base64,
    dataJson: row.data_json,
  }),
}

/** The action journal in the order of its time stamps, in pages. */
export function actionRows(store: Store, query: JournalQuery): AsyncGenerator<StoredActionRow[]> {
  return read(store, query, actionReading)
}

const marketReading: Reading<MarketColumns, StoredMarketRow> = {
  table: 'market_journal',
  text: boundedPage({
    columns: MARKET_COLUMNS,
    bytes: '200 + octet_length(content)',
    from: marketRowsOf({
      where: (less) => `j.time_stamp > $3::int8${less} and j.time_stamp <= $4::int8${less}`,
      order: 'asc',
      limit: '$5',
    }),
    where: 'true',
    order: 'time_stamp',
    first: 5,
  }),
  rowOf: marketRowOf,
}

/** The country's journal in the order of its time stamps, in pages. */
export function marketRows(store: Store, query: JournalQuery): AsyncGenerator<StoredMarketRow[]> {
  return read(store, query, marketReading)
}

/** A certificate of this account, or undefined. */
export async function findCertificate(
  store: Store,
  accountId: string,
  fingerprint: Buffer,
): Promise<CertificateEntry | undefined> {
  const found = await reaching(() =>
    store.pool.query<CertificateEntry>({
      name: 'find-certificate',
      text: `select fingerprint, der, coalesce(chain, '{}') as chain from certificate
        where account_id = $1 and fingerprint = $2`,
      values: [accountId, fingerprint],
    }),
  )
  return found.rows[0]
}

/** Fingerprint in the newest market row before these ticks that names a certificate. */
export async function findCertificateBefore(
  store: Store,
  { accountId, queueId }: JournalKey,
  ticks: bigint,
): Promise<Buffer | undefined> {
  const found = await reaching(() =>
    store.pool.query<{ certificate_fingerprint: Buffer }>({
      name: 'certificate-before',
      text: `select certificate_fingerprint from ${marketRowsOf({
        where: (less) => `j.time_stamp < $3::int8${less} and j.certificate_fingerprint is not null`,
        ...{ order: 'desc', limit: '1' },
      })} order by time_stamp desc limit 1`,
      values: [accountId, queueId, ticks],
    }),
  )
  return found.rows[0]?.certificate_fingerprint
}
