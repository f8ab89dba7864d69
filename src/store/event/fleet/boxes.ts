// All CashBoxes that an account may read, of all of its merchants, as they stand.
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

export const BOX_STATES = ['unused', 'active', 'stopped'] as const
export type BoxState = (typeof BOX_STATES)[number]
export const PUBLISHED_STATES = ['never', 'changed', 'current'] as const
export type PublishedState = (typeof PUBLISHED_STATES)[number]

export interface FleetBox {
  id: string
  accountId: string
  accountName: string
  market: string
  outletNumber: number
  description: string
  productType: number
  state: BoxState
  queues: number
  lastReceipt: Date | null
  published: PublishedState
  /** Ticks of the publication. */
  publishedStamp: bigint | null
  /** When its middleware fetched a publication first. */
  fetchedAt: Date | null
  /** It has fetched what is published now. */
  isFetched: boolean
  /** The earliest end of a certificate of its units. */
  certificateEnds: Date | null
  outageCause: string | null
  outageSince: Date | null
  outageState: OutageState | null
}

export interface BoxQuestion extends FleetFilters {
  cashBoxId?: string | undefined
  state?: BoxState | undefined
  /** Changed since the publication, or never published. */
  unpublished?: boolean | undefined
  certificateEndsBefore?: Date | undefined
}

const QUEUE = 'select from queue q where q.account_id = c.account_id and q.cash_box_id = c.id'
const AT_WORK = `exists (${QUEUE} and q.start_moment is not null and q.stop_moment is null)`
const STATES: Readonly<Record<BoxState, string>> = {
  unused: `not exists (${QUEUE} and q.start_moment is not null)`,
  active: AT_WORK,
  stopped: `exists (${QUEUE} and q.stop_moment is not null) and not ${AT_WORK}`,
}
const OUT = `exists (select from outage x join queue q on q.account_id = x.account_id
    and q.id = x.queue_id
  where x.account_id = c.account_id and q.cash_box_id = c.id and x.ended_at is null)`
const UNPUBLISHED = 'c.published_at is null or c.time_stamp > c.published_at'
/** Of its Queues; of the merchant where it has none yet. */
const isOf = (market: string) => `exists (${QUEUE} and q.market = ${market})
  or m.market = ${market} and not exists (${QUEUE})`
const ofMarket = (market: string) => `select q.cash_box_id as id from queue q
    where q.account_id = m.id and q.market = ${market}
  union all select c.id from cash_box c
    where c.account_id = m.id and m.market = ${market} and not exists (${QUEUE})`
const endingBefore = (moment: string) => `select h.cash_box_id as id from unit_fact f
  join cash_box_scu h on h.account_id = f.account_id and h.scu_id = f.scu_id
  where f.account_id = m.id and f.certificate_ends < ${moment}`

/** By keys, where few of them fit; see `Page`. */
const FEW = {
  outage: `select q.cash_box_id as id from outage x join queue q on q.account_id = x.account_id
      and q.id = x.queue_id
    where x.account_id = m.id and x.ended_at is null`,
  unused: "select s.id from spare s where s.account_id = m.id and s.kind = 'cashbox'",
  stopped: `select q.cash_box_id as id from queue q
    where q.account_id = m.id and q.stop_moment is not null`,
} as const

/** In the order of their keys. */
export function listFleetBoxes(
  store: Pick<Store, 'pool'>,
  asked: BoxQuestion,
): Promise<FleetBox[]> {
  return searched(store, { kind: 'cashbox', asked }, (search) => pageOf(store, asked, search))
}

/** Conditions, and keys of what they leave where few fit. */
function wishesOf(asked: BoxQuestion, values: readonly unknown[]) {
  const { state, outage } = asked
  const few: (string | undefined)[] = [
    outage === true ? FEW.outage : undefined,
    state === 'unused' || state === 'stopped' ? FEW[state] : undefined,
  ]
  const where = new Where(values)
    .add(asked.outletNumber, (one) => {
      few.push(boxesAt(one))
      return standsAt(one)
    })
    .add(asked.cashBoxId, (one) => `c.id = ${one}`)
    .either(state === undefined ? undefined : true, state === undefined ? '' : STATES[state])
    .either(asked.unpublished, UNPUBLISHED)
    .either(outage, OUT)
    .add(asked.certificateEndsBefore, (one) => {
      few.push(endingBefore(one))
      return `c.id in (${endingBefore(one)})`
    })
    .add(asked.market, (one) => {
      few.push(ofMarket(one))
      return isOf(one)
    })
  return { where, few: few.find((one) => one !== undefined) }
}

async function pageOf(
  store: Pick<Store, 'pool'>,
  asked: BoxQuestion,
  search: Search,
): Promise<FleetBox[]> {
  const merchants = merchantsOf(asked)
  const { where, few } = wishesOf(asked, merchants.values)
  findWord(
    where,
    { hits: search.hits, asked },
    (one) => `(m.is_named or c.id = ${one} or strpos(lower(c.description), $3) > 0)`,
  )
  const { rows } = await store.pool.query<FleetBox>(
    `with ${merchants.text},
     ${pageText({
       ...{ name: 'c', table: 'cash_box', key: 'c', where, asked, ...search },
       few,
       columns: `c.account_id, c.id, m.name, m.market, c.description, c.product_type, c.time_stamp,
         c.published_at, ${OUTLET} as number`,
       joins: 'left join outlet o on o.account_id = c.account_id and o.id = c.outlet_id',
     })}
     select c.id, c.account_id as "accountId", c.name as "accountName",
       coalesce(q.market, c.market) as market, c.number as "outletNumber", c.description,
       c.product_type as "productType",
       case when q.working > 0 then 'active' when q.started > 0 then 'stopped' else 'unused' end
         as state,
       q.queues, q.last as "lastReceipt",
       case when c.published_at is null then 'never'
         when c.time_stamp > c.published_at then 'changed' else 'current' end as published,
       c.published_at as "publishedStamp", p.fetched_at as "fetchedAt",
       coalesce(p.fetched_stamp >= c.published_at, false) as "isFetched",
       (select min(f.certificate_ends) from cash_box_scu h join unit_fact f
         on f.account_id = h.account_id and f.scu_id = h.scu_id
         where h.account_id = c.account_id and h.cash_box_id = c.id) as "certificateEnds",
       x.cause as "outageCause", x.began_at as "outageSince",
       x.state as "outageState"
     from c
     left join publication p on p.account_id = c.account_id and p.id = c.id
     cross join lateral (select count(*)::int4 as queues, min(q.market) as market,
         max(q.last_moment) as last,
         count(q.start_moment) as started,
         count(*) filter (where q.start_moment is not null and q.stop_moment is null) as working
       from queue q where q.account_id = c.account_id and q.cash_box_id = c.id) q
     left join lateral (select o.cause, o.began_at, ${OUTAGE_STATE} as state
       from queue q join outage o
         on o.account_id = q.account_id and o.queue_id = q.id
       where q.account_id = c.account_id and q.cash_box_id = c.id and o.ended_at is null
       order by o.began_at limit 1) x on true
     order by c.account_id, c.id`,
    where.values,
  )
  return rows
}
