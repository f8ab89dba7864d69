// Reading that may be abandoned: its statements end in the database as soon as nobody waits for
// them any more.
import type pg from 'pg'
import type { Semaphore } from '../../lib/semaphore.js'
import type { Store } from '../client.js'
import { onConnection } from '../transaction.js'

/**
 * The store for one reader until `left` says that it has gone: from then on every statement fails,
 * and the one under way is cancelled. `turns`: connections that all readers of the pool may use
 * together; one more is for cancelling.
 */
export function untilLeft(
  store: Store,
  { left, turns }: { left: AbortSignal; turns: Semaphore },
): Store {
  const query = (text: string | pg.QueryConfig, values?: unknown[]): Promise<pg.QueryResult> => {
    const asked = typeof text === 'string' ? { text, values: values ?? [] } : text
    return turns.run(() =>
      onConnection(store, (client) => cancellable(store, { client, asked, left })),
    )
  }
  return { ...store, pool: Object.create(store.pool, { query: { value: query } }) as pg.Pool }
}

interface Statement {
  client: pg.PoolClient
  asked: pg.QueryConfig
  left: AbortSignal
}

/** Rejects when it was left, so that a connection that was cancelled is used by nobody else. */
async function cancellable(
  store: Store,
  { client, asked, left }: Statement,
): Promise<pg.QueryResult> {
  left.throwIfAborted()
  const { rows } = await client.query<{ pid: number }>({
    name: 'own-pid',
    text: 'select pg_backend_pid() as pid',
  })
  let cancelled: Promise<unknown> | undefined
  const cancel = () => {
    cancelled = Promise.allSettled([
      store.pool.query('select pg_cancel_backend($1)', [rows[0]?.pid]),
    ])
  }
  left.throwIfAborted()
  left.addEventListener('abort', cancel)
  try {
    return await client.query(asked)
  } finally {
    left.removeEventListener('abort', cancel)
    await cancelled
    left.throwIfAborted()
  }
}
