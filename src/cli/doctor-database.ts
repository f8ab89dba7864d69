// What the doctor asks the database: what it is, what its role may do, whether its clock agrees.
import { missingMigrations } from '../postgres/migrate.js'
import { unawaited } from '../postgres/suitable.js'
import type { Store } from '../store/client.js'
import { checkMasterKey } from '../store/master-key.js'
import { type DatabaseFacts, databaseFacts } from '../store/operation/database-facts.js'
import type { Opened } from './command.js'
import { type Check, check } from './doctor-check.js'
import { sentenceOf } from './sentence.js'

export async function closedStore<T>(store: Store, work: (store: Store) => Promise<T>): Promise<T> {
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

interface DatabaseFindings {
  checks: Check[]
  /** Whether the rest can be asked. */
  isCurrent: boolean
}

export async function databaseChecks(
  { database, config }: Opened,
  store: Store,
): Promise<DatabaseFindings> {
  const facts = await databaseFacts(store)
  const checks = [
    check('database', 'ok', `PostgreSQL ${facts.version}, fsync and full_page_writes on`),
    standbyCheck(facts, config.production),
    roleCheck(facts, database.embedded),
    connectionCheck(facts, config.DATABASE_POOL),
    clockCheck(facts.clockMs),
  ]
  const missing = await missingMigrations(database.poolConfig)
  if (missing.length > 0) {
    const text = `${missing.length} migrations are missing, first ${missing[0]}`
    const next = 'Run npx fiskalwerk migrate, or start the server with MIGRATE_ON_START=true.'
    const state = config.MIGRATE_ON_START ? 'warn' : 'bad'
    return { checks: [...checks, check('migrations', state, text, next)], isCurrent: false }
  }
  checks.push(check('migrations', 'ok', 'all are applied'))
  const [key] = await Promise.allSettled([checkMasterKey(store)])
  const next = 'Set MASTER_KEY to the key that the database was sealed with.'
  if (key.status === 'fulfilled') checks.push(check('master key', 'ok', 'opens the database'))
  else checks.push(check('master key', 'bad', sentenceOf(key.reason), next))
  return { checks, isCurrent: key.status === 'fulfilled' }
}

export function standbyCheck(
  facts: Pick<DatabaseFacts, 'synchronousCommit' | 'standbys'>,
  production: boolean,
): Check {
  const { synchronousCommit, standbys } = facts
  const early = unawaited(facts)
  if (early !== undefined) {
    const wanted = 'Set synchronous_commit to on, for the server and for the role.'
    return check('durability', synchronousCommit === 'local' ? 'bad' : 'warn', early, wanted)
  }
  const text =
    standbys === ''
      ? `commits wait for this disk only (synchronous_commit ${synchronousCommit})`
      : `commits wait for a standby as well (${standbys})`
  const isAlone = standbys === '' && production
  const next = 'A disk that breaks loses receipts: see docs/operations/high-availability.md.'
  return check('durability', isAlone ? 'warn' : 'ok', text, next)
}

function roleCheck({ role, isSuperuser, mayCreate }: DatabaseFacts, embedded: boolean): Check {
  if (!mayCreate) {
    const next = 'Let the role own the database: alter database … owner to …'
    return check('role', 'bad', `${role} may not create schemas in this database`, next)
  }
  if (!isSuperuser || embedded) return check('role', 'ok', `${role} may do what it has to`)
  const next = 'Use a role that owns the database and is no superuser.'
  return check('role', 'warn', `${role} is a superuser: it could change receipts`, next)
}

/** Jobs and operations have connections beside the pool. */
const BESIDE = 5

function connectionCheck({ mostConnections }: DatabaseFacts, pool: number): Check {
  const wanted = pool + BESIDE
  const text = `the database takes ${mostConnections}, each server opens up to ${wanted}`
  const next = 'Raise max_connections, or lower DATABASE_POOL.'
  return check('connections', wanted * 2 > mostConnections ? 'warn' : 'ok', text, next)
}

const OFF_MS = 1_000
const FAR_MS = 60_000

export function clockCheck(ms: number): Check {
  const off = Math.abs(ms)
  const text = `this machine and the database differ by ${(off / 1000).toFixed(1)} s`
  const next = 'Let both machines take their time from NTP (chrony, systemd-timesyncd).'
  if (off < OFF_MS) return check('clock', 'ok', text)
  return check('clock', off < FAR_MS ? 'warn' : 'bad', text, next)
}
