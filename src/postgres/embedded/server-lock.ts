// Who works on a data folder: a server holds a session lock, everyone else is just connected.
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { DatabaseError } from '../database-error.js'

/** Key of the lock that says "a server works on this data folder": the letters `fiskal`. */
const SERVER_LOCK = '112603094016364'

const PATIENCE_MS = 500
const PAUSE_MS = 25

/** Holds as long as the connection lives. Throws DatabaseError when another server has it. */
export async function takeServerLock(client: pg.Client, dataDir: string): Promise<void> {
  // a server that was killed lets go within milliseconds, one that works does not
  for (
    const from = performance.now();
    performance.now() - from < PATIENCE_MS;
    await sleep(PAUSE_MS)
  ) {
    const sql = 'select pg_try_advisory_lock($1) as taken'
    const { rows } = await client.query<{ taken: boolean }>(sql, [SERVER_LOCK])
    if (rows[0]?.taken) return
  }
  throw new DatabaseError(
    'another-server',
    `another fiskalwerk server already runs on the data folder ${dataDir}: ` +
      'stop it first, or set DATA_DIR to another folder.',
  )
}

const OTHERS = `
  select exists (select from pg_locks
                 where locktype = 'advisory' and granted
                   and (classid::int8 << 32 | objid::int8) = $1::int8) as server,
         exists (select from pg_stat_activity
                 where usesysid is not null and datid is not null
                   and pid <> pg_backend_pid()) as others`

/** False while a server or another tool is connected. */
export async function worksAlone(client: pg.Client): Promise<boolean> {
  // connections that were just closed stay visible for some milliseconds, so it asks more than once
  for (
    const from = performance.now();
    performance.now() - from < PATIENCE_MS;
    await sleep(PAUSE_MS)
  ) {
    const { rows } = await client.query<{ server: boolean; others: boolean }>(OTHERS, [SERVER_LOCK])
    if (rows[0]?.server) return false
    if (!rows[0]?.others) return true
  }
  return false
}
