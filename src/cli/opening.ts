// What a command opens, and how it is closed again: at its end, and when Ctrl-C comes before.
// Called by run.ts, once per command.
import { readConfig } from '../config.js'
import { createStore } from '../deps.js'
import { createLog } from '../log.js'
import { type Database, openDatabase } from '../store/database.js'
import { prepareSchema } from '../store/migrate.js'
import type { Context, Opened } from './command.js'

/** Exit code of a command that was interrupted, as shells count it. */
const INTERRUPTED = 130

export class Opening {
  private readonly closers: (() => Promise<void>)[] = []

  /** The database, in use by a server or not; its schema as it is. */
  async database(): Promise<Opened> {
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
  async context(): Promise<Context> {
    const opened = await this.database()
    const { config, log, database } = opened
    await prepareSchema(database.poolConfig, { log, apply: config.MIGRATE_ON_START })
    const store = await createStore(opened)
    this.closers.push(() => store.close())
    return { ...opened, store }
  }

  /** The last one first. */
  async close(): Promise<void> {
    for (const close of this.closers.splice(0).reverse()) await close()
  }

  /** A PostgreSQL that this command has started must not outlive it. */
  private async opened(options: Parameters<typeof openDatabase>[0]): Promise<Database> {
    const opening = openDatabase(options)
    this.closeOnSignal(opening)
    const database = await opening
    this.closers.push(() => database.stop())
    return database
  }

  private closeOnSignal(opening: Promise<unknown>): void {
    let again = false
    const end = async (): Promise<void> => {
      if (again) process.exit(INTERRUPTED)
      again = true
      await Promise.allSettled([opening])
      await this.close()
    }
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      process.on(name, () => void end().finally(() => process.exit(INTERRUPTED)))
    }
  }
}
