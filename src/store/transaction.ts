// One connection for several statements, and transactions in plain SQL for writers that lock rows
// in an order of their own.
import type pg from 'pg'
import type { Prisma } from '../generated/prisma/client.js'
import type { Store } from './client.js'

/** A transaction that is open; every statement on it commits with the others or not at all. */
export type Transaction = Prisma.TransactionClient

/** A connection in a transaction; what else belongs to the same call is written on it. */
export type Connection = pg.PoolClient

/**
 * Work on one connection of the pool. pg reports a connection that breaks as an event besides the
 * failing statement, and the pool listens only while the connection is idle: without a listener
 * here a session that an administrator ends would end this process.
 */
export async function onConnection<T>(
  store: Store,
  work: (client: pg.PoolClient) => Promise<T>,
  /** Closes the connection afterwards although nothing went wrong. */
  used: 'keep' | 'close' = 'keep',
): Promise<T> {
  const client = await store.pool.connect()
  const broke = (): void => {
    // the statement under way has failed with the same error, or the next one will
  }
  client.on('error', broke)
  try {
    const result = await work(client)
    client.off('error', broke)
    client.release(used === 'close')
    return result
  } catch (error) {
    // closing it is the one way to roll back that works on a broken connection as well
    client.release(true)
    throw error
  }
}

/** Commits what `work` wrote; an error rolls it back with the connection. */
export async function inTransaction<T>(
  store: Store,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  return onConnection(store, async (client) => {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  })
}
