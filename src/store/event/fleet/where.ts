// Conditions of a question that is put together from what was asked: what was not asked is not in
// the statement, so that its plan is made for what was.
import { READABLE } from '../outages.js'

export class Where {
  readonly values: unknown[]
  private readonly texts: string[] = []

  /** `first` are the parameters that the rest of the statement has. */
  constructor(first: readonly unknown[]) {
    this.values = [...first]
  }

  /** `of` gets the parameter of the value; undefined: not asked. */
  add(value: unknown, of: (parameter: string) => string): this {
    if (value === undefined) return this
    this.values.push(value)
    this.texts.push(of(`$${this.values.length}`))
    return this
  }

  /** With or without; undefined: not asked. */
  either(wanted: boolean | undefined, condition: string): this {
    if (wanted !== undefined) this.texts.push(wanted ? condition : `not (${condition})`)
    return this
  }

  get text(): string {
    // each by itself: one may be an "or"
    return this.texts.length === 0 ? 'true' : this.texts.map((one) => `(${one})`).join(' and ')
  }
}

/** What every list of things of all merchants may be asked for. */
export interface FleetFilters {
  accountId: string
  /** One merchant. */
  operatorId?: string | undefined
  outletNumber?: number | undefined
  market?: string | undefined
  /** With or without an outage that goes on. */
  outage?: boolean | undefined
  /** Part of a name or a description, or an id. */
  search?: string | undefined
  /** The last one of the page before. */
  after?: { accountId: string; id: string } | undefined
  limit: number
}

/**
 * `m`: the accounts that may be read, `$1` of the values, with `is_named` where the search is part
 * of their names.
 */
export function merchantsOf({ accountId, operatorId, search }: FleetFilters) {
  const values: unknown[] = [accountId, operatorId ?? null, wordOf(search) ?? null]
  const text = `r as materialized (${READABLE}), m as materialized (
    select a.id, a.name, a.market,
      $3::text is not null and strpos(lower(a.name), $3) > 0 as is_named
    from r join account a on a.id = r.id where $2::uuid is null or a.id = $2)`
  return { text, values }
}

export const wordOf = (search: string | undefined) => search?.trim().toLowerCase()

/** For `like`: the word anywhere. */
export const patternOf = (word: string) => `%${word.replace(/[\\%_]/g, (one) => `\\${one}`)}%`

/** Number of the outlet of a cash box `c` with its outlet `o`. */
export const OUTLET = 'coalesce(c.outlet_number, o.number, 1)'

/** Whether a cash box `c` of a merchant `m` stands there. */
export const standsAt = (number: string) => `(c.outlet_number = ${number}
  or c.outlet_number is null and (c.outlet_id in (select o.id from outlet o
    where o.account_id = m.id and o.number = ${number}) or c.outlet_id is null and ${number} = 1))`

/** Cash boxes of a merchant `m` that stand there, by keys. */
export const boxesAt = (number: string) => `select c.id from cash_box c
    where c.account_id = m.id and c.outlet_number = ${number}
  union all select c.id from outlet o join cash_box c
    on c.account_id = o.account_id and c.outlet_id = o.id and c.outlet_number is null
    where o.account_id = m.id and o.number = ${number}
  union all select c.id from cash_box c where ${number} = 1 and c.account_id = m.id
    and c.outlet_id is null and c.outlet_number is null`

/** Things that were found beforehand. */
export interface Hits {
  accountIds: string[]
  ids: string[]
}

/** What a page of a list is made of. */
interface Page {
  /** As the rest of the statement names it. */
  name: string
  columns: string
  /** Its table, and the name of its rows. */
  table: string
  key: string
  /** Further tables. */
  joins?: string
  where: Where
  asked: Pick<FleetFilters, 'after' | 'limit'>
  hits: Hits | undefined
  /** The next rows alone, as many as are quickly looked through one by one: see `searched`. */
  isNear?: boolean
  /**
   * Where few rows fit: the `id` of each of a merchant `m`, and maybe of others, by keys. Otherwise
   * they are found with the first merchants.
   */
  few: string | undefined
}

/** Rows that are looked through for each that the page has room for. */
const NEAR = 60

/**
 * The rows of a page in the order of their keys: merchant after merchant until there are enough of
 * them, so that neither all rows nor all that fit are read.
 */
export function pageText({ name, columns, table, key, joins = '', ...page }: Page): string {
  const { where, hits, few, isNear = false } = page
  const { after, limit } = page.asked
  const given = (value: unknown) => `$${where.values.push(value)}`
  const most = `limit ${given(limit)}`
  const from = after && { account: given(after.accountId), id: given(after.id) }
  const begin = from === undefined ? '' : `where m.id >= ${from.account}`
  const behind = (row: string) =>
    from === undefined ? '' : `and (m.id > ${from.account} or ${row}.id > ${from.id})`
  const found = `${joins} where ${where.text} ${behind(key)}`
  // one by one: a planner that expects more of them would read everything
  const byKey = `cross join lateral (select * from ${table} t
    where t.account_id = m.id and t.id = k.id offset 0) ${key}`
  if (hits !== undefined) {
    const [accounts, ids] = [given(hits.accountIds), given(hits.ids)]
    return `k as materialized (
        select distinct * from unnest(${accounts}::uuid[], ${ids}::uuid[]) k(account_id, id)),
      ${name} as materialized (select ${columns} from (select * from m ${begin}) m
        join k on k.account_id = m.id ${byKey} ${found} order by m.id, k.id ${most})`
  }
  const rows =
    few === undefined
      ? `(select * from ${table} t where t.account_id = m.id) ${key}`
      : `(select distinct x.id from (${few}) x) k ${byKey}`
  const place = few === undefined ? key : 'k'
  const merchants = `select * from m ${begin} order by m.id`
  if (isNear) {
    const next = `limit ${given(limit * NEAR)}`
    return `${name} as materialized (select ${columns} from (select m, t, m.id as owner, t.id
          from (${merchants}) m
        cross join lateral (select * from ${table} t where t.account_id = m.id ${behind('t')}
          order by t.id ${next}) t order by m.id, t.id ${next}) pair
      cross join lateral (select (pair.m).*) m cross join lateral (select (pair.t).*) ${key}
      ${joins} where ${where.text} order by pair.owner, pair.id ${most})`
  }
  return `${name} as materialized (select p.* from (${merchants}) m
    cross join lateral (select ${columns} from ${rows} ${found}
      order by ${place}.id ${most}) p order by m.id, p.id ${most})`
}
