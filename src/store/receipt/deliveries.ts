// Who took an issued receipt: one row per event, never changed.
import { orderedId } from '../../lib/id.js'
import type { Store } from '../client.js'
import type { Connection } from '../transaction.js'
import { CURRENT_TRANSACTION } from './instore-events.js'
import type { ReceiptKey } from './issued.js'

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
  /** Of the link that led here. */
  campaign: string | null
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
  await on.query({
    name: 'insert-delivery',
    text: INSERT,
    values: [
      ...[accountId, queueId, queueItemId, orderedId(moment.getTime()), moment],
      ...[delivery.method, delivery.kind, delivery.counts, delivery.appId],
      ...[delivery.userAgent, delivery.addressHash, delivery.campaign, delivery.journalled],
    ],
  })
}

/** The event, what the journal has to tell of it, and, of the first that counts, the devices. */
const INSERT = `with event as (
    insert into delivery (account_id, queue_id, queue_item_id, id, moment, method, kind, counts,
      app_id, user_agent, address_hash, campaign)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
    returning account_id, queue_id, queue_item_id, id, moment, counts, method),
  told as (
    insert into instore_event (account_id, queue_id, queue_item_id, kind, cash_box_id, transaction,
      moment, terminal_id)
    select e.account_id, e.queue_id, e.queue_item_id, 'delivered', i.cash_box_id,
      ${CURRENT_TRANSACTION}, e.moment, i.terminal_id
    from event e join instore_event i using (account_id, queue_id, queue_item_id)
    where e.counts and i.kind = 'receipt' and not exists (select from instore_event d
      where d.account_id = e.account_id and d.queue_id = e.queue_id
        and d.queue_item_id = e.queue_item_id and d.kind = 'delivered')
    on conflict do nothing),
  seen as (
    insert into inbox (account_id, event_id, type, cash_box_id, subject_kind, subject_id, data, at)
    select e.account_id, gen_random_uuid(), 'receipt.viewed', q.cash_box_id, 'receipt',
      e.queue_item_id, json_build_object('queueId', e.queue_id)::text, e.moment
    from event e left join queue q on q.account_id = e.account_id and q.id = e.queue_id
    where e.counts and e.method = 'viewed')
  insert into delivery_unnoted (account_id, queue_id, queue_item_id, id)
  select account_id, queue_id, queue_item_id, id from event where $13`

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

/** A message about a receipt that failed, or of which nobody knows whether it arrived. */
export interface UndeliveredMessage {
  moment: Date
  channel: string
  state: 'failed' | 'unsure'
  addressMasked: string
  reason: string | null
}

/** Newest first; there are few of them: five may be asked for. */
export async function undeliveredMessages(
  store: Store,
  { accountId, queueId, queueItemId }: ReceiptKey,
  { kind, most }: { kind: string; most: number },
): Promise<UndeliveredMessage[]> {
  const found = await store.pool.query<UndeliveredMessage>({
    name: 'undelivered-messages',
    text: `select changed_at as moment, channel, state, address_masked as "addressMasked",
        last_error as reason
      from message where account_id = $1 and subject = $2 and kind = $3
        and state in ('failed', 'unsure')
      order by changed_at desc, id desc limit ${most}`,
    values: [accountId, `${queueId}/${queueItemId}`, kind],
  })
  return found.rows
}

/** True when an event of this kind counts already. */
export async function isDelivered(
  on: Store['pool'] | Connection,
  key: ReceiptKey,
  method: string,
): Promise<boolean> {
  const found = await on.query({
    name: 'is-delivered',
    text: `select from delivery where account_id = $1 and queue_id = $2 and queue_item_id = $3
      and method = $4 and counts limit 1`,
    values: [key.accountId, key.queueId, key.queueItemId, method],
  })
  return found.rows.length > 0
}
