// What devices in the store are told, as rows in the order of their transactions. Deliveries.ts
// writes those of deliveries.
import { reaching, type Store } from '../client.js'
import type { Connection } from '../transaction.js'
import type { ReceiptKey } from './issued.js'

/** Place within the events: all up to and with it were told. */
export interface EventCursor {
  transaction: bigint
  queueItemId: string
}

export type EventKind = 'receipt' | 'delivered' | 'refused'

export interface InstoreEvent extends ReceiptKey {
  transaction: bigint
  kind: EventKind
  cashBoxId: string
  terminalId: string | null
  content: string | null
}

/** The number of the transaction that runs; it never comes back within this database. */
export const CURRENT_TRANSACTION = 'pg_current_xact_id()::text::int8'
/** All transactions below have ended: what they wrote is all there is. */
const COMPLETE = 'pg_snapshot_xmin(pg_current_snapshot())::text::int8'

/** Once per receipt. */
export async function insertReceiptEvent(
  client: Connection,
  event: ReceiptKey & {
    cashBoxId: string
    moment: Date
    terminalId: string | null
    content: string
  },
): Promise<void> {
  const { accountId, queueId, queueItemId, cashBoxId } = event
  await client.query(
    `insert into instore_event (account_id, queue_id, queue_item_id, kind, cash_box_id,
       transaction, moment, terminal_id, content)
     values ($1, $2, $3, 'receipt', $4, ${CURRENT_TRANSACTION}, $5, $6, $7) on conflict do nothing`,
    [
      ...[accountId, queueId, queueItemId, cashBoxId, event.moment],
      ...[event.terminalId, event.content],
    ],
  )
}

/** A message about a receipt, refused for good; a later one of the same receipt is told anew. */
export async function insertRefusal(
  client: Connection,
  {
    accountId,
    messageId,
    queueId,
    queueItemId,
    moment,
    content,
  }: ReceiptKey & {
    messageId: string
    moment: Date
    content: string
  },
): Promise<void> {
  await client.query(
    `insert into instore_event (account_id, queue_id, queue_item_id, kind, cash_box_id,
       transaction, moment, terminal_id, content)
     select m.account_id, $3, $4, 'refused', m.cash_box_id, ${CURRENT_TRANSACTION}, $5,
       r.terminal_id, $6
     from message m left join instore_event r on r.account_id = m.account_id
       and r.queue_id = $3 and r.queue_item_id = $4 and r.kind = 'receipt'
     where m.account_id = $1 and m.id = $2 and m.cash_box_id is not null
     on conflict (account_id, queue_id, queue_item_id, kind) do update
       set transaction = excluded.transaction, moment = excluded.moment,
         content = excluded.content`,
    [accountId, messageId, queueId, queueItemId, moment, content],
  )
}

/** From where on events are still to come. */
export async function completeTransaction(store: Store): Promise<bigint> {
  const found = await reaching(() =>
    store.pool.query<{ complete: bigint }>(`select ${COMPLETE} as complete`),
  )
  const [row] = found.rows
  if (row === undefined) throw new Error('a snapshot has no number')
  return row.complete
}

export interface EventQuery {
  accountId: string
  cashBoxId: string
  after: EventCursor
}

/** Most events of one cash box that one look brings. */
export const MOST_EVENTS = 200

/**
 * Events of some cash boxes behind a place each, oldest first, at most MOST_EVENTS of each. None
 * is missed: what a transaction that still runs will add stands behind all of them.
 */
export async function eventsAfter(
  store: Store,
  queries: readonly EventQuery[],
): Promise<InstoreEvent[]> {
  const found = await reaching(() =>
    store.pool.query<InstoreEvent>({
      name: 'instore-events',
      text: `select e.* from unnest($1::uuid[], $2::uuid[], $3::int8[], $4::uuid[])
          q(account, box, transaction, item)
        cross join lateral (select transaction, kind, account_id as "accountId",
            cash_box_id as "cashBoxId", queue_id as "queueId", queue_item_id as "queueItemId",
            terminal_id as "terminalId", content
          from instore_event where account_id = q.account and cash_box_id = q.box
            and transaction >= q.transaction
            and (transaction, queue_item_id) > (q.transaction, q.item)
            and transaction < ${COMPLETE}
          order by transaction, queue_item_id limit ${MOST_EVENTS}) e`,
      values: [
        queries.map(({ accountId }) => accountId),
        queries.map(({ cashBoxId }) => cashBoxId),
        queries.map(({ after }) => after.transaction),
        queries.map(({ after }) => after.queueItemId),
      ],
    }),
  )
  return found.rows
}

/** Takes away what is older; returns how many. */
export async function forgetEvents(store: Store, before: Date): Promise<number> {
  const done = await reaching(() =>
    store.pool.query(
      `delete from instore_event where (account_id, queue_id, queue_item_id, kind) in (
         select account_id, queue_id, queue_item_id, kind from instore_event
         where moment < $1 limit 10000)`,
      [before],
    ),
  )
  return done.rowCount ?? 0
}
