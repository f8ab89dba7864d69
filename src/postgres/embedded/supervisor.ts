// Keeps PostgreSQL up while our server runs, and keeps other servers off the data folder. One idle
// connection holds the lock and notices when PostgreSQL dies.
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { DatabaseError } from '../database-error.js'
import { type OpenCluster, startAndLogIn } from './embedded.js'
import { stopPostmaster } from './postmaster.js'
import { takeServerLock } from './server-lock.js'

/** Told when another server took the data folder meanwhile: this process has to end. */
export type LostHandler = (error: DatabaseError) => void

const RETRY_MS = 100
const RETRY_LONGEST_MS = 2_000

/** Takes the lock. Throws DatabaseError when another server has it, and closes the connection. */
export async function supervise(cluster: OpenCluster, onLost: LostHandler): Promise<Supervisor> {
  await lockOrClose(cluster.client, cluster)
  return new Supervisor(cluster, onLost)
}

export class Supervisor {
  private readonly cluster: OpenCluster
  private readonly onLost: LostHandler
  private client: pg.Client
  private ended = false
  private recovery: Promise<void> | undefined

  constructor(cluster: OpenCluster, onLost: LostHandler) {
    this.cluster = cluster
    this.onLost = onLost
    this.client = this.watch(cluster.client)
  }

  /** Gives the lock back and stops PostgreSQL. Pools have to be ended before. */
  async stop(): Promise<void> {
    if (this.ended) return
    this.ended = true
    await this.recovery
    await this.client.end()
    await stopPostmaster(this.cluster.places, this.cluster.log)
  }

  private watch(client: pg.Client): pg.Client {
    return client.once('end', () => {
      if (!this.ended) this.recovery = this.recover()
    })
  }

  /** Never gives up: a full disk may be emptied, a folder may come back. */
  private async recover(): Promise<void> {
    const { log } = this.cluster
    const from = performance.now()
    log.warn(
      'The connection that watches PostgreSQL broke; if PostgreSQL died, it is started again',
    )
    for (let pauseMs = RETRY_MS; !this.ended; pauseMs = Math.min(2 * pauseMs, RETRY_LONGEST_MS)) {
      const error = await this.reconnect()
      if (error === undefined) {
        log.info(`PostgreSQL is back after ${Math.round(performance.now() - from)} ms`)
        return
      }
      if (error instanceof DatabaseError && error.fault === 'another-server') {
        this.ended = true
        return this.onLost(error)
      }
      log.error(`PostgreSQL is still away: ${error.message}`)
      await sleep(pauseMs)
    }
  }

  /** What went wrong, or undefined. */
  private async reconnect(): Promise<Error | undefined> {
    try {
      const { client } = await startAndLogIn(this.cluster)
      await lockOrClose(client, this.cluster)
      this.client = this.watch(client)
      return undefined
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  }
}

async function lockOrClose(client: pg.Client, cluster: OpenCluster): Promise<void> {
  try {
    await takeServerLock(client, cluster.places.dataDir)
  } catch (error) {
    await client.end()
    throw error
  }
}
