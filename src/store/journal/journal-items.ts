// Reads the queue items of one queue in pages, by time stamp or by row. The only place where
// exports get at the texts of requests and responses.
import { Decimal } from '../../lib/decimal.js'
import type { ItemEnds } from '../../model/export-source.js'
import type { StoredItem, StoredReceiptRow } from '../../model/journal.js'
import { int8Array, textArray } from '../binary-array.js'
import { reaching, type Store } from '../client.js'
import { withTexts } from '../receipt/receipt-texts.js'
import {
  boundedPage,
  type JournalKey,
  type JournalQuery,
  PAGE,
  pagesFrom,
  turned,
  type Window,
  windowOf,
} from './journal-pages.js'

/** A queue item without what the receipt journal knows of it. */
export type StoredQueueItem = Omit<StoredItem, 'receipt' | 'receiptNumber' | 'receiptTotal'>

interface ItemColumns {
  row: bigint
  id: string
  queue_moment: Date
  timeout_ms: number
  work_moment: Date | null
  done_moment: Date | null
  receipt_moment: Date
  terminal_id: string | null
  pos_system_id: string | null
  receipt_reference: string | null
  country: string
  version: string
  request: string
  request_hash: Buffer
  response: string | null
  response_hash: Buffer | null
  processing_version: string
  time_stamp: bigint
}

const COLUMNS = `row, id, queue_moment, timeout_ms, work_moment, done_moment, receipt_moment,
  terminal_id, pos_system_id, receipt_reference, country, version, request, request_hash, response,
  response_hash, processing_version, time_stamp`
const BYTES = '500 + octet_length(request) + coalesce(octet_length(response), 0)'

function itemOf(row: ItemColumns): StoredQueueItem {
  const { request, response } = withTexts(row)
  return {
    row: Number(row.row),
    id: row.id,
    queueMoment: row.queue_moment,
    timeoutMs: row.timeout_ms,
    workMoment: row.work_moment,
    doneMoment: row.done_moment,
    receiptMoment: row.receipt_moment,
    terminalId: row.terminal_id,
    posSystemId: row.pos_system_id,
    receiptReference: row.receipt_reference,
    country: row.country,
    version: row.version,
    request,
    requestHash: row.request_hash,
    response,
    responseHash: row.response_hash,
    processingVersion: row.processing_version,
    timeStamp: row.time_stamp,
  }
}

const BY_TIME = boundedPage({
  columns: COLUMNS,
  bytes: BYTES,
  from: 'queue_item',
  where: 'account_id = $1 and queue_id = $2 and time_stamp > $3 and time_stamp <= $4',
  order: 'time_stamp',
  first: 5,
})

/**
 * Queue items in the order of their time stamps, which are those of the last write: an item that
 * gets its answer from a remote device while this runs has moved behind the end.
 */
export async function* queueItems(
  store: Store,
  query: JournalQuery,
): AsyncGenerator<StoredQueueItem[], void, undefined> {
  const window = await windowOf(store, 'queue_item', query)
  if (window === undefined) return
  const { accountId, queueId } = query.key
  yield* pagesFrom(window.from - 1n, async (after) => {
    const { rows } = await reaching(() =>
      store.pool.query<ItemColumns>({
        name: 'items-by-time',
        text: BY_TIME,
        values: [accountId, queueId, after, window.upTo, PAGE.rows, PAGE.bytes],
      }),
    )
    const last = rows.at(-1)?.time_stamp ?? window.upTo
    const next = last < window.upTo ? last : undefined
    return { rows: turned(rows, itemOf), next }
  })
}

interface JoinedColumns extends ItemColumns {
  receipt_tick: bigint | null
  receipt_id: string
  made_moment: Date
  receipt_number: bigint
  receipt_hash: Buffer
  receipt_total: string
  queue_item_id: string
}

/** Of a row `j` of the receipt journal. */
const RECEIPT_COLUMNS = `j.time_stamp as receipt_tick, j.id as receipt_id,
  j.receipt_moment as made_moment, j.receipt_number, j.receipt_hash, j.receipt_total,
  j.queue_item_id`

// `+ 0` keeps the planner on the primary key: the index over time stamps would sort the rest of the
// journal for every page
const BY_ROW = boundedPage({
  columns: COLUMNS,
  bytes: BYTES,
  from: 'queue_item',
  where:
    'account_id = $1 and queue_id = $2 and row > $3 and row <= $4' +
    ' and time_stamp + 0 >= $5 and time_stamp + 0 <= $6',
  order: 'row',
  first: 7,
})

// A receipt and its item are written by one statement with ticks next to each other, so the
// receipts of a page lie between the items before and behind it; the receipt journal has no index
// over items.
const JOINED = `with p as materialized (${BY_ROW}),
  edges as materialized (select min(time_stamp) as low, max(time_stamp) as high from p),
  r as materialized (
    select ${RECEIPT_COLUMNS}
    from receipt_journal j
    where j.account_id = $1 and j.queue_id = $2
      and j.time_stamp > coalesce((select max(i.time_stamp) from queue_item i
        where i.account_id = $1 and i.queue_id = $2 and i.time_stamp < (select low from edges)), 0)
      and j.time_stamp < coalesce((select min(i.time_stamp) from queue_item i
        where i.account_id = $1 and i.queue_id = $2 and i.time_stamp > (select high from edges)),
        9223372036854775807))
  select p.*, r.*
  from p left join r on r.queue_item_id = p.id order by p.row`

/**
 * Queue items in the order of their rows, each with its receipt journal row where it has one. Every
 * row that exists when the reading begins comes exactly once.
 */
export async function* storedItems(
  store: Store,
  query: JournalQuery,
): AsyncGenerator<StoredItem[], void, undefined> {
  const window = await windowOf(store, 'queue_item', query)
  if (window === undefined) return
  const rows = await rowWindow(store, query, window)
  const upTo = query.range.to === 0n ? ANY_TIME : window.upTo
  yield* itemPages(store, query.key, { ...rows, from: window.from, upTo })
}

/** Queue items in the order of their rows, both ends inclusive. */
export async function* itemsBetween(
  store: Store,
  key: JournalKey,
  ends: ItemEnds,
): AsyncGenerator<StoredItem[], void, undefined> {
  const rowOf = async (end: number | string) =>
    typeof end === 'string' ? rowOfItem(store, key, end) : end
  const [first, last] = await Promise.all([rowOf(ends.from), rowOf(ends.to)])
  if (first === undefined || last === undefined) return
  const bounds = { first: BigInt(first), last: BigInt(last), from: 0n, upTo: ANY_TIME }
  yield* itemPages(store, key, bounds)
}

/** Row of the item with this id; undefined: the queue has none. */
export async function rowOfItem(
  store: Store,
  { accountId, queueId }: JournalKey,
  id: string,
): Promise<number | undefined> {
  const found = await reaching(() =>
    store.pool.query<{ row: bigint }>({
      name: 'row-of-item',
      text: 'select row from queue_item where account_id = $1 and queue_id = $2 and id = $3',
      values: [accountId, queueId, id],
    }),
  )
  return found.rows.map(({ row }) => Number(row))[0]
}

/** Rows, and the time stamps that they must have besides; all inclusive. */
type Bounds = Window & { first: bigint; last: bigint }

/**
 * Rows and bytes. Their readers make some fifty kilobytes of every item: what lives as long as a
 * large page becomes old memory, which goes with a full collection only.
 */
const ITEMS_AT_A_TIME = [64, 256 * 1024] as const

function itemPages(
  store: Store,
  { accountId, queueId }: JournalKey,
  { first, last, from, upTo }: Bounds,
): AsyncGenerator<StoredItem[], void, undefined> {
  return pagesFrom(first - 1n, async (after) => {
    const { rows } = await reaching(() =>
      store.pool.query<JoinedColumns>({
        name: 'items-by-row',
        text: JOINED,
        values: [accountId, queueId, after, last, from, upTo, ...ITEMS_AT_A_TIME],
      }),
    )
    const reached = rows.at(-1)?.row ?? last
    return { rows: turned(rows, joinedOf), next: reached < last ? reached : undefined }
  })
}

// A receipt lies between the items before and behind its own (see JOINED); the index over
// references gives the items of each, newest first, and the first with a receipt ends the search.
// `offset 0` keeps the planner from a join: it would read the whole receipt journal per reference.
const RECEIPTS_BEFORE = `select a.place, f.*
  from unnest($3::text[], $4::int8[]) with ordinality a(reference, before, place)
  cross join lateral (
    select ${COLUMNS.split(/,\s*/)
      .map((column) => `i.${column}`)
      .join(', ')}, r.*
    from queue_item i cross join lateral (
      select ${RECEIPT_COLUMNS}
      from receipt_journal j
      where j.account_id = $1 and j.queue_id = $2 and j.queue_item_id = i.id
        and j.time_stamp > coalesce((select max(b.time_stamp) from queue_item b
          where b.account_id = $1 and b.queue_id = $2 and b.time_stamp < i.time_stamp), 0)
        and j.time_stamp < coalesce((select min(b.time_stamp) from queue_item b
          where b.account_id = $1 and b.queue_id = $2 and b.time_stamp > i.time_stamp),
          9223372036854775807) offset 0) r
    where i.account_id = $1 and i.queue_id = $2 and i.receipt_reference = a.reference
      and i.row < a.before
    order by i.time_stamp desc limit 1) f`

/** For each the newest receipt before `row` with this reference, in the same order. */
export async function receiptsBefore(
  store: Store,
  key: JournalKey,
  asked: readonly { reference: string; row: number }[],
): Promise<(StoredItem | undefined)[]> {
  // binary: the driver holds on to what it sends, and a reference to the request it is part of
  const references = textArray(asked, (one) => one.reference)
  const before = int8Array(asked, (one) => one.row)
  const { rows } = await reaching(() =>
    store.pool.query<JoinedColumns & { place: bigint }>({
      name: 'receipts-before',
      text: RECEIPTS_BEFORE,
      values: [key.accountId, key.queueId, references, before],
    }),
  )
  const found = turned(rows, (row) => [Number(row.place), joinedOf(row)] as const)
  const byPlace = new Map(found)
  return asked.map((_, index) => byPlace.get(index + 1))
}

/** An open end has no last time stamp: an item that gets its answer meanwhile still counts. */
const ANY_TIME = 2n ** 63n - 1n

// no spread: V8 gives its result a shape of its own every time, a kilobyte of old memory
function joinedOf(row: JoinedColumns): StoredItem {
  const receipt = receiptOf(row)
  return Object.assign(itemOf(row), {
    receipt,
    receiptNumber: receipt === null ? null : Number(receipt.receiptNumber),
    receiptTotal: receipt === null ? null : Decimal.stored(receipt.receiptTotal).toString(),
  })
}

function receiptOf(row: JoinedColumns): StoredReceiptRow | null {
  if (row.receipt_tick === null) return null
  return {
    timeStamp: row.receipt_tick,
    id: row.receipt_id,
    receiptMoment: row.made_moment,
    receiptNumber: row.receipt_number,
    receiptTotal: row.receipt_total,
    queueItemId: row.queue_item_id,
    receiptHash: row.receipt_hash,
  }
}

/**
 * Rows that can be written out of the order of their time stamps: as many as may wait for a remote
 * device at the same time (4096), and some more.
 */
const DISORDER = 10_000

const edge = (of: 'min' | 'max', order: 'asc' | 'desc'): string =>
  `(select ${of}(row) from (select row from queue_item where account_id = $1 and queue_id = $2
     and time_stamp >= $3 and time_stamp <= $4 order by time_stamp ${order} limit $5) t)`

async function rowWindow(
  store: Store,
  { key }: JournalQuery,
  window: Window,
): Promise<{ first: bigint; last: bigint }> {
  const found = await reaching(() =>
    store.pool.query<{ first: bigint | null; last: bigint | null }>({
      name: 'rows-of-window',
      text: `select ${edge('min', 'asc')} as first, ${edge('max', 'desc')} as last`,
      values: [key.accountId, key.queueId, window.from, window.upTo, DISORDER],
    }),
  )
  const { first, last } = found.rows[0] ?? { first: null, last: null }
  return { first: first ?? 1n, last: last ?? 0n }
}
