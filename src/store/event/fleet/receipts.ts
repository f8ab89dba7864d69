// Receipts of a queue that an account may read: as a list, one with its neighbours, and the rows of
// the journals that were written for it.
import { UNIX_EPOCH_TICKS } from '../../../lib/ticks.js'
import type { Store } from '../../client.js'
import type { JournalKey } from '../../journal/journal-pages.js'
import { marketRowsOf, receiptRowsOf } from '../../journal/market-rows.js'
import { withTexts } from '../../receipt/receipt-texts.js'
import { READABLE } from '../outages.js'

export interface QueuePlace extends JournalKey {
  accountName: string
  identification: string
  market: string
  cashBoxId: string | null
}

/** Of a queue that the account may read. */
export async function findPlace(
  { pool }: Pick<Store, 'pool'>,
  { accountId, queueId }: JournalKey,
): Promise<QueuePlace | undefined> {
  const { rows } = await pool.query<QueuePlace>(
    `with m as (${READABLE})
     select q.account_id as "accountId", a.name as "accountName", q.id as "queueId",
       q.identification, q.market, coalesce(q.cash_box_id, (select m.cash_box_id
         from queue_membership m where m.account_id = q.account_id and m.queue_id = q.id
         order by m.until desc nulls first, m.since desc limit 1)) as "cashBoxId"
     from m join queue q on q.account_id = m.id and q.id = $2
     join account a on a.id = m.id`,
    [accountId, queueId],
  )
  return rows[0]
}

export interface ListedItem {
  id: string
  row: bigint
  receiptMoment: Date
  reference: string | null
  /** Null while there is no answer. */
  response: string | null
  /** Plain decimal text; null: it has no row in the receipt journal. */
  total: string | null
  number: bigint | null
}

// the receipt of an item lies between its tick and the one of the item behind it
const JOURNALLED = `left join lateral (select j.* from receipt_journal j
    where j.account_id = i.account_id and j.queue_id = i.queue_id
      and j.time_stamp >= i.time_stamp
      and j.time_stamp < coalesce((select min(n.time_stamp) from queue_item n
        where n.account_id = i.account_id and n.queue_id = i.queue_id
          and n.time_stamp > i.time_stamp), 9223372036854775807)
      and j.queue_item_id = i.id limit 1) r on true`

/** The newest first; `before`: a row that the list has reached. */
export async function listItems(
  { pool }: Pick<Store, 'pool'>,
  { accountId, queueId }: JournalKey,
  { before, limit }: { before: bigint | undefined; limit: number },
): Promise<ListedItem[]> {
  const { rows } = await pool.query<ListedItem>(
    `select i.id, i.row, i.receipt_moment as "receiptMoment", i.receipt_reference as reference,
       i.response, trim_scale(r.receipt_total)::text as total, r.receipt_number as number
     from (select * from queue_item where account_id = $1 and queue_id = $2
       and ($3::int8 is null or row < $3) order by row desc limit $4) i ${JOURNALLED}
     order by i.row desc`,
    [accountId, queueId, before ?? null, limit],
  )
  return rows.map(withTexts)
}

export interface Neighbour {
  id: string
  row: bigint
}

/** The items before and behind a row. */
export async function neighboursOf(
  { pool }: Pick<Store, 'pool'>,
  { accountId, queueId }: JournalKey,
  row: number,
): Promise<{ previous: Neighbour | null; next: Neighbour | null }> {
  const { rows } = await pool.query<Neighbour>(
    `select id, row from queue_item
     where account_id = $1 and queue_id = $2 and row in ($3::int8 - 1, $3::int8 + 1)`,
    [accountId, queueId, row],
  )
  const at = (place: number) => rows.find((one) => one.row === BigInt(place)) ?? null
  return { previous: at(row - 1), next: at(row + 1) }
}

/** Ticks between which everything lies that was written for an item; both exclusive. */
export async function ticksAround(
  { pool }: Pick<Store, 'pool'>,
  { accountId, queueId }: JournalKey,
  tick: bigint,
): Promise<{ before: bigint; after: bigint }> {
  const { rows } = await pool.query<{ before: bigint | null; after: bigint | null }>(
    `select (select max(time_stamp) from queue_item
         where account_id = $1 and queue_id = $2 and time_stamp < $3) as before,
       (select min(time_stamp) from queue_item
         where account_id = $1 and queue_id = $2 and time_stamp > $3) as after`,
    [accountId, queueId, tick],
  )
  return { before: rows[0]?.before ?? 0n, after: rows[0]?.after ?? 2n ** 63n - 1n }
}

const LAST_RECEIPT = receiptRowsOf({
  columns: 'j.receipt_hash, j.time_stamp',
  where: 'j.time_stamp < $3',
  ...{ order: 'desc', limit: '1' },
})
const LAST_RECORD = marketRowsOf({
  where: (less) => `j.time_stamp < $3::int8${less}`,
  ...{ order: 'desc', limit: '1' },
})

/** Of the newest receipt and the newest row of the market before a tick; null: there is none. */
export async function endsBefore(
  { pool }: Pick<Store, 'pool'>,
  { accountId, queueId }: JournalKey,
  tick: bigint,
): Promise<{ receiptHash: Buffer | null; marketTick: bigint | null }> {
  const { rows } = await pool.query<{ receiptHash: Buffer | null; marketTick: bigint | null }>(
    `select (select receipt_hash from ${LAST_RECEIPT} r order by time_stamp desc limit 1)
         as "receiptHash",
       (select max(time_stamp) from ${LAST_RECORD}) as "marketTick"`,
    [accountId, queueId, tick],
  )
  return rows[0] ?? { receiptHash: null, marketTick: null }
}

/** Of the queue `q`. */
const NEWEST = receiptRowsOf({
  columns: 'j.queue_item_id, j.time_stamp',
  where: 'true',
  ...{ order: 'desc', limit: '1' },
  of: ['q.account_id', 'q.id'],
})

/** Of the newest receipts of a merchant, that of the queue that was used last. */
export async function newestReceipt(
  { pool }: Pick<Store, 'pool'>,
  accountId: string,
): Promise<{ queueId: string; id: string } | undefined> {
  const { rows } = await pool.query<{ queueId: string; id: string }>(
    `select q.id as "queueId", j.queue_item_id as id
     from queue q cross join lateral (select * from ${NEWEST} r
       order by time_stamp desc limit 1) j
     where q.account_id = $1 order by q.last_moment desc nulls last limit 1`,
    [accountId],
  )
  return rows[0]
}

export interface ReceiptDay {
  /** `2026-11-26`, of the calendar of the country. */
  day: string
  receipts: bigint
}

/**
 * Receipts of all Queues of a merchant by day, today last: what the chains have reached by the end
 * of each day, so that no rows are counted.
 */
export async function receiptDays(
  { pool }: Pick<Store, 'pool'>,
  accountId: string,
  { zone, days, now }: { zone: string; days: number; now: Date },
): Promise<ReceiptDay[]> {
  const { rows } = await pool.query<ReceiptDay>(
    `with day as (select d,
         ${UNIX_EPOCH_TICKS} + (extract(epoch from d at time zone $2) * 10000000)::int8 as tick
       from generate_series(date_trunc('day', $4::timestamptz at time zone $2)
         - make_interval(days => $3 - 1), ($4 at time zone $2) + interval '1 day', '1 day') d),
     reached as (select d, coalesce(sum(j.number), 0) as total
       from day left join queue q on q.account_id = $1
       left join lateral (select r.receipt_number as number from receipt_journal r
         where r.account_id = q.account_id and r.queue_id = q.id and r.time_stamp < day.tick
         order by r.time_stamp desc limit 1) j on true
       group by d)
     select to_char(d, 'YYYY-MM-DD') as day, receipts from (select d,
       (lead(total) over (order by d) - total)::int8 as receipts from reached) counted
     where receipts is not null order by d`,
    [accountId, zone, days, now],
  )
  return rows
}
