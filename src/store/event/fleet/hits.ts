// What people look for, by parts of names or by id, before lists are read: few things are read by
// their keys, many come along a list by themselves.
import { isUuid } from '../../../lib/id.js'
import type { Store } from '../../client.js'
import {
  type FleetFilters,
  type Hits,
  merchantsOf,
  patternOf,
  type Where,
  wordOf,
} from './where.js'

const MOST = 2_000
/** Shorter parts are in nearly every name. */
const SHORTEST = 3

type Kind = 'cashbox' | 'queue' | 'scu'
const TABLES: Readonly<Record<Kind, string>> = { cashbox: 'cash_box', queue: 'queue', scu: 'scu' }
/** What else an id, or the beginning of a serial number, may mean. */
const MORE: Readonly<Record<Kind, string>> = {
  cashbox: '',
  queue: `union all select q.account_id, q.id from m join queue q on q.account_id = m.id
    where q.cash_box_id = $4`,
  scu: `union all select f.account_id, f.scu_id from m join unit_fact f on f.account_id = m.id
    where f.serial <> '' and lower(f.serial) like $6 || '%'`,
}

export interface Search {
  hits: Hits | undefined
  isNear: boolean
}

/**
 * A word that many have fills a page with what the next merchants have; only where it does not, all
 * names are looked through.
 */
export async function searched<Row>(
  store: Pick<Store, 'pool'>,
  { kind, asked }: { kind: Kind; asked: FleetFilters },
  list: (search: Search) => Promise<Row[]>,
): Promise<Row[]> {
  const word = wordOf(asked.search)
  if (word === undefined || word.length < SHORTEST) return list(ALL)
  if (!isUuid(word)) {
    const near = await list({ hits: undefined, isNear: true })
    if (near.length >= asked.limit) return near
  }
  return list({ hits: await hitsOf(store, { kind, asked, word }), isNear: false })
}

const ALL: Search = { hits: undefined, isNear: false }

/** Undefined: there are so many that a list finds them by itself. */
async function hitsOf(
  { pool }: Pick<Store, 'pool'>,
  { kind, asked, word }: { kind: Kind; asked: FleetFilters; word: string },
): Promise<Hits | undefined> {
  const { text, values } = merchantsOf(asked)
  const { rows } = await pool.query<{ account_id: string; id: string }>(
    `with ${text} select h.account_id, h.id from (
       select t.account_id, t.id from m join ${TABLES[kind]} t on t.account_id = m.id
       where m.is_named
       union all select n.account_id, n.id from search_name n join m on m.id = n.account_id
       where n.kind = '${kind}' and n.id = $4 ${MORE[kind]}
       union all select n.account_id, n.id from search_name n join m on m.id = n.account_id
       where n.kind = '${kind}' and n.names like $5) h limit ${MOST}`,
    [
      ...[...values, isUuid(word) ? word : null, patternOf(word)],
      ...(kind === 'scu' ? [patternOf(word).slice(1, -1)] : []),
    ],
  )
  if (rows.length === MOST) return undefined
  return { accountIds: rows.map((row) => row.account_id), ids: rows.map(({ id }) => id) }
}

/** Where there were too many hits, the rows are looked at one by one. */
export function findWord(
  where: Where,
  { hits, asked }: { hits: Hits | undefined; asked: FleetFilters },
  fits: (id: string) => string,
): void {
  const word = wordOf(asked.search)
  if (hits !== undefined || word === undefined) return
  where.add(isUuid(word) ? word : null, fits)
}
