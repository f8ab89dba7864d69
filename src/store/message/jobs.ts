// The rows of the job queue: adding one within a caller's transaction, looking at what waits or has
// failed, and freeing what a dead server held.
import pg from 'pg'
import { JOB_SCHEMA } from '../../postgres/job-schema.js'
import type { Store } from '../client.js'
import { RUNNER_CLASS } from '../operation/operation-line.js'

export interface NewJob {
  /** Its handler, by the table of jobs/tasks.ts. */
  task: string
  /** No secrets and no personal data: it lies there in clear. */
  payload: object
  /** A second job of the same key replaces one that waits. */
  key: string
  /** Tries until it counts as failed for good. */
  attempts: number
}

/** Commits with whatever else the connection's transaction writes. */
export async function addJob(
  on: Pick<pg.PoolClient, 'query'>,
  { task, payload, key, attempts }: NewJob,
): Promise<void> {
  await on.query(`select ${JOB_SCHEMA}.add_job($1, $2::json, max_attempts => $3, job_key => $4)`, [
    task,
    JSON.stringify(payload),
    attempts,
    key,
  ])
}

/** Connections of the queue: one that listens, and one for each job that begins or ends. */
export const JOB_CONNECTIONS = 4
const STATEMENT_MS = 5_000

/** A pool of its own: the library wants 64-bit ids as text, and listens on one all the time. */
export function openJobPool(store: Store, onBroken: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({
    ...store.connection,
    max: JOB_CONNECTIONS,
    connectionTimeoutMillis: STATEMENT_MS,
    statement_timeout: STATEMENT_MS,
    query_timeout: STATEMENT_MS + 1_000,
    keepAlive: true,
  })
  pool.on('error', onBroken)
  // a connection that breaks while it is in use says so besides the failing statement
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    releaseOnce(client)
  })
  return pool
}

/**
 * The library gives a connection back twice where it breaks while it is given back, and looks at
 * neither of the two; the second time says nothing here instead of being a fault that nobody
 * catches.
 */
function releaseOnce(client: pg.PoolClient): void {
  let release = client.release
  Object.defineProperty(client, 'release', {
    get: () => release,
    // the pool sets it whenever it gives the connection out
    set: (given: typeof release) => {
      let isDone = false
      release = (reason) => {
        if (isDone) return
        isDone = true
        given.call(client, reason)
      }
    },
  })
}

/** Whether the server process of this number is alive, as SQL. */
export const runnerAlive = (runner: string): string =>
  `exists (select from pg_locks l where l.locktype = 'advisory' and l.granted
    and l.classid = ${RUNNER_CLASS} and l.objid = ${runner} and l.objsubid = 2)`

const HOLDER = 'fiskalwerk-'

/** How a server's jobs are locked; others see by the number whether it lives. */
export const holderOf = (runner: number): string => `${HOLDER}${runner}`

/** A job that is taken and not begun after this time was lost with the answer of its statement. */
const LOST_SECONDS = 10

/**
 * Gives back what a server that died had taken, and what this one took without knowing of it; the
 * library alone would wait four hours. Returns how many jobs.
 */
export async function freeJobs(
  store: Store,
  { runner, running }: { runner: number; running: readonly string[] },
): Promise<number> {
  const { rowCount } = await store.pool.query(
    `update ${JOB_SCHEMA}._private_jobs set locked_by = null, locked_at = null
     where locked_by like '${HOLDER}%' and case when locked_by = $1
       then not id = any($2::bigint[]) and locked_at < now() - interval '${LOST_SECONDS} seconds'
       else not ${ALIVE} end`,
    [holderOf(runner), running],
  )
  await store.pool.query(FREE_ORDERS)
  await store.pool.query(DROP_REPLACED)
  return rowCount ?? 0
}

const ALIVE = runnerAlive(`substr(locked_by, ${HOLDER.length + 1})::bigint`)

/** Jobs that come one after another: an order is held as long as one of its jobs is. */
const FREE_ORDERS = `
update ${JOB_SCHEMA}._private_job_queues q set locked_by = null, locked_at = null
where locked_by like '${HOLDER}%'
  and (locked_at < now() - interval '${LOST_SECONDS} seconds' or not ${ALIVE})
  and not exists (select from ${JOB_SCHEMA}._private_jobs j
    where j.job_queue_id = q.id and j.locked_by = q.locked_by)`

/**
 * While one runs, a second job of its key takes the key over, and the first has no further try.
 * Where its server died it would be listed as failed for good, and is neither: the second one has
 * its work. Every job is added with a key.
 */
const DROP_REPLACED = `
delete from ${JOB_SCHEMA}._private_jobs
where key is null and locked_at is null and attempts >= max_attempts`

export interface ShownJob {
  id: string
  task: string
  state: 'waiting' | 'running' | 'failed'
  attempts: number
  /** The next try. */
  runAt: Date
  error: string | null
}

/** What waits, runs or has failed, without the jobs of messages: those are listed as messages. */
export async function listJobs(store: Store, most: number): Promise<ShownJob[]> {
  const { rows } = await store.pool.query<ShownJob>(
    `select id::text, task_identifier as task, attempts, run_at as "runAt", last_error as error,
       case when attempts >= max_attempts then 'failed' when locked_at is null then 'waiting'
         else 'running' end as state
     from ${JOB_SCHEMA}.jobs where key is null or key not like 'message:%'
     order by id limit $1`,
    [most],
  )
  return rows
}

/** Lets a job run now, with all its tries again; false when it is not there or runs. */
export async function retryJob(store: Store, id: string): Promise<boolean> {
  const { rowCount } = await store.pool.query(
    `select from ${JOB_SCHEMA}.reschedule_jobs(array[$1::bigint], run_at => now(), attempts => 0)`,
    [id],
  )
  return rowCount === 1
}
