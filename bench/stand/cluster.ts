// The database of a bench run: a PostgreSQL of its own, as durable as in real use, gone at the end.
import * as fs from 'node:fs'
import pg from 'pg'
import { makeThrowAwayFolder, removeThrowAwayFolder } from '../../scripts/throw-away-cluster.js'
import { openDatabase } from '../../src/postgres/database.js'
import { SUPERUSER } from '../../src/postgres/embedded/cluster.js'
import { migrate } from '../../src/postgres/migrate.js'
import { parentOf } from './process-figures.js'

export interface Cluster {
  config: pg.ClientConfig
  /** For DATABASE_URL of the server under test. */
  url: string
  version: string
  /** Process id of the postmaster. */
  postmaster: number
  /**
   * Lets the database use the files of its log again. A young one makes new ones, 16 MB of zeros at
   * a time while every commit waits; one that has been at work for a while does not.
   */
  settle(): Promise<void>
  stop(): Promise<void>
}

const quiet = { info: () => undefined, warn: console.warn, error: console.error }

/** Throws when the temporary folder is memory: a journal there would be too fast to be true. */
export async function startCluster(): Promise<Cluster> {
  const folder = makeThrowAwayFolder()
  try {
    refuseMemory(folder)
    const database = await openDatabase({ dataDir: folder, log: quiet })
    await migrate(database.poolConfig, quiet)
    return {
      config: database.poolConfig,
      url: urlOf(database.poolConfig),
      version: await versionOf(database.poolConfig),
      postmaster: await postmasterOf(database.poolConfig),
      settle: () => checkpoint(database.poolConfig),
      stop: async () => {
        await database.stop()
        await removeThrowAwayFolder(folder)
      },
    }
  } catch (error) {
    await removeThrowAwayFolder(folder)
    throw error
  }
}

const TMPFS = 0x0102_1994

function refuseMemory(folder: string): void {
  if (fs.statfsSync(folder).type !== TMPFS) return
  throw new Error('the temporary folder is kept in memory; set TMPDIR to a folder on a disk')
}

function urlOf({ host = '', port = 5432, user = '', password, database }: pg.ClientConfig): string {
  const secret = typeof password === 'string' ? `:${encodeURIComponent(password)}` : ''
  // a host in the query may be a socket folder
  return (
    `postgresql://${user}${secret}@localhost/${database}` +
    `?host=${encodeURIComponent(host)}&port=${port}`
  )
}

async function versionOf(config: pg.ClientConfig): Promise<string> {
  return asking(config, async (client) => {
    const found = await client.query<{ server_version: string }>('show server_version')
    return found.rows[0]?.server_version ?? ''
  })
}

/** The parent of the process that serves a connection. */
async function postmasterOf(config: pg.ClientConfig): Promise<number> {
  return asking(config, async (client) => {
    const found = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    return parentOf(found.rows[0]?.pid ?? 0) ?? 0
  })
}

async function checkpoint(config: pg.ClientConfig): Promise<void> {
  const superuser = { ...config, user: SUPERUSER, database: 'template1' }
  await asking(superuser, (client) => client.query('checkpoint'))
}

/** Runs work on a connection of its own. */
export async function asking<T>(
  config: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(config)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
