// A place where servers run and die: a durable PostgreSQL (embedded, or beside them), tills, and at
// the end the look at everything that is stored.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeThrowAwayFolder, removeThrowAwayFolder } from '../../scripts/throw-away-cluster.js'
import { checkData } from '../../src/core/audit/check/check.js'
import { openDatabase } from '../../src/postgres/database.js'
import { openCluster } from '../../src/postgres/embedded/embedded.js'
import { migrate } from '../../src/postgres/migrate.js'
import { postmasterOf, quietLog } from './data-folder.js'
import { faultsOfDevices } from './de/stored-logs.js'
import { connected, readLedger, verifyLedger } from './ledger.js'
import type { Load } from './load.js'
import { prepareCluster } from './prepared-cluster.js'
import { freePort, Server } from './server.js'
import type { TestSettings } from './settings.js'
import { createTills, openStand, type Stand, type Till, type TillOptions } from './stand.js'

export interface SiteOptions {
  tills: number
  /**
   * A PostgreSQL of its own that several servers share, or the address of one; else the embedded
   * one of the server.
   */
  external?: boolean | string
  till?: TillOptions
}

export class Site {
  readonly folder: string
  readonly tills: Till[] = []
  private readonly masterKey = randomBytes(32)
  private databaseUrl = ''

  private constructor() {
    this.folder = prepareCluster(makeThrowAwayFolder())
  }

  static async make({ tills, external, till }: SiteOptions): Promise<Site> {
    const site = new Site()
    if (external === true) await site.startCluster()
    else if (typeof external === 'string') site.databaseUrl = external
    await site.more(tills, till)
    return site
  }

  /** Further tills; no server runs meanwhile. */
  async more(count: number, options?: TillOptions): Promise<void> {
    await this.look(async (stand) => {
      this.tills.push(...(await createTills(stand, count, options)))
    })
  }

  /** Everything is looked at there from now on. */
  moveTo(databaseUrl: string): void {
    this.databaseUrl = databaseUrl
  }

  async remove(): Promise<void> {
    await removeThrowAwayFolder(this.folder)
  }

  /** Settings of one more server; each gets a port that it keeps. */
  async settings(more: TestSettings = {}): Promise<TestSettings> {
    return {
      DATA_DIR: this.folder,
      DATABASE_URL: this.databaseUrl,
      MASTER_KEY: this.masterKey.toString('base64'),
      PORT: String(await freePort()),
      ...more,
    }
  }

  async serve(settings?: TestSettings): Promise<Server> {
    return Server.start(settings ?? (await this.settings()))
  }

  /** Process number of the embedded PostgreSQL. */
  get postmaster(): number {
    const pid = postmasterOf(this.folder)
    if (pid === undefined) throw new Error('PostgreSQL does not run')
    return pid
  }

  /**
   * Kills the embedded PostgreSQL under a server; milliseconds until the server is healthy again,
   * with a new one: what is left of the old one may answer for another moment.
   */
  async killDatabase(server: Server, patienceMs: number): Promise<number> {
    const from = performance.now()
    const old = this.postmaster
    process.kill(old, 'SIGKILL')
    while (performance.now() - from < patienceMs) {
      const now = postmasterOf(this.folder)
      if (now !== undefined && now !== old) break
      await sleep(5)
    }
    await server.ready(patienceMs)
    return performance.now() - from
  }

  /** Work on the database, beside a server or alone. */
  async look<T>(work: (stand: Stand) => Promise<T>): Promise<T> {
    const database = await openDatabase({
      dataDir: this.folder,
      databaseUrl: this.databaseUrl,
      mode: 'tool',
      log: quietLog,
    })
    try {
      await migrate(database.poolConfig, quietLog)
      const stand = openStand(database.poolConfig, { masterKey: this.masterKey })
      try {
        return await work(stand)
      } finally {
        await stand.close()
      }
    } finally {
      await database.stop()
    }
  }

  /**
   * Everything that must hold after any crash: what the checker and the independent reader of the
   * ledger say, every answer that a caller got, and no receipt made twice. Empty when all of it
   * holds.
   */
  async faults(load: Load): Promise<string[]> {
    return this.look(async (stand) => {
      const faults: string[] = []
      await checkData(stand.deps, (violation) => faults.push(JSON.stringify(violation)))
      const client = await connected(stand.connection)
      for (const till of this.tills) {
        const ledger = await readLedger(client, till.queueId)
        try {
          verifyLedger(ledger, stand.store.sealer)
        } catch (error) {
          faults.push(`queue ${till.queueId}: ${String(error)}`)
        }
        faults.push(...load.missing(ledger), ...load.doubled(ledger))
      }
      faults.push(...(await faultsOfDevices(client)))
      await client.end()
      return faults
    })
  }

  private async startCluster(): Promise<void> {
    const cluster = await openCluster({ dataDir: this.folder, durable: true, log: quietLog })
    const { host } = cluster.places.endpoint
    await cluster.client.end()
    this.databaseUrl = `postgresql://fiskalwerk@${encodeURIComponent(host)}/fiskalwerk`
  }
}
