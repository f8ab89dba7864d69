// Opens the database of this process: the one of DATABASE_URL, or the embedded one of DATA_DIR.
import type pg from 'pg'
import type { DatabaseError } from './database-error.js'
import { leaveCluster, openCluster } from './embedded/embedded.js'
import { DATABASE, loginConfig, ROLE } from './embedded/login.js'
import type { PlaceOptions } from './embedded/places.js'
import { supervise } from './embedded/supervisor.js'
import { askExternal, externalConfig } from './external.js'
import type { StoreLog } from './log.js'
import { checkSuitable } from './suitable.js'

/** How the database is reached; it can be given to another process. */
export type DatabaseConfig = pg.PoolConfig

export interface OpenOptions extends PlaceOptions {
  /** Undefined or empty: the embedded database of `dataDir`. */
  databaseUrl?: string | undefined
  log: StoreLog
  /**
   * server (default): the only one on the data folder; keeps PostgreSQL up and stops it at the end.
   * tool: works beside a server or alone; stops PostgreSQL only when nobody else is connected.
   */
  mode?: 'server' | 'tool'
  /** Another server took the data folder while PostgreSQL was down: end this process. */
  onLost?: (error: DatabaseError) => void
  /** False: accept a database that may lose data in a crash, for tests. */
  durable?: boolean
}

export interface Database {
  /** For pg.Pool and pg.Client. */
  poolConfig: DatabaseConfig
  embedded: boolean
  /** Whether an embedded PostgreSQL was at work already: a tool's, or left over by a crash. */
  adopted: boolean
  /** After all pools are ended: stops an embedded PostgreSQL, where it is ours to stop. */
  stop(): Promise<void>
}

/** Throws DatabaseError, whose message is one sentence for the person who started the program. */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const { databaseUrl = '' } = options
  return databaseUrl === '' ? openEmbedded(options) : openExternal(databaseUrl, options)
}

async function openExternal(url: string, { durable = true, log }: OpenOptions): Promise<Database> {
  const remark = await askExternal(url, (client) => checkSuitable(client, durable))
  if (remark !== undefined) log.warn(remark)
  return { poolConfig: externalConfig(url), embedded: false, adopted: false, stop: async () => {} }
}

async function openEmbedded(options: OpenOptions): Promise<Database> {
  const { durable = true, log, mode = 'server' } = options
  const cluster = await openCluster({ ...options, durable })
  const facts = {
    poolConfig: loginConfig(cluster.places.endpoint, ROLE, DATABASE),
    embedded: true,
    adopted: cluster.postmaster.adopted,
  }
  if (mode === 'tool') return { ...facts, stop: () => leaveCluster(cluster) }
  const onLost = options.onLost ?? ((error) => log.error(error.message))
  const supervisor = await supervise(cluster, onLost)
  try {
    await checkSuitable(cluster.client, durable)
  } catch (error) {
    await supervisor.stop()
    throw error
  }
  return { ...facts, stop: () => supervisor.stop() }
}
