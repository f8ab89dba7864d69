// Events on their way from the inbox into the streams. Numbers of the inbox are given before the
// commit, so a reader that goes by them would lose what commits late: rows are moved instead, by
// one process at a time, and get their place in each stream as they are moved.

import { READS } from '../account/connections.js'
import type { Store } from '../client.js'
import { inTransaction } from '../transaction.js'
import { noteOutage, type OutageEvent } from './outages.js'
import { noteOccasion, type ToldOccasion } from './report/occasions.js'

/** Two words of a lock that nobody else takes. */
const LOCK = [0x6677, 0x6576] as const
/** Rows of the inbox per statement; a row can stand for a batch of receipts. */
export const MOVE_SIZES = [4, 60, 500, 2_000] as const
export type MoveSize = (typeof MOVE_SIZES)[number]

/** A statement for each size. */
export const moveText = (most: MoveSize) => `with d as (
  delete from inbox where ctid = any(array(select ctid from inbox order by id limit ${most}))
  returning *),
l as (
  select d.*, account_id as stream, account_id as owner from d
  union all select d.*, also_account_id, also_account_id from d
    where also_account_id <> account_id
  union all select d.*, c.account_id, d.account_id from d
    join connection c on c.to_account_id = d.account_id and ${READS}
    where c.account_id <> d.account_id and c.account_id is distinct from d.also_account_id),
told as (
  select l.stream, l.owner, l.id as place, 0::int8 as tick, l.event_id, l.type, l.cash_box_id,
    l.subject_kind, l.subject_id, l.data, l.at
  from l left join stream_head s on s.account_id = l.stream
  where l.from_tick is null and (l.type <> 'receipt.viewed' or s.receipts)
  union all
  select l.stream, l.owner, l.id, r.time_stamp, r.id, l.type, l.cash_box_id, 'receipt',
    r.queue_item_id, json_build_object('queueId', r.queue_id, 'number', r.receipt_number)::text,
    r.receipt_moment
  from l join stream_head s on s.account_id = l.stream and s.receipts
  -- by its key, for each row: a join would read all receipts that there are
  cross join lateral (
    select j.time_stamp, j.id, j.queue_item_id, j.queue_id, j.receipt_number, j.receipt_moment
    from receipt_journal j where j.account_id = l.account_id and j.queue_id = l.subject_id
      and j.time_stamp between l.from_tick and l.to_tick offset 0) r
  where l.from_tick is not null),
n as (select t.*, row_number() over (partition by stream order by place, tick) as nth,
  count(*) over (partition by stream) as many from told t),
h as (
  insert into stream_head as s (account_id, seq)
  select stream, count(*) from told group by stream order by stream
  on conflict (account_id) do update set seq = s.seq + excluded.seq
  returning s.account_id, s.seq),
e as (
  insert into event (account_id, seq, id, type, owner_id, cash_box_id, subject_kind, subject_id,
    data, at)
  select n.stream, (m.seqs ->> n.stream::text)::int8 - n.many + n.nth, n.event_id, n.type, n.owner,
    n.cash_box_id, n.subject_kind, n.subject_id, n.data, n.at
  from n cross join (select jsonb_object_agg(account_id::text, seq) as seqs from h) m)
select (select count(*)::int4 from d) as taken, array(select account_id::text from h) as streams,
  (select coalesce(json_agg(json_build_object('id', event_id, 'type', type, 'accountId', account_id,
      'cashBoxId', cash_box_id, 'queueId', subject_id, 'at', at, 'data', data::json)
      order by id), '[]') from d
    where type in ('outage.opened', 'outage.closed')) as outages,
  (select coalesce(json_agg(json_build_object('accountId', account_id, 'queueId', subject_id,
      'kind', substr(type, 7), 'at', at)), '[]') from d
    where type in ('queue.unit_changed', 'queue.yearly_receipt')) as occasions,
  exists (select from d where type in ('outage.opened', 'outage.closed', 'scu.failed',
    'scu.recovered')) as "isUrgent"`

export interface Moved {
  /** Rows of the inbox. */
  taken: number
  /** There may be more. */
  isMore: boolean
  /** Accounts that have something new. */
  streams: string[]
  /** It is of outages and units that fail. */
  isUrgent: boolean
}

type Found = Omit<Moved, 'isMore'> & { outages: OutageEvent[]; occasions: ToldOccasion[] }

/**
 * The plan of a move is made once, mostly while there is nothing to move: without this it would
 * read the whole inbox for each move when there is much in it.
 */
export const MOVE_LOCK = `select pg_try_advisory_xact_lock($1, $2) as mine,
  set_config('enable_seqscan', 'off', true)`

/** One call without a transaction; a move of nothing is four, and its plan starts each time. */
export async function isInboxEmpty({ pool }: Store): Promise<boolean> {
  const text = 'select exists (select from inbox) as "isWaiting"'
  const { rows } = await pool.query<{ isWaiting: boolean }>({ name: 'inbox-waiting', text })
  return rows[0]?.isWaiting === false
}

/** Undefined: another process is at it. */
export function moveEvents(store: Store, most: MoveSize = 500): Promise<Moved | undefined> {
  return inTransaction(store, async (client) => {
    const lock = await client.query<{ mine: boolean }>({
      ...{ name: 'move-lock', text: MOVE_LOCK, values: [...LOCK] },
    })
    if (lock.rows[0]?.mine !== true) return undefined
    const moved = await client.query<Found>({ name: `move-events-${most}`, text: moveText(most) })
    const [found] = moved.rows
    const { taken = 0, streams = [], isUrgent = false } = found ?? {}
    const { outages = [], occasions = [] } = found ?? {}
    for (const one of outages) await noteOutage(client, one)
    for (const one of occasions) await noteOccasion(client, one)
    return { taken, isMore: taken >= most, streams, isUrgent }
  })
}
