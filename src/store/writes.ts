// Whether the database takes writes: noted from its own answers, which costs a write that succeeds
// nothing, and tried again when somebody asks.
import { randomBytes } from 'node:crypto'
import type pg from 'pg'

export interface Writes {
  /** Listens to a new connection. */
  watch(client: pg.PoolClient): void
  /** True while the last write failed for a state of the database; asks it anew. */
  areFailing(pool: pg.Pool): Promise<boolean>
}

/** No disk, no files, read-only: the next write will fail as well. */
const FAULTS = new Set(['53100', '58030', '58P01', '25006'])
/** Between two tries; who asks meanwhile gets the last result. */
const PAUSE_MS = 1_000
const PROBE_ROWS = 64
const PROBE_BYTES = 8_000

/** What pg's connection tells: one event for every error that the server reports. */
interface Errors {
  on(name: 'errorMessage', listener: (error: { code?: string }) => void): void
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

/** True where the database says that it has no disk, no files or no right to write. */
export function tellsNoWrites(error: unknown): boolean {
  return FAULTS.has(codeOf(error))
}

export function watchWrites(): Writes {
  let isFailing = false
  let lastTry = Number.NEGATIVE_INFINITY
  let trying: Promise<void> | undefined
  const attempt = async (pool: pg.Pool): Promise<void> => {
    lastTry = performance.now()
    try {
      await probe(pool)
      isFailing = false
    } catch (error) {
      // whatever else goes wrong here says nothing about writes
      isFailing = tellsNoWrites(error)
      if (!isFailing) throw error
    }
  }
  return {
    watch: (client) => {
      const connection: unknown = Reflect.get(client, 'connection')
      ;(connection as Errors).on('errorMessage', ({ code }) => {
        if (FAULTS.has(code ?? '')) isFailing = true
      })
    },
    areFailing: async (pool) => {
      if (!isFailing) return false
      if (performance.now() - lastTry >= PAUSE_MS) {
        trying ??= attempt(pool).finally(() => {
          trying = undefined
        })
      }
      await trying
      return isFailing
    },
  }
}

/** Takes new room on the disk and gives it back: a row for an old page would prove nothing. */
async function probe(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  const broke = (): void => {
    // the statement under way fails with the same error
  }
  client.on('error', broke)
  try {
    await client.query('begin')
    await client.query("set local lock_timeout = '2s'")
    await client.query('create table write_probe (filler bytea)')
    await client.query('alter table write_probe alter column filler set storage external')
    const filler = Array.from({ length: PROBE_ROWS }, () => randomBytes(PROBE_BYTES))
    await client.query('insert into write_probe select unnest($1::bytea[])', [filler])
  } finally {
    // closing the connection rolls back, also where the database does not answer any more
    client.release(true)
  }
}
