// The outage of one queue as an account sees it, with the units that may end it, and what a person
// wants done about it.
import type {
  AutopilotPolicy,
  Closer,
  OutageCause,
  OutageState,
  UnitState,
} from '../../model/outage.js'
import type { Right } from '../account/connections.js'
import type { Store } from '../client.js'
import type { Transaction } from '../transaction.js'
import { type Defaults, policyOf } from './autopilot.js'
import { OUTAGE_STATE, READABLE } from './outages.js'

type Pool = Pick<Store, 'pool'>

/** Of an account `$1` at the owner of a row `x`. */
const RIGHT = `case when x.account_id = $1 then 'Full' else (select c.rights from connection c
  where c.account_id = $1 and c.to_account_id = x.account_id) end as right`

export interface QueueView {
  accountId: string
  accountName: string
  id: string
  right: Right
  cashBoxId: string | null
  market: string
  identification: string
  /** JSON text of the market. */
  state: string
  policy: AutopilotPolicy
  /** Of the cash box; null: the default. */
  chosen: AutopilotPolicy | null
  /** Now, as the database has it. */
  now: Date
}

/** Undefined: there is none that the account may read. */
export async function findQueueView(
  { pool }: Pool,
  { accountId, id, acting }: Defaults & { accountId: string; id: string },
): Promise<QueueView | undefined> {
  const { rows } = await pool.query<QueueView>(
    `with m as (${READABLE})
     select x.account_id as "accountId", a.name as "accountName", x.id, ${RIGHT},
       x.cash_box_id as "cashBoxId", x.market, x.identification, x.state,
       ${policyOf('x', '$3')} as policy, b.autopilot as chosen, now() as now
     from m join account a on a.id = m.id join queue x on x.account_id = m.id
     left join cash_box b on b.account_id = x.account_id and b.id = x.cash_box_id
     where x.id = $2`,
    [accountId, id, [...acting]],
  )
  return rows[0]
}

export interface OutageView {
  id: string
  cause: OutageCause
  state: OutageState
  beganAt: Date
  /** When the database heard of it. */
  openedAt: Date
  endedAt: Date | null
  closedBy: Closer | null
  receipts: number | null
  beganItem: string | null
  closingItem: string | null
  attempts: number
  askedAt: Date | null
  nextAt: Date | null
}

/** Those that go on, and the newest one that is over. */
export async function outagesOfQueue(
  { pool }: Pool,
  { accountId, id }: Pick<QueueView, 'accountId' | 'id'>,
): Promise<OutageView[]> {
  const { rows } = await pool.query<OutageView>(
    `select o.id, o.cause, ${OUTAGE_STATE} as state, o.began_at as "beganAt",
       o.opened_at as "openedAt", o.ended_at as "endedAt", o.closed_by as "closedBy", o.receipts,
       o.began_item as "beganItem", o.closing_item as "closingItem", o.attempts,
       o.asked_at as "askedAt", o.next_at as "nextAt"
     from outage o where o.account_id = $1 and o.queue_id = $2 and (o.ended_at is null
       or o.id = (select l.id from outage l where l.account_id = $1 and l.queue_id = $2
         and l.ended_at is not null order by l.ended_at desc, l.id desc limit 1))
     order by o.ended_at nulls first, o.cause, o.id`,
    [accountId, id],
  )
  return rows
}

export interface UnitView {
  scuId: string
  description: string
  state: UnitState
  since: Date
  probedAt: Date | null
  nextAt: Date
  lastError: string | null
}

/** Those that may end an outage of the queue. */
export async function unitsOfOutages(
  { pool }: Pool,
  { accountId, id }: Pick<QueueView, 'accountId' | 'id'>,
): Promise<UnitView[]> {
  const { rows } = await pool.query<UnitView>(
    `select distinct p.scu_id as "scuId", s.description, p.state, p.since,
       p.probed_at as "probedAt", p.next_at as "nextAt", p.last_error as "lastError"
     from outage o join unit_probe p on p.account_id = o.account_id and p.scu_id = any(o.units)
     join scu s on s.account_id = p.account_id and s.id = p.scu_id
     where o.account_id = $1 and o.queue_id = $2 and o.ended_at is null order by p.scu_id`,
    [accountId, id],
  )
  return rows
}

/** Those that go on are closed as soon as a unit answers; their ids. */
export async function askForClosing(
  tx: Transaction,
  { accountId, id }: Pick<QueueView, 'accountId' | 'id'>,
  by: string,
): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`update outage
    set asked_at = coalesce(asked_at, now()), asked_by = coalesce(asked_by, ${by}::uuid),
      next_at = now(), look_at = now()
    where account_id = ${accountId}::uuid and queue_id = ${id}::uuid and ended_at is null
    returning id`
  await tx.$executeRaw`update unit_probe p set next_at = now() from outage o
    where o.account_id = ${accountId}::uuid and o.queue_id = ${id}::uuid and o.ended_at is null
      and p.account_id = o.account_id and p.scu_id = any(o.units) and p.next_at > now()`
  return rows.map((row) => row.id).sort()
}

// -------------------------------------------------------------------------------- the policy

export interface BoxView {
  accountId: string
  id: string
  right: Right
  chosen: AutopilotPolicy | null
  /** Of its queues, by their market; without a queue none. */
  markets: string[]
}

/** Undefined: there is none that the account may read. */
export async function findBoxView(
  { pool }: Pool,
  { accountId, id }: { accountId: string; id: string },
): Promise<BoxView | undefined> {
  const { rows } = await pool.query<BoxView>(
    `with m as (${READABLE})
     select x.account_id as "accountId", x.id, ${RIGHT}, x.autopilot as chosen,
       array(select distinct q.market from queue q where q.account_id = x.account_id
         and q.cash_box_id = x.id order by q.market) as markets
     from m join cash_box x on x.account_id = m.id where x.id = $2`,
    [accountId, id],
  )
  return rows[0]
}

/** Null: the default. Outages that go on are looked at anew. */
export async function setPolicy(
  tx: Transaction,
  { accountId, id }: Pick<BoxView, 'accountId' | 'id'>,
  policy: AutopilotPolicy | null,
): Promise<void> {
  await tx.$executeRaw`update cash_box set autopilot = ${policy}
    where account_id = ${accountId}::uuid and id = ${id}::uuid`
  await tx.$executeRaw`update outage o set look_at = now() from queue q
    where q.account_id = ${accountId}::uuid and q.cash_box_id = ${id}::uuid
      and o.account_id = q.account_id and o.queue_id = q.id and o.ended_at is null`
}
