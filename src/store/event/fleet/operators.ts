// All merchants that an account may read, and the account itself, with how much each of them has.
import { READS, type Right } from '../../account/connections.js'
import type { Store } from '../../client.js'
import { Where, wordOf } from './where.js'

export interface FleetOperator {
  id: string
  name: string
  market: string
  country: string
  right: Right
  outlets: number
  cashBoxes: number
  queues: number
  units: number
  lastReceipt: Date | null
  problems: number
  /** Of the worst problem; null: there is none. */
  severity: number | null
}

export interface OperatorQuestion {
  accountId: string
  market: string | undefined
  search: string | undefined
  /** With or without problems. */
  problems: boolean | undefined
  after: { name: string; id: string } | undefined
  limit: number
}

/** What is to be done at once is never put off. */
const SHOWN = `p.cleared_at is null
  and (p.severity >= 3 or p.snoozed_until is null or p.snoozed_until <= now())`

/** By name. */
export async function listFleetOperators(
  { pool }: Pick<Store, 'pool'>,
  asked: OperatorQuestion,
): Promise<FleetOperator[]> {
  const { after } = asked
  const where = new Where([asked.accountId])
    .add(asked.market, (one) => `a.market = ${one}`)
    .either(asked.problems, `exists (select from problem p where p.account_id = a.id and ${SHOWN})`)
    .add(
      wordOf(asked.search),
      (one) => `(strpos(lower(a.name), ${one}) > 0 or a.id::text = ${one})`,
    )
    .add(after?.name, (one) => `a.name >= ${one}`)
  if (after !== undefined) {
    where.add(after.id, (one) => `(a.name > $${where.values.length - 1} or a.id > ${one})`)
  }
  where.values.push(asked.limit)
  const of = (table: string) => `(select count(*)::int4 from ${table} t where t.account_id = a.id)`
  const { rows } = await pool.query<FleetOperator>(
    `with r as (select $1::uuid as id, 'Full' as rights
         union all select c.to_account_id, c.rights from connection c
         where c.account_id = $1 and c.to_account_id <> $1 and ${READS}),
     a as materialized (select a.id, a.name, a.market, a.country, r.rights
       from r join account a on a.id = r.id
       where ${where.text} order by a.name, a.id limit $${where.values.length})
     select a.id, a.name, a.market, a.country, a.rights as "right", ${of('outlet')} as outlets,
       ${of('cash_box')} as "cashBoxes", q.queues, ${of('scu')} as units, q.last as "lastReceipt",
       p.problems, p.severity
     from a
     cross join lateral (select count(*)::int4 as queues, max(q.last_moment) as last
       from queue q where q.account_id = a.id) q
     cross join lateral (select count(*)::int4 as problems, max(p.severity) as severity
       from problem p where p.account_id = a.id and ${SHOWN}) p
     order by a.name, a.id`,
    where.values,
  )
  return rows
}
