// Events of issued receipts on their way into the action journal of their queue, behind whatever is
// signed there.
import type pg from 'pg'
import { orderedId } from '../../lib/id.js'
import { ticksOf } from '../../lib/ticks.js'
import type { Store } from '../client.js'
import type { QueueKey } from '../sign/queues.js'
import { inTransaction } from '../transaction.js'

/** Queues with events that their journal does not tell yet. */
export async function unnotedQueues(store: Store): Promise<QueueKey[]> {
  const found = await store.pool.query<QueueKey>({
    name: 'unnoted-queues',
    text: `select distinct account_id as "accountId", queue_id as id from delivery_unnoted
      limit 1000`,
  })
  return found.rows
}

/** Most entries of one transaction. */
const MOST = 500
/** As in unfinished.ts: nobody works on an item any more after this many of its time-outs. */
const TIMEOUTS = 2
/** Information. */
const PRIORITY = 0x30
const TYPE = 'receipt-retrieved'

interface Event {
  id: string
  queue_item_id: string
  moment: Date
  method: string
  kind: string
  app_id: string | null
  user_agent: string | null
}

/**
 * Writes what is due as entries of the queue's action journal and moves its head, so that every
 * process reads it anew before its next receipt. Undefined: an item of the queue waits for a remote
 * device, which would have to be asked a second time; try again later.
 */
export async function noteDeliveries(
  store: Store,
  queue: QueueKey,
  now: Date,
): Promise<number | undefined> {
  return inTransaction(store, async (client) => {
    const key = [queue.accountId, queue.id]
    const head = await client.query<{ time_stamp: bigint }>(
      'select time_stamp from queue where account_id = $1 and id = $2 for no key update',
      key,
    )
    // remote devices are asked for items that are stored; none can be begun while the head is held
    const busy = await client.query(
      `select from queue_item i where i.account_id = $1 and i.queue_id = $2
         and i.done_moment is null
         and i.queue_moment + ${TIMEOUTS} * i.timeout_ms * interval '1 millisecond' > $3 limit 1`,
      [...key, now],
    )
    if (busy.rows.length > 0) return undefined
    const events = await takeEvents(client, key)
    const last = head.rows[0]?.time_stamp
    if (events.length === 0 || last === undefined) return 0
    const wanted = ticksOf(now.getTime())
    const first = wanted > last ? wanted : last + 1n
    await insertEntries(client, { key, events, first })
    await client.query(
      `update queue set version = version + 1, time_stamp = $3
       where account_id = $1 and id = $2`,
      [...key, first + BigInt(events.length) - 1n],
    )
    return events.length
  })
}

/** In the order in which they happened. */
async function takeEvents(client: pg.PoolClient, key: readonly string[]): Promise<Event[]> {
  const taken = await client.query<Event>(
    `with due as (
       delete from delivery_unnoted where (account_id, queue_id, queue_item_id, id) in (
         select account_id, queue_id, queue_item_id, id from delivery_unnoted
         where account_id = $1 and queue_id = $2 order by id limit ${MOST})
       returning account_id, queue_id, queue_item_id, id)
     select d.id, d.queue_item_id, d.moment, d.method, d.kind, d.app_id, d.user_agent
     from due join delivery d using (account_id, queue_id, queue_item_id, id)
     order by d.moment, d.id`,
    [...key],
  )
  return taken.rows
}

async function insertEntries(
  client: pg.PoolClient,
  { key, events, first }: { key: readonly string[]; events: readonly Event[]; first: bigint },
): Promise<void> {
  await client.query(
    `insert into action_journal (account_id, queue_id, time_stamp, id, queue_item_id, moment,
       priority, type, message, data_json)
     select $1, $2, u.time_stamp, u.id, u.item_id, u.moment, $3, $4, u.message, u.data_json
     from unnest($5::int8[], $6::uuid[], $7::uuid[], $8::timestamptz[], $9::text[], $10::text[])
       u(time_stamp, id, item_id, moment, message, data_json)`,
    [
      ...[...key, PRIORITY, TYPE],
      events.map((_, at) => first + BigInt(at)),
      events.map(({ moment }) => orderedId(moment.getTime())),
      events.map((event) => event.queue_item_id),
      events.map(({ moment }) => moment),
      events.map((event) => `Queue item ${event.queue_item_id}: ${event.method} (${event.kind}).`),
      events.map(dataOf),
    ],
  )
}

function dataOf({ method, kind, app_id: appId, user_agent: userAgent }: Event): string {
  return JSON.stringify({ method, kind, appId, userAgent })
}
