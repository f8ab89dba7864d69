// Outages: made of the events that tell of them, in the transaction that moves the events.
import type pg from 'pg'
import { READS } from '../account/connections.js'
import type { Store } from '../client.js'

export interface OutageEvent {
  id: string
  type: 'outage.opened' | 'outage.closed'
  accountId: string
  cashBoxId: string | null
  queueId: string
  /** `receipts`: of one that ends. Events of older servers say the cause alone. */
  data: { cause: string; queueItemId?: string | null; receipts?: number }
  at: string
}

/** In the order of the events: an outage may begin and end in one batch. */
export async function noteOutage(on: Pick<pg.PoolClient, 'query'>, event: OutageEvent) {
  const { accountId, queueId, at } = event
  const { cause, queueItemId = null, receipts = null } = event.data
  if (event.type === 'outage.closed') {
    await on.query(
      `update outage o set ended_at = $4, closing_item = $5, receipts = $6, lease = null,
         lease_until = null, closed_by = case when exists (select from queue_item i
             where i.account_id = $1 and i.id = $5 and i.queue_id = $2
               and i.operation_id = o.closing_operation)
           then case when o.asked_at is null then 'autopilot' else 'person' end else 'pos' end
       where account_id = $1 and queue_id = $2 and cause = $3 and ended_at is null`,
      [accountId, queueId, cause, at, queueItemId, receipts],
    )
    return
  }
  await on.query(
    `insert into outage (account_id, id, queue_id, cash_box_id, cause, began_at, began_item)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`,
    [accountId, event.id, queueId, event.cashBoxId, cause, at, queueItemId],
  )
}

/** Accounts that `$1` may read: itself, and those that it is connected with. */
export const READABLE = `select $1::uuid as id union
  select c.to_account_id from connection c where c.account_id = $1 and ${READS}`

export interface OutageRow {
  id: string
  accountId: string
  accountName: string
  queueId: string
  identification: string
  market: string
  cashBoxId: string | null
  cause: string
  beganAt: Date
  endedAt: Date | null
}

export interface OutageQuestion {
  accountId: string
  /** Those that go on. */
  open: boolean
  /** Those that were going on at this moment or later. */
  from: Date | undefined
  /** Those that had begun before. */
  to: Date | undefined
  /** The last one of the page before. */
  after: { beganAt: string; id: string } | undefined
  limit: number
}

/** Newest first. */
export async function listOutages(
  { pool }: Pick<Store, 'pool'>,
  { accountId, open, from, to, after, limit }: OutageQuestion,
): Promise<OutageRow[]> {
  const { rows } = await pool.query<OutageRow>(
    `with m as (${READABLE}),
     o as materialized (select o.* from m join outage o on o.account_id = m.id
     where ($2 = false or o.ended_at is null)
       and ($3::timestamptz is null or o.ended_at is null or o.ended_at >= $3)
       and ($4::timestamptz is null or o.began_at < $4)
       and ($5::timestamptz is null or (o.began_at, o.id) < ($5, $6::uuid))
     order by o.began_at desc, o.id desc limit $7)
     select o.id, o.account_id as "accountId", a.name as "accountName", o.queue_id as "queueId",
       q.identification, q.market, o.cash_box_id as "cashBoxId", o.cause,
       o.began_at as "beganAt", o.ended_at as "endedAt"
     from o join account a on a.id = o.account_id
     join queue q on q.account_id = o.account_id and q.id = o.queue_id
     order by o.began_at desc, o.id desc`,
    [accountId, open, from ?? null, to ?? null, after?.beganAt ?? null, after?.id ?? null, limit],
  )
  return rows
}
