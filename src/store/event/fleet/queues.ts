// All Queues that an account may read, of all of its merchants, as they stand.
import { isUuid } from '../../../lib/id.js'
import type { Store } from '../../client.js'
import { READABLE } from '../outages.js'

export const QUEUE_STATES = ['unused', 'active', 'stopped'] as const
export type QueueState = (typeof QUEUE_STATES)[number]

export interface FleetRow {
  id: string
  accountId: string
  accountName: string
  outletNumber: number | null
  cashBoxId: string | null
  market: string
  identification: string
  description: string
  state: QueueState
  startMoment: Date | null
  stopMoment: Date | null
  /** Of the newest receipt; null: there was none. */
  lastReceipt: Date | null
  receipts: bigint
  outageCause: string | null
  outageSince: Date | null
}

export interface FleetQuestion {
  accountId: string
  /** One merchant. */
  operatorId: string | undefined
  market: string | undefined
  state: QueueState | undefined
  /** With or without an outage that goes on. */
  outage: boolean | undefined
  /** In operation, and without a receipt since then. */
  silentSince: Date | undefined
  /** Part of a name, an identification or a description, or an id. */
  search: string | undefined
  /** The last one of the page before. */
  after: { accountId: string; id: string } | undefined
  limit: number
}

const STATE = `case when q.start_moment is null then 'unused'
  when q.stop_moment is null then 'active' else 'stopped' end`

/** In the order of their keys. */
export async function listFleet(
  { pool }: Pick<Store, 'pool'>,
  asked: FleetQuestion,
): Promise<FleetRow[]> {
  const { accountId, operatorId, market, state, outage, silentSince, search, after } = asked
  const text = search?.trim().toLowerCase()
  const { rows } = await pool.query<FleetRow>(
    `with r as (${READABLE}),
     m as materialized (select a.id, a.name, strpos(lower(a.name), $7) > 0 as is_named
       from r join account a on a.id = r.id)
     select q.id, q.account_id as "accountId", m.name as "accountName",
       coalesce(u.number, b.outlet_number) as "outletNumber", q.cash_box_id as "cashBoxId",
       q.market, q.identification, q.description, ${STATE} as state,
       q.start_moment as "startMoment",
       q.stop_moment as "stopMoment", q.last_moment as "lastReceipt",
       q.receipt_numerator as receipts, o.cause as "outageCause", o.began_at as "outageSince"
     from m join queue q on q.account_id = m.id
     left join cash_box b on b.account_id = q.account_id and b.id = q.cash_box_id
     left join outlet u on u.account_id = b.account_id and u.id = b.outlet_id
     left join lateral (select o.cause, o.began_at from outage o
       where o.account_id = q.account_id and o.queue_id = q.id and o.ended_at is null
       order by o.began_at limit 1) o on true
     where ($2::uuid is null or q.account_id = $2) and ($3::text is null or q.market = $3)
       and ($4::text is null or ${STATE} = $4)
       and ($5::bool is null or (o.cause is not null) = $5)
       and ($6::timestamptz is null or (q.start_moment < $6 and q.stop_moment is null
         and (q.last_moment is null or q.last_moment < $6)))
       and ($7::text is null or m.is_named or q.id = $11 or q.cash_box_id = $11
         or strpos(lower(q.identification || chr(10) || q.description), $7) > 0)
       and ($8::uuid is null or (q.account_id, q.id) > ($8, $9::uuid))
     order by q.account_id, q.id limit $10`,
    [
      ...[accountId, operatorId ?? null, market ?? null, state ?? null, outage ?? null],
      ...[silentSince ?? null, text ?? null, after?.accountId ?? null, after?.id ?? null],
      ...[asked.limit, text !== undefined && isUuid(text) ? text : null],
    ],
  )
  return rows
}
