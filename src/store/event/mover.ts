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
const MOST = 500

export const MOVE = `with d as (
  delete from inbox where id in (select id from inbox order by id limit ${MOST}) returning *),
l as (
  select id, account_id as stream, account_id as owner from d
  union select id, also_account_id, also_account_id from d where also_account_id is not null
  union select d.id, c.account_id, d.account_id from d
    join connection c on c.to_account_id = d.account_id and ${READS}
    where c.account_id is distinct from d.also_account_id),
told as (
  select l.stream, l.owner, d.id as place, 0::int8 as tick, d.event_id, d.type, d.cash_box_id,
    d.subject_kind, d.subject_id, d.data, d.at
  from d join l using (id)
  left join stream_head s on s.account_id = l.stream
  where d.from_tick is null and (d.type <> 'receipt.viewed' or s.receipts)
  union all
  select l.stream, l.owner, d.id, r.time_stamp, r.id, d.type, d.cash_box_id, 'receipt',
    r.queue_item_id, json_build_object('queueId', r.queue_id, 'number', r.receipt_number)::text,
    r.receipt_moment
  from d join l using (id)
  join stream_head s on s.account_id = l.stream and s.receipts
  -- by its key, for each row: a join would read all receipts that there are
  cross join lateral (
    select j.time_stamp, j.id, j.queue_item_id, j.queue_id, j.receipt_number, j.receipt_moment
    from receipt_journal j where j.account_id = d.account_id and j.queue_id = d.subject_id
      and j.time_stamp between d.from_tick and d.to_tick offset 0) r
  where d.from_tick is not null),
n as (select t.*, row_number() over (partition by stream order by place, tick) as nth from told t),
k as (select stream, count(*) as many from told group by stream order by stream),
h as (
  insert into stream_head as s (account_id, seq) select stream, many from k
  on conflict (account_id) do update set seq = s.seq + excluded.seq
  returning s.account_id, s.seq),
e as (
  insert into event (account_id, seq, id, type, owner_id, cash_box_id, subject_kind, subject_id,
    data, at)
  select n.stream, h.seq - k.many + n.nth, n.event_id, n.type, n.owner, n.cash_box_id,
    n.subject_kind, n.subject_id, n.data, n.at
  from n join h on h.account_id = n.stream join k on k.stream = n.stream)
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

/** Undefined: another process is at it. */
export function moveEvents(store: Store): Promise<Moved | undefined> {
  return inTransaction(store, async (client) => {
    const lock = await client.query<{ mine: boolean }>(
      'select pg_try_advisory_xact_lock($1, $2) as mine',
      [...LOCK],
    )
    if (lock.rows[0]?.mine !== true) return undefined
    const moved = await client.query<Found>({ name: 'move-events', text: MOVE })
    const [found] = moved.rows
    const { taken = 0, streams = [], isUrgent = false } = found ?? {}
    const { outages = [], occasions = [] } = found ?? {}
    for (const one of outages) await noteOutage(client, one)
    for (const one of occasions) await noteOccasion(client, one)
    return { taken, isMore: taken >= MOST, streams, isUrgent }
  })
}
