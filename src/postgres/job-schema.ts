// The tables and functions of the job queue, a schema of their own that graphile-worker brings.
import pg from 'pg'
import { DatabaseError } from './database-error.js'
import { isLate, type Statements, unanswered } from './patient-client.js'

/** Where the queue lives; a setting of the library's own must not move it. */
export const JOB_SCHEMA = 'graphile_worker'

/** The newest of the library's migrations in the release that is installed. */
const NEWEST = 19
/** Its tables are small: a statement that takes longer has no answer any more. */
const STATEMENT_MS = 20_000

/** Brings the schema up. Throws DatabaseError; a newer one than ours is left alone. */
export async function migrateJobs(client: Statements, config: pg.ClientConfig): Promise<boolean> {
  if ((await jobMigration(client)) >= NEWEST) return false
  // loaded where it has work to do: commands start faster without it
  const { Logger, runMigrations } = await import('graphile-worker')
  const pool = new pg.Pool({
    ...{ ...config, max: 1 },
    ...{ connectionTimeoutMillis: STATEMENT_MS, query_timeout: STATEMENT_MS },
  })
  const broke = (): void => {
    // the statement under way has failed with the same error
  }
  pool.on('error', broke)
  pool.on('connect', (one) => one.on('error', broke))
  try {
    const logger = new Logger(() => () => undefined)
    await runMigrations({ pgPool: pool, schema: JOB_SCHEMA, logger })
    return true
  } catch (error) {
    if (isLate(error)) throw unanswered()
    const reason = error instanceof Error ? error.message : String(error)
    throw new DatabaseError(
      'migration',
      `The schema ${JOB_SCHEMA} of the job queue cannot be brought up: ${reason}.`,
    )
  } finally {
    await pool.end()
  }
}

/** False where a server that may not migrate would find no queue. */
export async function hasJobs(client: Statements): Promise<boolean> {
  return (await jobMigration(client)) >= NEWEST
}

async function jobMigration(client: Statements): Promise<number> {
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('${JOB_SCHEMA}.migrations') is not null as there`,
  )
  if (rows[0]?.there !== true) return 0
  const { rows: newest } = await client.query<{ id: number | null }>(
    `select max(id)::int as id from ${JOB_SCHEMA}.migrations`,
  )
  return newest[0]?.id ?? 0
}
