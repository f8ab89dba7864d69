// A transaction in plain SQL, for writers that lock rows in an order of their own.
// Called by the files of this folder.
import type pg from 'pg'
import type { Store } from './client.js'

/** Commits what `work` wrote; an error rolls it back with the connection. */
export async function inTransaction<T>(
  store: Store,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await store.pool.connect()
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    client.release()
    return result
  } catch (error) {
    // closing it is the one way to roll back that works on a broken connection as well
    client.release(true)
    throw error
  }
}
