// What detectors look at in the states of queues. States are long texts: one statement reads them
// with each look, and writes what has changed since; every question reads its few columns.
import type { Connection } from '../../transaction.js'

/** Of a country: where in the state of a queue each of them stands; left out: it has none. */
export interface RegisterPaths {
  market: string
  openSince?: readonly string[]
  settledAt?: readonly string[]
  /** As ISO text; the others are milliseconds. */
  archiveSince?: readonly string[]
  transactionSince?: readonly string[]
  logMissingSince?: readonly string[]
  memoryUsed?: readonly string[]
  memoryUnit?: readonly string[]
}

/**
 * Queues of one statement, by their keys: the first look has something to write for each of them,
 * and none is read twice.
 */
const PIECE = 50_000
const FIRST = '00000000-0000-0000-0000-000000000000'
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const BORDER = `select account_id, id from queue
  where (account_id, id) > ($1::uuid, $2::uuid) order by account_id, id offset $3 limit 1`

/** In use: whoever is neither started nor in a cash box is not missed. */
export const IN_USE =
  'q.start_moment is not null and q.stop_moment is null and q.cash_box_id is not null'

/** What JSON can say and the binary form cannot; callers cannot send it. */
const BINARY = `case when strpos(q.state, '\\u') = 0 then q.state::jsonb
  else regexp_replace(q.state,
  '\\\\u(0000|d[89a-f][0-9a-f]{2})', '\\\\ufffd', 'gi')::jsonb end`

const moment = (path: string) => `to_timestamp((s.state #>> m."${path}")::float8 / 1000)`

/** Written seldom, and never later than the newest receipt. */
const SEEN = `case when q.last_moment >= w.seen and q.last_moment < w.seen + interval '6 hours'
  then w.seen else q.last_moment end`

const READ = `insert into queue_watch (account_id, queue_id, market, cash_box_id, is_used,
    open_since, settled_at, archive_since, transaction_since, log_missing_since, memory_used,
    memory_unit, seen)
  select q.account_id, q.id, q.market, q.cash_box_id, v.*
  from json_to_recordset($1::json) m(market text, "openSince" text[], "settledAt" text[],
    "archiveSince" text[], "transactionSince" text[], "logMissingSince" text[], "memoryUsed" text[],
    "memoryUnit" text[])
  join queue q on q.market = m.market
  left join queue_watch w on w.account_id = q.account_id and w.queue_id = q.id
  cross join lateral (select ${BINARY} as state offset 0) s
  cross join lateral (select ${IN_USE} as is_used, ${moment('openSince')} as open_since,
    ${moment('settledAt')} as settled_at,
    (s.state #>> m."archiveSince")::timestamptz as archive_since,
    ${moment('transactionSince')} as transaction_since,
    ${moment('logMissingSince')} as log_missing_since,
    (s.state #>> m."memoryUsed")::float8 as memory_used,
    (s.state #>> m."memoryUnit")::uuid as memory_unit, ${SEEN} as seen offset 0) v
  where (q.account_id, q.id) > ($2::uuid, $3::uuid) and (q.account_id, q.id) <= ($4::uuid, $5::uuid)
    and (w.queue_id is null or (w.market, w.cash_box_id, w.is_used, w.open_since, w.settled_at,
      w.archive_since, w.transaction_since, w.log_missing_since, w.memory_used, w.memory_unit,
      w.seen)
    is distinct from (q.market, q.cash_box_id, v.is_used, v.open_since, v.settled_at,
      v.archive_since, v.transaction_since, v.log_missing_since, v.memory_used, v.memory_unit,
      v.seen))
  on conflict (account_id, queue_id) do update set market = excluded.market,
    cash_box_id = excluded.cash_box_id, is_used = excluded.is_used,
    open_since = excluded.open_since, settled_at = excluded.settled_at,
    archive_since = excluded.archive_since,
    transaction_since = excluded.transaction_since,
    log_missing_since = excluded.log_missing_since, memory_used = excluded.memory_used,
    memory_unit = excluded.memory_unit, seen = excluded.seen`

const EVER = "coalesce(w.seen, '-infinity'::timestamptz)"
/** Whoever looks every minute looks no more. */
const LATE = `not exists (select from detector_run
  where kind = 'registers' and ran_at > now() - interval '10 minutes')`

/**
 * Queues `id` of a merchant `m` that may have been silent since this moment, which must be half a
 * day ago at least: by keys, while all are looked at; otherwise and of new ones all of them.
 */
export const silentSince = (moment: string) => `select w.queue_id as id from queue_watch w
    where w.account_id = m.id and ${EVER} < ${moment} and not (${LATE})
  union all select q.id from queue q where q.account_id = m.id and (${LATE})
  union all select q.id from queue q where q.account_id = m.id
    and q.created_at > now() - interval '15 minutes'`

/** Returns how many queues have something new. `piece`: queues of one statement. */
export async function readRegisters(
  client: Connection,
  paths: readonly RegisterPaths[],
  piece = PIECE,
): Promise<number> {
  const text = JSON.stringify(paths)
  let changed = 0
  for (let from: Key = [FIRST, FIRST]; ; ) {
    const border = await borderBehind(client, from, piece)
    const values = [text, ...from, ...(border ?? [LAST, LAST])]
    const { rowCount } = await client.query({ name: 'read-registers', text: READ, values })
    changed += rowCount ?? 0
    if (border === undefined) return changed
    from = border
  }
}

type Key = [accountId: string, id: string]

/** The last queue of the next piece; undefined: it is the last piece. */
async function borderBehind(
  client: Connection,
  from: Key,
  piece: number,
): Promise<Key | undefined> {
  const { rows } = await client.query<{ account_id: string; id: string }>({
    ...{ name: 'registers-until', text: BORDER, values: [...from, piece - 1] },
  })
  const [border] = rows
  return border && [border.account_id, border.id]
}
