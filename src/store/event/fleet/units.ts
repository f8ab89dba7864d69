// All signing units that an account may read, of all of its merchants, as they stand.
import type { OutageState } from '../../../model/outage.js'
import type { Store } from '../../client.js'
import { OUTAGE_STATE } from '../outages.js'
import { findWord, type Search, searched } from './hits.js'
import {
  boxesAt,
  type FleetFilters,
  merchantsOf,
  OUTLET,
  pageText,
  standsAt,
  Where,
} from './where.js'

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
  outageState: OutageState | null
}

export interface UnitQuestion extends FleetFilters {
  state?: UnitState | undefined
  /** In a CashBox that was changed since its publication, or was never published. */
  unpublished?: boolean | undefined
  certificateEndsBefore?: Date | undefined
}

const QUEUE = `from queue_scu u join queue q on q.account_id = u.account_id and q.id = u.queue_id
  where u.account_id = s.account_id and u.scu_id = s.id`
const LINKED = `exists (select from queue_scu u
  where u.account_id = s.account_id and u.scu_id = s.id)`
/** One that was put out of operation signs nothing, whoever holds it. */
const ENDED = 'f.module_state is not distinct from 2'
const STATES: Readonly<Record<UnitState, string>> = {
  unused: `not (${ENDED}) and not ${LINKED}`,
  active: `not (${ENDED}) and ${LINKED}`,
  terminated: ENDED,
}
const OUT = `exists (select from queue_scu u join outage x on x.account_id = u.account_id
    and x.queue_id = u.queue_id and x.ended_at is null
  where u.account_id = s.account_id and u.scu_id = s.id)`
const UNPUBLISHED = `exists (select from cash_box_scu h join cash_box c
    on c.account_id = h.account_id and c.id = h.cash_box_id
  where h.account_id = s.account_id and h.scu_id = s.id
    and (c.published_at is null or c.time_stamp > c.published_at))`
const NUMBER = `coalesce(n.number, (select min(${OUTLET}) from cash_box_scu h
    join cash_box c on c.account_id = h.account_id and c.id = h.cash_box_id
    left join outlet o on o.account_id = c.account_id and o.id = c.outlet_id
    where h.account_id = s.account_id and h.scu_id = s.id), 1)`

/** Where it was put, else where a cash box that holds it stands. */
const isAt = (number: string) => `(n.number = ${number} or s.outlet_id is null
  and exists (select from cash_box_scu h join cash_box c on c.account_id = h.account_id
      and c.id = h.cash_box_id
    where h.account_id = s.account_id and h.scu_id = s.id and ${standsAt(number)}))`

/** By keys, where few of them fit; see `Page`. */
const FEW = {
  outage: `select u.scu_id as id from outage x join queue_scu u on u.account_id = x.account_id
      and u.queue_id = x.queue_id
    where x.account_id = m.id and x.ended_at is null`,
  unused: "select s.id from spare s where s.account_id = m.id and s.kind = 'scu'",
  terminated: `select f.scu_id as id from unit_fact f
    where f.account_id = m.id and f.module_state = 2`,
  unpublished: `select h.scu_id as id from cash_box c join cash_box_scu h
      on h.account_id = c.account_id and h.cash_box_id = c.id
    where c.account_id = m.id and (c.published_at is null or c.time_stamp > c.published_at)`,
} as const
const endingBefore = (moment: string) => `select f.scu_id as id from unit_fact f
  where f.account_id = m.id and f.certificate_ends < ${moment}`
const ofMarket = (market: string) => `select f.scu_id as id from unit_fact f
  where f.account_id = m.id and f.market = ${market}`
const placedAt = (number: string) => `select t.id from outlet o join scu t
    on t.account_id = o.account_id and t.outlet_id = o.id
    where o.account_id = m.id and o.number = ${number}
  union all select h.scu_id from (${boxesAt(number)}) b join cash_box_scu h
    on h.account_id = m.id and h.cash_box_id = b.id`

const FACT = 'join unit_fact f on f.account_id = s.account_id and f.scu_id = s.id'
/** Of few units: a planner would rather read the facts of all. */
const FACT_BY_KEY = `cross join lateral (select * from unit_fact f
  where f.account_id = s.account_id and f.scu_id = s.id offset 0) f`

/** In the order of their keys. */
export function listFleetUnits(
  store: Pick<Store, 'pool'>,
  asked: UnitQuestion,
): Promise<FleetUnit[]> {
  return searched(store, { kind: 'scu', asked }, (search) => pageOf(store, asked, search))
}

async function pageOf(
  store: Pick<Store, 'pool'>,
  asked: UnitQuestion,
  search: Search,
): Promise<FleetUnit[]> {
  const { state, outage, unpublished } = asked
  const merchants = merchantsOf(asked)
  const few: (string | undefined)[] = [
    outage === true ? FEW.outage : undefined,
    state === 'unused' || state === 'terminated' ? FEW[state] : undefined,
  ]
  const orBy = (keys: (one: string) => string, fits: (one: string) => string) => (one: string) => {
    few.push(keys(one))
    return fits(one)
  }
  const where = new Where(merchants.values)
    .add(
      asked.certificateEndsBefore,
      orBy(endingBefore, (one) => `f.certificate_ends < ${one}`),
    )
    .add(asked.outletNumber, orBy(placedAt, isAt))
    .add(
      asked.market,
      orBy(ofMarket, (one) => `f.market = ${one}`),
    )
    .either(state === undefined ? undefined : true, state === undefined ? '' : STATES[state])
    .either(unpublished, UNPUBLISHED)
    .either(outage, OUT)
  if (unpublished === true) few.push(FEW.unpublished)
  findWord(
    where,
    { hits: search.hits, asked },
    (one) => `(m.is_named or s.id = ${one} or strpos(lower(s.description), $3) > 0
        or starts_with(lower(f.serial), $3))`,
  )
  const { rows } = await store.pool.query<FleetUnit>(
    `with ${merchants.text},
     ${pageText({
       ...{ name: 's', table: 'scu', key: 's', where, asked, ...search },
       few: few.find((one) => one !== undefined),
       columns: `s.account_id, s.id, m.name, s.market, s.description, s.mode, s.hidden,
         coalesce(nullif(s.package_name, ''), s.package) as package, s.outlet_id, f.serial,
         f.certification_id, f.module_state, f.certificate_ends`,
       joins: `${search.isNear ? FACT_BY_KEY : FACT}
         left join outlet n on n.account_id = s.account_id and n.id = s.outlet_id`,
     })}
     select s.id, s.account_id as "accountId", s.name as "accountName", s.market,
       ${NUMBER} as "outletNumber", s.description, s.package as "packageName", s.mode, s.hidden,
       case when s.module_state = 2 then 'terminated' when q.queues > 0 then 'active'
         else 'unused' end as state,
       s.serial, s.certification_id as "certificationId", s.module_state as "moduleState",
       s.certificate_ends as "certificateEnds",
       array(select h.cash_box_id::text from cash_box_scu h
         where h.account_id = s.account_id and h.scu_id = s.id order by 1) as boxes,
       q.queues, q.last as "lastReceipt", x.cause as "outageCause", x.began_at as "outageSince",
       x.state as "outageState"
     from s
     left join outlet n on n.account_id = s.account_id and n.id = s.outlet_id
     cross join lateral (select count(*)::int4 as queues, max(q.last_moment) as last
       ${QUEUE}) q
     left join lateral (select o.cause, o.began_at, ${OUTAGE_STATE} as state
       from queue_scu u join outage o
         on o.account_id = u.account_id and o.queue_id = u.queue_id
       where u.account_id = s.account_id and u.scu_id = s.id and o.ended_at is null
       order by o.began_at limit 1) x on true
     order by s.account_id, s.id`,
    where.values,
  )
  return rows
}
