// The yardstick's side of the database: an account with copies of real queues, the values that
// pgbench writes, and the proof at the end that both sides wrote what they say.
import { randomUUID } from 'node:crypto'
import type pg from 'pg'

/** Queue n of the yardstick has the id that insert.sql makes of n. */
const COPY_QUEUES = `
insert into queue select $2::uuid, lpad(n::text, 32, '0')::uuid, q.cash_box_id, q.market,
  q.description, q.identification, q.configuration, q.secrets_sealed, q.timeout_ms, q.start_moment,
  q.stop_moment, 0, 0, 0, 0, q.receipt_hash, q.state, q.last_moment, q.time_stamp, q.version,
  q.created_at
from unnest($3::uuid[]) with ordinality k(id, n) join queue q on q.account_id = $1 and q.id = k.id`

/** Makes an account whose queues 1, 2, … are like the given ones, without receipts. */
export async function copyQueues(
  client: pg.Client,
  { accountId, queueIds }: { accountId: string; queueIds: string[] },
): Promise<string> {
  const copy = randomUUID()
  await client.query(COPY_QUEUES, [accountId, copy, queueIds])
  return copy
}

const LAST_SALE = `
select i.request, i.request_hash::text, i.response, i.response_hash::text,
  i.processing_version as version, i.receipt_moment::text as moment, r.id as row_id,
  r.receipt_total::text as total, r.receipt_hash::text, m.scu_id, m.content,
  m.certificate_fingerprint::text as fingerprint, q.state
from queue_item i
join receipt_journal r on r.account_id = i.account_id and r.queue_item_id = i.id
join market_journal m on m.account_id = i.account_id and m.queue_item_id = i.id
join queue q on q.account_id = i.account_id and q.id = i.queue_id
where i.account_id = $1 and i.queue_id = $2 order by i.row desc limit 1`

/** The values of the newest receipt of a queue, as variables for pgbench. */
export async function valuesOf(
  client: pg.Client,
  { accountId, queueId }: { accountId: string; queueId: string },
): Promise<Record<string, string>> {
  const found = await client.query<Record<string, string>>(LAST_SALE, [accountId, queueId])
  const row = found.rows[0]
  if (row === undefined) throw new Error('there is no signed receipt to copy')
  return row
}

// Rows 1 to n without a gap, in every table, and as many as the head says
const COUNTS = `
select q.id, q.current_row::int as head, q.receipt_numerator::int as numerator,
  i.rows, i.lowest, i.highest, r.rows as receipts, m.rows as markets
from queue q
join lateral (select count(*)::int as rows, min(row)::int as lowest, max(row)::int as highest
  from queue_item where account_id = q.account_id and queue_id = q.id) i on true
join lateral (select count(*)::int as rows from receipt_journal
  where account_id = q.account_id and queue_id = q.id) r on true
join lateral (select count(*)::int as rows from market_journal
  where account_id = q.account_id and queue_id = q.id) m on true
where q.account_id = $1 and q.queued_row > 0`

interface Counts {
  id: string
  head: number
  numerator: number
  rows: number
  lowest: number
  highest: number
  receipts: number
  markets: number
}

/** Receipts of an account. Throws when a queue has a gap, or a table lacks a row. */
export async function countReceipts(client: pg.Client, accountId: string): Promise<number> {
  const { rows } = await client.query<Counts>(COUNTS, [accountId])
  for (const queue of rows) {
    const numbers = [queue.rows, queue.highest, queue.numerator, queue.receipts, queue.markets]
    if (queue.lowest === 1 && numbers.every((number) => number === queue.head)) continue
    throw new Error(`rows are missing or too many: ${JSON.stringify(queue)}`)
  }
  return rows.reduce((sum, queue) => sum + queue.head, 0)
}

const TABLES = ['queue_item', 'receipt_journal', 'market_journal'] as const
const SAMPLE = 2000

/** Average bytes of a receipt as stored (compressed where PostgreSQL does so), over all tables. */
export async function bytesOf(client: pg.Client, accountId: string): Promise<number> {
  let bytes = 0
  for (const table of TABLES) {
    const columns = await client.query<{ name: string }>(
      'select column_name as name from information_schema.columns where table_name = $1',
      [table],
    )
    const sizes = columns.rows.map(({ name }) => `coalesce(pg_column_size("${name}"), 0)`)
    const found = await client.query<{ bytes: number }>(
      `select avg(${sizes.join(' + ')})::float8 as bytes from (
        select * from ${table} where account_id = $1 order by queue_id, time_stamp desc
        limit ${SAMPLE}) newest`,
      [accountId],
    )
    bytes += found.rows[0]?.bytes ?? 0
  }
  return bytes
}
