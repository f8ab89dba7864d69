// A connection whose statements take as long as they need: a migration of a large table, the wait
// for one that another server makes. Whether PostgreSQL is still at work is looked at over another
// connection meanwhile, since a network that has fallen silent ends no connection.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { DatabaseError, errorCode } from './database-error.js'
import { closed, KEEP_ALIVE } from './lone-client.js'

/** Between two looks, and as long as each step of a look may take. */
const LOOK_MS = 5_000
/** A machine with too much to do may take so many looks for a new connection. */
const CONNECT_LOOKS = 4
/**
 * What a look counts, until it is enough: one look alone may have come between the end of a
 * statement and its answer, and a machine with too much to do misses some.
 */
const COUNTS = { idle: 3, silent: 1 }
const ENOUGH = 6
/** All connections are taken: nothing is known then. */
const FULL = '53300'

const WORKS = `
  select pid from pg_stat_activity where pid = $1 and state = 'active'`

export interface Statements {
  query<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<pg.QueryResult<R>>
}

/** Close it: locks go with the session. */
export interface PatientClient extends Statements {
  close(): Promise<void>
}

/**
 * Rejects with the fault of the connection where none comes about. Statements reject with
 * DatabaseError where PostgreSQL does not work on them any more and has not answered either.
 * `lookMs` is for tests.
 */
export async function patientClient(
  config: pg.ClientConfig,
  lookMs: number = LOOK_MS,
): Promise<PatientClient> {
  const own = { ...config, keepAlive: true }
  const connectMs = CONNECT_LOOKS * lookMs
  const client = new pg.Client({ ...own, connectionTimeoutMillis: connectMs })
  // statements tell it
  client.on('error', () => undefined)
  try {
    await client.connect()
  } catch (error) {
    await closed(client)
    throw isLate(error) ? unanswered() : error
  }
  const watch = {
    config: { ...own, connectionTimeoutMillis: lookMs, query_timeout: lookMs },
    lookMs,
  }
  let pid = 0
  const query: Statements['query'] = async (text, values) => {
    const over = new AbortController()
    const answered = client.query(text, values)
    const lost = whenLost(watch, () => pid, over.signal)
    void Promise.allSettled([answered, lost])
    try {
      return (await Promise.race([answered, lost])) as Awaited<typeof answered>
    } finally {
      over.abort()
    }
  }
  const close = () => closed(client)
  try {
    await query(KEEP_ALIVE)
    const { rows } = await query<{ pid: number }>('select pg_backend_pid() as pid')
    pid = rows[0]?.pid ?? 0
  } catch (error) {
    await close()
    throw error
  }
  return { query, close }
}

interface Watch {
  config: pg.ClientConfig
  lookMs: number
}

/** Never resolves. */
async function whenLost(watch: Watch, pid: () => number, signal: AbortSignal): Promise<never> {
  for (let count = 0; count < ENOUGH; ) {
    await sleep(watch.lookMs, undefined, { signal })
    const seen = await lookAt(watch, pid())
    count = seen === 'works' ? 0 : count + COUNTS[seen]
  }
  throw unanswered()
}

/** A limit of `pg` or of the system; where PostgreSQL has one of its own, it has answered. */
export const isLate = (error: unknown): boolean =>
  errorCode(error) === 'ETIMEDOUT' ||
  (error instanceof Error && errorCode(error) === '' && /timeout/i.test(error.message))

export function unanswered(): DatabaseError {
  const next = 'check the network between it and this server, and start again'
  return new DatabaseError('unreachable', `The database does not answer any more: ${next}.`)
}

async function lookAt({ config }: Watch, pid: number): Promise<'works' | keyof typeof COUNTS> {
  const client = new pg.Client(config)
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rowCount } = await client.query(WORKS, [pid])
    return rowCount === 1 ? 'works' : 'idle'
  } catch (error) {
    return errorCode(error) === FULL ? 'works' : 'silent'
  } finally {
    await closed(client)
  }
}
