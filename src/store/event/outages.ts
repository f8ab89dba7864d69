// Outages: made of the events that tell of them, in the transaction that moves the events.

import type pg from 'pg'
import { BEHIND, type Direction } from '../../model/direction.js'
import type { Closer, OutageState } from '../../model/outage.js'
import { READS } from '../account/connections.js'
import type { Store } from '../client.js'
import { instantText } from '../instant.js'

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

/**
 * Of a row `o`. One unit that answers is enough to end it, and a register that enters receipts
 * later reaches its queue.
 */
export const OUTAGE_STATE = `case when o.ended_at is not null then 'ok'
  when o.lease is not null and o.lease_until > now() then 'closing'
  when o.cause = 'register' then 'answering'
  else coalesce((select p.state from unit_probe p
    where p.account_id = o.account_id and p.scu_id = any(o.units)
    order by array_position(array['answering', 'probing', 'suspect', 'out'], p.state) limit 1),
    'suspect') end`

export interface OutageRow {
  id: string
  accountId: string
  accountName: string
  queueId: string
  identification: string
  market: string
  cashBoxId: string | null
  cause: string
  state: OutageState
  beganAt: Date
  /** The same to the microsecond. */
  place: string
  endedAt: Date | null
  closedBy: Closer | null
  receipts: number | null
}

export interface OutageQuestion {
  accountId: string
  cashBoxId: string | undefined
  /** Those that go on. */
  open: boolean
  /** Those that were going on at this moment or later. */
  from: Date | undefined
  /** Those that had begun before. */
  to: Date | undefined
  /** The last one of the page before. */
  after: { beganAt: string; id: string } | undefined
  direction: Direction
  limit: number
}

/** By their begin. */
export async function listOutages(
  { pool }: Pick<Store, 'pool'>,
  { accountId, cashBoxId, open, from, to, after, direction, limit }: OutageQuestion,
): Promise<OutageRow[]> {
  const { rows } = await pool.query<OutageRow>(
    `with m as (${READABLE}),
     o as materialized (select o.* from m join outage o on o.account_id = m.id
     where ($2 = false or o.ended_at is null) and ($8::uuid is null or o.cash_box_id = $8)
       and ($3::timestamptz is null or o.ended_at is null or o.ended_at >= $3)
       and ($4::timestamptz is null or o.began_at < $4)
       and ($5::timestamptz is null or (o.began_at, o.id) ${BEHIND[direction]} ($5, $6::uuid))
     order by o.began_at ${direction}, o.id ${direction} limit $7)
     select o.id, o.account_id as "accountId", a.name as "accountName", o.queue_id as "queueId",
       q.identification, q.market, o.cash_box_id as "cashBoxId", o.cause,
       ${OUTAGE_STATE} as state, o.began_at as "beganAt",
       ${instantText('o.began_at')} as place, o.ended_at as "endedAt",
       o.closed_by as "closedBy", o.receipts
     from o join account a on a.id = o.account_id
     join queue q on q.account_id = o.account_id and q.id = o.queue_id
     order by o.began_at ${direction}, o.id ${direction}`,
    [
      ...[accountId, open, from ?? null, to ?? null, after?.beganAt ?? null, after?.id ?? null],
      ...[limit, cashBoxId ?? null],
    ],
  )
  return rows
}
