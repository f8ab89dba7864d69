// The database as it was at one moment, for readers that compare many rows with each other. Every
// reader of this folder works on a frozen store as on any other.
import type pg from 'pg'
import type { Store } from '../client.js'
import { onConnection } from '../transaction.js'

/** A comparison over all rows of a table takes longer than any receipt may. */
const PATIENCE_MS = 3_600_000

/**
 * Work on a store that sees no later change, and can change nothing. It holds one connection and,
 * as long as it runs, keeps PostgreSQL from tidying up old rows: one queue at a time is short
 * enough.
 */
export async function inSnapshot<T>(store: Store, work: (frozen: Store) => Promise<T>): Promise<T> {
  return onConnection(store, async (client) => {
    await client.query('begin isolation level repeatable read read only')
    await client.query('set local statement_timeout = 0')
    const result = await work({ ...store, pool: oneByOne(store.pool, client) })
    await client.query('commit')
    return result
  })
}

/** The pool with one connection only; readers that read ahead stand in line for it. */
function oneByOne(pool: pg.Pool, client: pg.PoolClient): pg.Pool {
  let last: Promise<unknown> = Promise.resolve()
  const query = (config: pg.QueryConfig): Promise<pg.QueryResult> => {
    // pg takes the limit with a query, its types do not know it
    const patient: pg.QueryConfig = Object.assign({}, config, { query_timeout: PATIENCE_MS })
    const next = last.then(() => client.query(patient))
    last = Promise.allSettled([next])
    return next
  }
  return Object.create(pool, { query: { value: query } }) as pg.Pool
}
