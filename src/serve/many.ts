// The first of several processes: it has the database and the port, and keeps the others alive.
import type { Logger } from 'pino'
import type { Config } from '../config.js'
import { forgetAddress, noteAddress } from '../postgres/address-note.js'
import { openDatabase } from '../postgres/database.js'
import { prepareSchema } from '../postgres/migrate.js'
import { type NamedPort, portsOf } from './further.js'
import { startProcesses } from './processes.js'

export interface Many {
  address: string
  grpc: readonly { port: number }[]
  further: readonly { port: number }[]
  /** Resolves with the exit code when all of them have ended. */
  stop(): Promise<number>
}

/** Rejects as the start of one server does. */
export async function startMany(config: Config, log: Logger): Promise<Many> {
  const database = await openDatabase({
    ...{ dataDir: config.DATA_DIR, databaseUrl: config.DATABASE_URL, log },
    onLost: (error) => {
      log.fatal(error.message)
      process.exit(1)
    },
  })
  try {
    await prepareSchema(database.poolConfig, { log, apply: config.MIGRATE_ON_START })
    const wanted = portsOf(config)
    const processes = await startProcesses({
      ...{ count: config.PROCESSES, host: config.HOST, port: config.PORT, further: wanted, log },
      database: database.poolConfig,
    })
    const { address, ports } = processes
    const openOf = (setting: NamedPort['setting']) =>
      wanted
        .filter((one) => one.setting === setting)
        .map(({ name, port }) => ({ port: ports[name] ?? port }))
    await noted(log, () => noteAddress(config.DATA_DIR, address))
    const stop = async () => {
      await noted(log, () => forgetAddress(config.DATA_DIR, address))
      await processes.stop()
      await database.stop()
      return 0
    }
    return { address, grpc: openOf('GRPC_PORT'), further: openOf('MIDDLEWARE_PORTS'), stop }
  } catch (error) {
    await database.stop()
    throw error
  }
}

/** The note of the address is for convenience: a full disk must not stop anything over it. */
export async function noted(log: Logger, work: () => void | Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    log.warn({ err: error }, 'the address could not be noted in DATA_DIR')
  }
}
