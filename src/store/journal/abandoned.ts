// Reading that may be abandoned: its statements end in the database as soon as nobody waits for
// them any more.
import type pg from 'pg'
import type { Semaphore } from '../../lib/semaphore.js'
import type { Precedence } from '../../lib/slices.js'
import type { Store } from '../client.js'
import { onConnection } from '../transaction.js'

/** Of its time, reading that gives way takes a fifth. */
const REST = 4

export interface Reading {
  left: AbortSignal
  turns: Semaphore
  precedence: Precedence
}

/**
 * The store for one reader until `left` says that it has gone: from then on every statement fails,
 * and the one under way is cancelled. `turns`: connections that all readers of the pool may use
 * together; one more is for cancelling. A turn lasts longer than its statement while there is work
 * that goes first: all readers together then ask for less.
 */
export function untilLeft(store: Store, { left, turns, precedence }: Reading): Store {
  const query = (text: string | pg.QueryConfig, values?: unknown[]): Promise<pg.QueryResult> => {
    const asked = typeof text === 'string' ? { text, values: values ?? [] } : text
    return new Promise((resolve, reject) => {
      void turns.run(async () => {
        const began = performance.now()
        await onConnection(store, (client) => cancellable(store, { client, asked, left })).then(
          resolve,
          reject,
        )
        await precedence.giveWay(performance.now() - began, REST)
      })
    })
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
