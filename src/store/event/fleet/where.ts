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

  /** Behind this row in the order of keys. */
  behind(key: string, after: { accountId: string; id: string } | undefined): this {
    if (after === undefined) return this
    this.values.push(after.accountId, after.id)
    const at = this.values.length
    this.texts.push(`${key}.account_id >= $${at - 1}
      and (${key}.account_id > $${at - 1} or ${key}.id > $${at})`)
    return this
  }

  get text(): string {
    return this.texts.length === 0 ? 'true' : this.texts.join(' and ')
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
export function merchantsOf({ accountId, operatorId, search }: FleetFilters, isKept = true) {
  const values: unknown[] = [accountId, operatorId ?? null, wordOf(search) ?? null]
  // where few rows fit their merchants are looked up, instead of all merchants beforehand
  const kept = isKept ? 'materialized' : 'not materialized'
  const text = `r as ${kept} (${READABLE}), m as ${kept} (
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

/** Whether a cash box `c` stands there; quicker than the number itself where few do. */
export const standsAt = (number: string) => `(c.outlet_number = ${number}
  or c.outlet_number is null and (c.outlet_id in (select o.id from m join outlet o
    on o.account_id = m.id where o.number = ${number}) or c.outlet_id is null and ${number} = 1))`

/** Every merchant has the first outlet; of others each has few, if any. */
export const isFirst = ({ operatorId, outletNumber = 1 }: FleetFilters) =>
  operatorId !== undefined || outletNumber === 1

/** What a page of a list is made of. */
interface Page {
  /** As the rest of the statement names it. */
  name: string
  columns: string
  /** Its tables, the first of which is `key`. */
  from: string
  key: string
  where: Where
  limit: number
  /** Most rows fit: what is asked for is found with the first merchants. */
  isCommon: boolean
}

/**
 * The rows of a page in the order of their keys. Where most rows fit, merchant after merchant until
 * there are enough of them; otherwise over all tables at once.
 */
export function pageText({ name, columns, from, key, where, limit, isCommon }: Page): string {
  where.values.push(limit)
  const most = `limit $${where.values.length}`
  const found = `${key}.account_id = m.id and ${where.text}`
  if (!isCommon) {
    return `${name} as materialized (select ${columns} from m, ${from}
      where ${found} order by ${key}.account_id, ${key}.id ${most})`
  }
  return `${name} as materialized (select p.* from (select * from m order by m.id) m
    cross join lateral (select ${columns} from ${from}
      where ${found} order by ${key}.id ${most}) p order by m.id, p.id ${most})`
}
