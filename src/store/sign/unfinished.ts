// Items that were stored for a remote device and never finished: a server stopped in between, or
// the database went away.
import type { Store } from '../client.js'
import type { QueueKey } from './queues.js'

export interface UnfinishedItem {
  accountId: string
  queueId: string
  id: string
  row: number
}

/** Type of the action journal entry about such an item. */
export const UNFINISHED_TYPE = 'QueueItemUnfinished'

/**
 * A caller's patience is an item's time-out; nobody works on it any more after this many of them.
 */
const TIMEOUTS = 2
const MOST = 1000

const ITEMS = `select i.account_id, i.queue_id, i.id, i.row from queue_item i
  left join lateral (
    select true as there from action_journal a
    where a.account_id = i.account_id and a.queue_id = i.queue_id
      and a.time_stamp > i.time_stamp and a.queue_item_id = i.id and a.type = $2
    order by a.time_stamp limit 1) entry on true
  where i.done_moment is null and entry.there is null
    and i.queue_moment + ${TIMEOUTS} * i.timeout_ms * interval '1 millisecond' <= $1`
const ORDER = `order by i.account_id, i.queue_id, i.row limit ${MOST}`

/**
 * Items that ran out of time until `now` and have no entry yet, of all queues or of one. Found by
 * the index over unfinished items; an entry stands behind its item in the queue's own journal.
 */
export async function findUnfinished(
  store: Store,
  now: Date,
  queue?: QueueKey,
): Promise<UnfinishedItem[]> {
  const one = queue === undefined ? '' : 'and i.account_id = $3 and i.queue_id = $4'
  const found = await store.pool.query<{
    account_id: string
    queue_id: string
    id: string
    row: bigint
  }>({
    name: queue === undefined ? 'unfinished' : 'unfinished-of-queue',
    text: `${ITEMS} ${one} ${ORDER}`,
    values: [now, UNFINISHED_TYPE, ...(queue === undefined ? [] : [queue.accountId, queue.id])],
  })
  return found.rows.map((row) => ({
    accountId: row.account_id,
    queueId: row.queue_id,
    id: row.id,
    row: Number(row.row),
  }))
}
