// All signing units that an account may read, of all of its merchants, as they stand.
import type { Store } from '../../client.js'
import { type FleetFilters, idIn, merchantsOf, OUTLET, Where, wordOf } from './where.js'

export const UNIT_STATES = ['unused', 'active', 'terminated'] as const
export type UnitState = (typeof UNIT_STATES)[number]

export interface FleetUnit {
  id: string
  accountId: string
  accountName: string
  market: string
  outletNumber: number
  description: string
  packageName: string
  mode: number
  hidden: boolean
  state: UnitState
  serial: string
  certificationId: string | null
  moduleState: number | null
  certificateEnds: Date | null
  boxes: string[]
  queues: number
  /** Of the Queues that sign with it. */
  lastReceipt: Date | null
  outageCause: string | null
  outageSince: Date | null
}

export interface UnitQuestion extends FleetFilters {
  state?: UnitState | undefined
  /** In a CashBox that was changed since its publication, or was never published. */
  unpublished?: boolean | undefined
  certificateEndsBefore?: Date | undefined
}

const QUEUE = `from queue_scu u join queue q on q.account_id = u.account_id and q.id = u.queue_id
  where u.account_id = s.account_id and u.scu_id = s.id`
const AT_WORK = `exists (select ${QUEUE} and q.start_moment is not null and q.stop_moment is null)`
/** One that was put out of operation signs nothing, whoever holds it. */
const ENDED = 'f.module_state is not distinct from 2'
const STATES: Readonly<Record<UnitState, string>> = {
  unused: `not (${ENDED}) and not ${AT_WORK}`,
  active: `not (${ENDED}) and ${AT_WORK}`,
  terminated: ENDED,
}
const OUT = `exists (select from queue_scu u join outage x on x.account_id = u.account_id
    and x.queue_id = u.queue_id
  where u.account_id = s.account_id and u.scu_id = s.id and x.ended_at is null)`
const UNPUBLISHED = `exists (select from cash_box_scu h join cash_box c
    on c.account_id = h.account_id and c.id = h.cash_box_id
  where h.account_id = s.account_id and h.scu_id = s.id
    and (c.published_at is null or c.time_stamp > c.published_at))`
const NUMBER = `coalesce(n.number, (select min(${OUTLET}) from cash_box_scu h
    join cash_box c on c.account_id = h.account_id and c.id = h.cash_box_id
    left join outlet o on o.account_id = c.account_id and o.id = c.outlet_id
    where h.account_id = s.account_id and h.scu_id = s.id), 1)`

/** In the order of their keys. */
export async function listFleetUnits(
  { pool }: Pick<Store, 'pool'>,
  asked: UnitQuestion,
): Promise<FleetUnit[]> {
  const merchants = merchantsOf(asked)
  const { state, after } = asked
  const where = new Where(merchants.values)
    .add(asked.market, (one) => `s.market = ${one}`)
    .add(asked.outletNumber, (one) => `${NUMBER} = ${one}`)
    .either(state === undefined ? undefined : true, state === undefined ? '' : STATES[state])
    .either(asked.unpublished, UNPUBLISHED)
    .either(asked.outage, OUT)
    .add(asked.certificateEndsBefore, (one) => `f.certificate_ends < ${one}`)
    .add(
      wordOf(asked.search) === undefined ? undefined : idIn(asked.search),
      (one) => `(m.is_named or s.id = ${one}
        or strpos(lower(s.description || chr(10) || f.serial), $3) > 0)`,
    )
    .add(after?.accountId, (one) => `s.account_id >= ${one}`)
  if (after !== undefined) {
    where.add(after.id, (one) => `(s.account_id > $${where.values.length - 1} or s.id > ${one})`)
  }
  where.values.push(asked.limit)
  const { rows } = await pool.query<FleetUnit>(
    `with ${merchants.text},
     s as materialized (select s.account_id, s.id, m.name, s.market, s.description, s.mode,
         s.hidden, coalesce(nullif(s.package_name, ''), s.package) as package, s.outlet_id,
         f.serial, f.certification_id, f.module_state, f.certificate_ends
       from m join scu s on s.account_id = m.id
       join unit_fact f on f.account_id = s.account_id and f.scu_id = s.id
       left join outlet n on n.account_id = s.account_id and n.id = s.outlet_id
       where ${where.text} order by s.account_id, s.id limit $${where.values.length})
     select s.id, s.account_id as "accountId", s.name as "accountName", s.market,
       ${NUMBER} as "outletNumber", s.description, s.package as "packageName", s.mode, s.hidden,
       case when s.module_state = 2 then 'terminated' when q.working > 0 then 'active'
         else 'unused' end as state,
       s.serial, s.certification_id as "certificationId", s.module_state as "moduleState",
       s.certificate_ends as "certificateEnds",
       array(select h.cash_box_id::text from cash_box_scu h
         where h.account_id = s.account_id and h.scu_id = s.id order by 1) as boxes,
       q.queues, q.last as "lastReceipt", x.cause as "outageCause", x.began_at as "outageSince"
     from s
     left join outlet n on n.account_id = s.account_id and n.id = s.outlet_id
     cross join lateral (select count(*)::int4 as queues, max(q.last_moment) as last,
         count(*) filter (where q.start_moment is not null and q.stop_moment is null) as working
       ${QUEUE}) q
     left join lateral (select x.cause, x.began_at from queue_scu u join outage x
         on x.account_id = u.account_id and x.queue_id = u.queue_id
       where u.account_id = s.account_id and u.scu_id = s.id and x.ended_at is null
       order by x.began_at limit 1) x on true
     order by s.account_id, s.id`,
    where.values,
  )
  return rows
}
