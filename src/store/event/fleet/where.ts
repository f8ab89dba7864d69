// Conditions of a question that is put together from what was asked: what was not asked is not in
// the statement, so that its plan is made for what was.
import { isUuid } from '../../../lib/id.js'
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
export function merchantsOf({ accountId, operatorId, search }: FleetFilters) {
  const values: unknown[] = [accountId, operatorId ?? null, wordOf(search) ?? null]
  const text = `r as (${READABLE}), m as materialized (
    select a.id, a.name, a.market, $3::text is not null and strpos(lower(a.name), $3) > 0 as is_named
    from r join account a on a.id = r.id where $2::uuid is null or a.id = $2)`
  return { text, values }
}

export const wordOf = (search: string | undefined) => search?.trim().toLowerCase()

/** The id that was searched for; undefined: it is none. */
export function idIn(search: string | undefined): string | null {
  const word = wordOf(search)
  return word !== undefined && isUuid(word) ? word : null
}

/** Number of the outlet of a cash box `c` with its outlet `o`. */
export const OUTLET = 'coalesce(c.outlet_number, o.number, 1)'
