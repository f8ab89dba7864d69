// Who took an issued receipt: one row per event, never changed. Called by core/issue.
import { orderedId } from '../lib/id.js'
import type { Store } from './client.js'
import type { Connection, ReceiptKey } from './issued.js'

export interface NewDelivery extends ReceiptKey {
  moment: Date
  method: string
  kind: string
  /** False for what is listed and counts as no delivery. */
  counts: boolean
  appId: string | null
  userAgent: string | null
  addressHash: Buffer | null
  /** True for a receipt of a queue of ours: its action journal will tell the event. */
  journalled: boolean
}

/** What there is to say about a receipt's deliveries; undefined: nobody took it yet. */
export interface DeliverySummary {
  count: number
  /** Of the newest one that counts. */
  method: string
  moment: Date
}

export interface StoredDelivery {
  moment: Date
  method: string
  kind: string
  appId: string | null
  userAgent: string | null
}

export async function insertDelivery(
  on: Store['pool'] | Connection,
  delivery: NewDelivery,
): Promise<void> {
  const { accountId, queueId, queueItemId, moment } = delivery
  await on.query(
    `with event as (
       insert into delivery (account_id, queue_id, queue_item_id, id, moment, method, kind, counts,
         app_id, user_agent, address_hash)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
       returning account_id, queue_id, queue_item_id, id)
     insert into delivery_unnoted (account_id, queue_id, queue_item_id, id)
     select account_id, queue_id, queue_item_id, id from event where $12`,
    [
      ...[accountId, queueId, queueItemId, orderedId(moment.getTime()), moment],
      ...[delivery.method, delivery.kind, delivery.counts, delivery.appId],
      ...[delivery.userAgent, delivery.addressHash, delivery.journalled],
    ],
  )
}

export async function summarize(
  on: Store['pool'] | Connection,
  key: ReceiptKey,
): Promise<DeliverySummary | undefined> {
  const found = await on.query<{ count: number; method: string; moment: Date }>({
    name: 'delivery-summary',
    text: `select count(*) over ()::int as count, method, moment from delivery
      where account_id = $1 and queue_id = $2 and queue_item_id = $3 and counts
      order by moment desc, id desc limit 1`,
    values: [key.accountId, key.queueId, key.queueItemId],
  })
  return found.rows[0]
}

/** Newest first, at most `most`; whatever counts or not. */
export async function listDeliveries(
  store: Store,
  key: ReceiptKey,
  most: number,
): Promise<StoredDelivery[]> {
  const found = await store.pool.query<StoredDelivery>({
    name: 'deliveries',
    text: `select moment, method, kind, app_id as "appId", user_agent as "userAgent" from delivery
      where account_id = $1 and queue_id = $2 and queue_item_id = $3
      order by moment desc, id desc limit ${most}`,
    values: [key.accountId, key.queueId, key.queueItemId],
  })
  return found.rows
}
