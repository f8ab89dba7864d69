// What a command opens and closes again. Ctrl-C lets it finish, which takes a moment: what it has
// begun is done or refused, and no PostgreSQL stays behind. Settings and database are loaded by
// commands that open them.
import { unoptimized } from '../lib/unoptimized.js'
import type { Database, OpenOptions } from '../postgres/database.js'
import type { Context, Opened } from './command.js'

/** Exit code of a command that was interrupted, as shells count it. */
export const INTERRUPTED = 130
const PATIENCE_MS = 10_000
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

export class Opening {
  /** A signal came. */
  interrupted = false
  private readonly closers: (() => Promise<void>)[] = []

  /** The database, in use by a server or not; its schema as it is. */
  database(): Promise<Opened> {
    return unoptimized(() => this.loadedDatabase())
  }

  private async loadedDatabase(): Promise<Opened> {
    const { readConfig } = await import('../config.js')
    const { createLog } = await import('../log.js')
    const config = readConfig()
    const log = createLog('silent', false)
    const database = await this.opened({
      dataDir: config.DATA_DIR,
      databaseUrl: config.DATABASE_URL,
      log,
      mode: 'tool',
    })
    return { config, log, database }
  }

  /** The same with its schema up to date, and everything that stories need. */
  context(): Promise<Context> {
    return unoptimized(() => this.loadedContext())
  }

  private async loadedContext(): Promise<Context> {
    const { prepareSchema } = await import('../postgres/migrate.js')
    const { createStore } = await import('../deps/store.js')
    const { checkMasterKey } = await import('../store/master-key.js')
    const opened = await this.loadedDatabase()
    const { config, log, database } = opened
    await prepareSchema(database.poolConfig, { log, apply: config.MIGRATE_ON_START })
    const store = await createStore(opened)
    this.closers.push(() => store.close())
    await checkMasterKey(store)
    return { ...opened, store }
  }

  /** The last one first. */
  async close(): Promise<void> {
    for (const close of this.closers.splice(0).reverse()) await close()
  }

  /** A PostgreSQL that this command has started must not outlive it: it is not killed midway. */
  private async opened(options: OpenOptions): Promise<Database> {
    const interrupt = (): void => {
      this.interrupted = true
      setTimeout(() => process.exit(INTERRUPTED), PATIENCE_MS).unref()
    }
    for (const name of SIGNALS) process.on(name, interrupt)
    this.closers.push(async () => {
      for (const name of SIGNALS) process.off(name, interrupt)
    })
    const { openDatabase } = await import('../postgres/database.js')
    const database = await openDatabase(options)
    this.closers.push(() => database.stop())
    return database
  }
}
