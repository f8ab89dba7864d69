// Which cash box held which queue, now or before: receipts outlive the place of their queue.

import type { Store } from '../client.js'
import { type CashBoxAccess, type CashBoxQueue, findCashBox } from './cashboxes.js'

/** A queue that the cash box holds or once held; undefined: it never did. */
export async function findEverHeld(
  store: Store,
  { accountId, cashBoxId }: Pick<CashBoxAccess, 'accountId' | 'cashBoxId'>,
  queueId: string,
): Promise<CashBoxQueue | undefined> {
  const found = await store.pool.query<CashBoxQueue>({
    name: 'queue-ever-held',
    text: `select q.id, q.market, q.created_at as "createdAt",
        q.stop_moment is not null as stopped
      from queue q where q.account_id = $1 and q.id = $3 and exists (
        select from queue_membership m
        where m.account_id = q.account_id and m.cash_box_id = $2 and m.queue_id = q.id)`,
    values: [accountId, cashBoxId, queueId],
  })
  return found.rows[0]
}

/** The cash box that held a queue last, for the locally hosted form that sends no credentials. */
export async function findLastCashBox(
  store: Store,
  queueId: string,
): Promise<CashBoxAccess | undefined> {
  const found = await store.pool.query<{ id: string }>({
    name: 'last-cash-box',
    text: `select m.cash_box_id as id from directory d
      join queue_membership m on m.account_id = d.account_id and m.queue_id = d.id
      where d.id = $1 and d.kind = 'queue' order by m.until desc nulls first, m.since desc limit 1`,
    values: [queueId],
  })
  const id = found.rows[0]?.id
  return id === undefined ? undefined : findCashBox(store, id)
}

/** The account of a queue, wherever the queue is; undefined: there is none. */
export async function findQueueOwner(store: Store, queueId: string): Promise<string | undefined> {
  const found = await store.pool.query<{ id: string }>({
    name: 'queue-owner',
    text: `select account_id as id from directory where id = $1 and kind = 'queue'`,
    values: [queueId],
  })
  return found.rows[0]?.id
}
