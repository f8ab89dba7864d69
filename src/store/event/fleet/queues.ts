// All Queues that an account may read, of all of its merchants, as they stand.
import type { OutageState } from '../../../model/outage.js'
import type { Store } from '../../client.js'
import { OUTAGE_STATE } from '../outages.js'
import { silentSince } from '../problem/registers.js'
import { findWord, type Search, searched } from './hits.js'
import { boxesAt, type FleetFilters, merchantsOf, pageText, standsAt, Where } from './where.js'

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
  outageState: OutageState | null
}

export interface FleetQuestion extends FleetFilters {
  cashBoxId?: string | undefined
  state?: QueueState | undefined
  /** In operation, and without a receipt since then. */
  silentSince?: Date | undefined
}

const STATES: Readonly<Record<QueueState, string>> = {
  unused: 'q.start_moment is null',
  active: 'q.start_moment is not null and q.stop_moment is null',
  stopped: 'q.start_moment is not null and q.stop_moment is not null',
}
const STATE = `case when q.start_moment is null then 'unused'
  when q.stop_moment is null then 'active' else 'stopped' end`

const OUT = `exists (select from outage x
  where x.account_id = q.account_id and x.queue_id = q.id and x.ended_at is null)`

/** By keys, where few of them fit; see `Page`. */
const OUT_NOW =
  'select x.queue_id as id from outage x where x.account_id = m.id and x.ended_at is null'

/** As long as all registers at work have been seen since. */
const LONG_MS = 12 * 60 * 60 * 1000
const isLongAgo = (moment: Date | undefined) =>
  moment !== undefined && Date.now() - moment.getTime() >= LONG_MS

/** In the order of their keys. */
export function listFleet(store: Pick<Store, 'pool'>, asked: FleetQuestion): Promise<FleetRow[]> {
  return searched(store, { kind: 'queue', asked }, (search) => pageOf(store, asked, search))
}

async function pageOf(
  store: Pick<Store, 'pool'>,
  asked: FleetQuestion,
  search: Search,
): Promise<FleetRow[]> {
  const { state, outage } = asked
  const merchants = merchantsOf(asked)
  const few: (string | undefined)[] = [outage === true ? OUT_NOW : undefined]
  const where = new Where(merchants.values)
    .add(asked.market, (one) => `q.market = ${one}`)
    .add(asked.outletNumber, (one) => {
      few.push(`select b.id from (${boxesAt(one)}) h join queue b
        on b.account_id = m.id and b.cash_box_id = h.id`)
      return `exists (select from cash_box c
        where c.account_id = q.account_id and c.id = q.cash_box_id and ${standsAt(one)})`
    })
    .add(asked.cashBoxId, (one) => `q.cash_box_id = ${one}`)
    .either(state === undefined ? undefined : true, state === undefined ? '' : STATES[state])
    .either(outage, OUT)
    .add(asked.silentSince, (one) => {
      if (isLongAgo(asked.silentSince)) few.push(silentSince(`${one}::timestamptz`))
      return `q.start_moment < ${one} and q.stop_moment is null
        and (q.last_moment is null or q.last_moment < ${one})`
    })
  findWord(
    where,
    { hits: search.hits, asked },
    (one) => `(m.is_named or q.id = ${one} or q.cash_box_id = ${one}
        or strpos(lower(q.identification || chr(10) || q.description), $3) > 0)`,
  )
  const { rows } = await store.pool.query<FleetRow>(
    `with ${merchants.text},
     ${pageText({
       ...{ name: 'q', table: 'queue', key: 'q', where, asked, ...search },
       few: few.find((one) => one !== undefined),
       columns: `q.id, q.account_id, m.name, q.cash_box_id, q.market, q.identification,
         q.description, q.start_moment, q.stop_moment, q.last_moment, q.receipt_numerator`,
     })}
     select q.id, q.account_id as "accountId", q.name as "accountName",
       coalesce(c.outlet_number, u.number) as "outletNumber", q.cash_box_id as "cashBoxId",
       q.market, q.identification, q.description, ${STATE} as state,
       q.start_moment as "startMoment", q.stop_moment as "stopMoment",
       q.last_moment as "lastReceipt", q.receipt_numerator as receipts,
       o.cause as "outageCause", o.began_at as "outageSince",
       o.state as "outageState"
     from q
     left join cash_box c on c.account_id = q.account_id and c.id = q.cash_box_id
     left join outlet u on u.account_id = c.account_id and u.id = c.outlet_id
     left join lateral (select o.cause, o.began_at, ${OUTAGE_STATE} as state from outage o
       where o.account_id = q.account_id and o.queue_id = q.id and o.ended_at is null
       order by o.began_at limit 1) o on true
     order by q.account_id, q.id`,
    where.values,
  )
  return rows
}
