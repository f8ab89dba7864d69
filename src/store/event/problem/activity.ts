// At which hours of the week queues have receipts, read from their journals when one falls silent.
import { ticksOf } from '../../../lib/ticks.js'
import { int8Array, textArray, timestamptzArray, uuidArray } from '../../binary-array.js'
import type { Store } from '../../client.js'
import { SILENT_SINCE } from './questions.js'

export interface SilentQueue {
  accountId: string
  id: string
  market: string
  startMoment: Date
  silentSince: Date
  /** What is known already; null: nothing. */
  cells: number[] | null
  /** Null: of a former version. */
  usual: number[] | null
  weeks: number | null
  /** Null: of a former version. */
  onHolidays: boolean | null
  computedAt: Date | null
}

/** Silent for `hours` at least, and nobody has said yet how long that is nothing special. */
export async function silentQueues(
  { pool }: Pick<Store, 'pool'>,
  { hours, limit }: { hours: number; limit: number },
): Promise<SilentQueue[]> {
  const { rows } = await pool.query<SilentQueue>(
    `select q.account_id as "accountId", q.id, q.market, q.start_moment as "startMoment",
       ${SILENT_SINCE} as "silentSince",
       a.cells, a.usual, a.weeks, a.on_holidays as "onHolidays",
       a.computed_at as "computedAt"
     from queue q left join activity a on a.account_id = q.account_id and a.queue_id = q.id
     where q.start_moment is not null and q.stop_moment is null and q.cash_box_id is not null
       and coalesce(q.last_moment, q.start_moment) < now() - $1 * interval '1 hour'
       and a.silent_since is distinct from ${SILENT_SINCE}
     limit $2`,
    [hours, limit],
  )
  return rows
}

export interface ActiveHour {
  /** Since 1970. */
  hour: number
  receipts: number
}

export interface Span {
  from: Date
  to: Date
}

/** Hours in which the queue had receipts, of spans that have none in common. */
export async function activeHours(
  { pool }: Pick<Store, 'pool'>,
  { accountId, id, spans }: { accountId: string; id: string; spans: readonly Span[] },
): Promise<ActiveHour[]> {
  const { rows } = await pool.query<ActiveHour>({
    name: 'active-hours',
    // span by span: otherwise the planner may read the whole journal for all of them at once
    text: `select floor(extract(epoch from r.receipt_moment) / 3600)::int4 as hour,
        count(*)::int4 as receipts
      from unnest($3::int8[], $4::int8[]) s(first, last)
      cross join lateral (select receipt_moment from receipt_journal
        where account_id = $1 and queue_id = $2 and time_stamp between s.first and s.last
        offset 0) r
      group by 1`,
    values: [
      ...[accountId, id, int8Array(spans.map(({ from }) => ticksOf(from.getTime())))],
      int8Array(spans.map(({ to }) => ticksOf(to.getTime() + 1))),
    ],
  })
  return rows
}

export interface ActivityRow {
  accountId: string
  id: string
  cells: readonly number[]
  usual: readonly number[]
  weeks: number
  onHolidays: boolean
  computedAt: Date
  silentSince: Date
  expectedBy: Date
}

export async function putActivities(
  { pool }: Pick<Store, 'pool'>,
  rows: readonly ActivityRow[],
): Promise<void> {
  await pool.query(
    `insert into activity as a (account_id, queue_id, cells, usual, weeks, computed_at,
       silent_since, expected_by, on_holidays)
     select u.account_id, u.queue_id, u.cells::int2[], u.usual::int4[], u.weeks, u.computed_at,
       u.silent_since, u.expected_by, u.on_holidays = 1
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::int8[], $5::timestamptz[],
       $6::timestamptz[], $7::timestamptz[], $8::text[], $9::int8[]) u(account_id, queue_id,
       cells, weeks, computed_at, silent_since, expected_by, usual, on_holidays)
     on conflict (account_id, queue_id) do update set cells = excluded.cells,
       usual = excluded.usual, on_holidays = excluded.on_holidays, weeks = excluded.weeks,
       silent_since = excluded.silent_since,
       expected_by = excluded.expected_by, computed_at = excluded.computed_at`,
    [
      uuidArray(rows, (row) => row.accountId),
      uuidArray(rows, (row) => row.id),
      textArray(rows.map(({ cells }) => `{${cells.join(',')}}`)),
      int8Array(rows, (row) => row.weeks),
      timestamptzArray(rows, (row) => row.computedAt),
      timestamptzArray(rows, (row) => row.silentSince),
      timestamptzArray(rows, (row) => row.expectedBy),
      textArray(rows.map(({ usual }) => `{${usual.join(',')}}`)),
      int8Array(rows.map(({ onHolidays }) => (onHolidays ? 1 : 0))),
    ],
  )
}
