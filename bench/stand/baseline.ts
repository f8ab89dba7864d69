// The yardstick's side of the database: frozen tables, frozen queues, the frozen values that
// pgbench writes; and the proof at the end that both sides wrote what they say.
import * as fs from 'node:fs'
import type pg from 'pg'

const fileOf = (name: string): string =>
  fs.readFileSync(new URL(`../load/${name}`, import.meta.url), 'utf8')

/** Where the tables of the yardstick lie. */
export const YARDSTICK = 'yardstick'
const ACCOUNT = '00000000-0000-4000-8000-000000000001'

/** Queue n has the id that insert.sql makes of n. */
const QUEUES = `
insert into ${YARDSTICK}.queue (account_id, id, cash_box_id, market, description, identification,
  configuration, secrets_sealed, start_moment, receipt_hash, state, last_moment, time_stamp,
  created_at)
select $1::uuid, lpad(n::text, 32, '0')::uuid, lpad(n::text, 32, 'c')::uuid, 'AT', 'till',
  lpad(n::text, 22, $2), $3, $4::bytea, now(), $5::bytea, $6, now(), 639000000000000000, now()
from generate_series(1, $7::int) n`

/** Makes the tables and so many queues without receipts; gives the variables for pgbench. */
export async function layYardstick(
  client: pg.Client,
  queues: number,
): Promise<Record<string, string>> {
  const { configuration, secrets, identification, ...values } = JSON.parse(
    fileOf('yardstick.json'),
  ) as Record<string, string>
  const { receipt_hash: hash, state } = values
  await client.query(fileOf('yardstick.sql'))
  const data = [ACCOUNT, identification, configuration, secrets, hash, state, queues]
  await client.query(QUEUES, data)
  return { ...values, account: ACCOUNT }
}

/** Tables of one side, and whose rows in them. */
export interface Side {
  schema: string
  accountId: string
  /** Where every record of a country is found once. */
  records: string
  /** With what a receipt leaves behind. */
  tables: readonly string[]
}

export const YARDSTICK_SIDE: Side = {
  ...{ schema: YARDSTICK, accountId: ACCOUNT, records: 'market_journal' },
  tables: ['queue_item', 'receipt_journal', 'market_journal'],
}

/** Of the server: a receipt and its record are one row. */
export const ourSide = (accountId: string): Side => ({
  ...{ schema: 'public', accountId, records: 'market_row' },
  tables: ['queue_item', 'recorded_receipt'],
})

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

// Rows 1 to n without a gap, in every table, and as many as the head says
const countsIn = ({ schema, records }: Side): string => `
select q.id, q.current_row::int as head, q.receipt_numerator::int as numerator,
  i.rows, i.lowest, i.highest, r.rows as receipts, m.rows as markets
from ${schema}.queue q
join lateral (select count(*)::int as rows, min(row)::int as lowest, max(row)::int as highest
  from ${schema}.queue_item where account_id = q.account_id and queue_id = q.id) i on true
join lateral (select count(*)::int as rows from ${schema}.receipt_journal
  where account_id = q.account_id and queue_id = q.id) r on true
join lateral (select count(*)::int as rows from ${schema}.${records}
  where account_id = q.account_id and queue_id = q.id) m on true
where q.account_id = $1 and q.queued_row > 0`

/** Receipts of a side. Throws when a queue has a gap, or a table lacks a row. */
export async function countReceipts(client: pg.Client, side: Side): Promise<number> {
  const { rows } = await client.query<Counts>(countsIn(side), [side.accountId])
  for (const queue of rows) {
    const numbers = [queue.rows, queue.highest, queue.numerator, queue.receipts, queue.markets]
    if (queue.lowest === 1 && numbers.every((number) => number === queue.head)) continue
    throw new Error(`rows are missing or too many: ${JSON.stringify(queue)}`)
  }
  return rows.reduce((sum, queue) => sum + queue.head, 0)
}

const SAMPLE = 2000

/** Average bytes of a receipt as stored (compressed where PostgreSQL does so), over all tables. */
export async function bytesOf(
  client: pg.Client,
  { schema, accountId, tables }: Side,
): Promise<number> {
  let bytes = 0
  for (const table of tables) {
    const columns = await client.query<{ name: string }>(
      `select column_name as name from information_schema.columns
       where table_schema = $1 and table_name = $2`,
      [schema, table],
    )
    const sizes = columns.rows.map(({ name }) => `coalesce(pg_column_size("${name}"), 0)`)
    const found = await client.query<{ bytes: number }>(
      `select avg(${sizes.join(' + ')})::float8 as bytes from (
        select * from ${schema}.${table} where account_id = $1 order by queue_id, time_stamp desc
        limit ${SAMPLE}) newest`,
      [accountId],
    )
    bytes += found.rows[0]?.bytes ?? 0
  }
  return bytes
}
