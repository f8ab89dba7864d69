// Brings the database to the newest schema: prisma/migrations in order, each in a transaction, then
// the job queue's own. Several processes may do it at once.
import { createHash, randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { DatabaseError } from './database-error.js'
import { hasJobs, migrateJobs } from './job-schema.js'
import type { StoreLog } from './log.js'
import { patientClient, type Statements } from './patient-client.js'

/** The advisory lock and the table are Prisma Migrate's own, so that its tools agree with ours. */
const MIGRATION_LOCK = 72707369

const TABLE = `
  create table if not exists _prisma_migrations (
    id varchar(36) primary key,
    checksum varchar(64) not null,
    finished_at timestamptz,
    migration_name varchar(255) not null,
    logs text,
    rolled_back_at timestamptz,
    started_at timestamptz not null default now(),
    applied_steps_count integer not null default 0
  )`

export interface Migration {
  name: string
  sql: string
  /** SHA-256 of the file in hex. */
  checksum: string
}

/** prisma/migrations, seen from src/store as well as from dist/store. */
export const migrationsFolder = fileURLToPath(new URL('../../prisma/migrations', import.meta.url))

export function readMigrations(folder: string): Migration[] {
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => readMigration(folder, entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

function readMigration(folder: string, name: string): Migration {
  const sql = fs.readFileSync(path.join(folder, name, 'migration.sql'), 'utf8')
  return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
}

/**
 * What a process does about the schema at its start: brings it up, or (`apply` false) refuses to
 * work on an older one. Throws DatabaseError.
 */
export async function prepareSchema(
  config: pg.ClientConfig,
  { log, apply }: { log: Pick<StoreLog, 'info'>; apply: boolean },
): Promise<void> {
  if (apply) {
    await migrate(config, log)
    return
  }
  const [missing] = await missingMigrations(config)
  if (missing === undefined) return
  throw new DatabaseError(
    'migration',
    `The database lacks the migration ${missing} and MIGRATE_ON_START is false: ` +
      'run npx fiskalwerk migrate first.',
  )
}

/** Names of those that this program has and the database has not. */
export async function missingMigrations(config: pg.ClientConfig): Promise<string[]> {
  const client = await patientClient(config)
  try {
    const { rows } = await client.query<{ there: boolean }>(
      "select to_regclass('_prisma_migrations') is not null as there",
    )
    const known = rows[0]?.there ? await appliedChecksums(client) : new Map<string, string>()
    const missing = readMigrations(migrationsFolder)
      .map(({ name }) => name)
      .filter((name) => !known.has(name))
    return (await hasJobs(client)) ? missing : [...missing, 'of the job queue']
  } finally {
    await client.close()
  }
}

export interface MigrationProgress {
  /** Told before each of them. */
  progress?(done: number, total: number, name: string): void
}

/**
 * Names of the migrations that were applied now, in order; [] when the schema was up to date.
 * Throws DatabaseError when a migration was changed after it was applied, or one fails; everything
 * before the failing one stays applied.
 */
export async function migrate(
  config: pg.ClientConfig,
  log: Pick<StoreLog, 'info'> & MigrationProgress,
  folder: string = migrationsFolder,
): Promise<string[]> {
  const migrations = readMigrations(folder)
  const client = await patientClient(config)
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    const applied = await applyMissing(client, migrations, log)
    if (applied.length > 0) log.info(`the database schema was brought up to ${applied.at(-1)}`)
    if (await migrateJobs(client, config)) log.info('the schema of the job queue was brought up')
    return applied
  } finally {
    // the lock goes with the session
    await client.close()
  }
}

async function applyMissing(
  client: Statements,
  migrations: Migration[],
  { progress }: MigrationProgress,
): Promise<string[]> {
  await client.query("set client_min_messages to 'warning'")
  await client.query(TABLE)
  const known = await appliedChecksums(client)
  const applied: string[] = []
  for (const [at, migration] of migrations.entries()) {
    progress?.(at, migrations.length, migration.name)
    const checksum = known.get(migration.name)
    if (checksum === undefined) {
      await apply(client, migration)
      applied.push(migration.name)
    } else if (checksum !== migration.checksum) {
      throw new DatabaseError(
        'migration',
        `The migration ${migration.name} was changed after it was applied: ` +
          'restore its file, and put changes of the schema into a new migration.',
      )
    }
  }
  return applied
}

async function appliedChecksums(client: Statements): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    `select migration_name as name, checksum from _prisma_migrations
     where finished_at is not null and rolled_back_at is null`,
  )
  return new Map(rows.map((row) => [row.name, row.checksum]))
}

async function apply(client: Statements, { name, sql, checksum }: Migration): Promise<void> {
  try {
    await client.query('begin')
    await client.query(sql)
    await client.query(
      `insert into _prisma_migrations
         (id, checksum, finished_at, migration_name, started_at, applied_steps_count)
       values ($1, $2, clock_timestamp(), $3, now(), 1)`,
      [randomUUID(), checksum, name],
    )
    await client.query('commit')
  } catch (error) {
    if (error instanceof DatabaseError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new DatabaseError('migration', `The migration ${name} failed: ${reason}.`)
  }
}
