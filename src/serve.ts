// Starts the server and stops it gracefully. Called by main.ts and by the command `serve`.
import type { Logger } from 'pino'
import { buildApp } from './app.js'
import { type Config, ConfigError, readConfig } from './config.js'
import { createDeps, type Deps } from './deps.js'
import { createLog } from './log.js'
import { forgetAddress, noteAddress } from './store/address-note.js'
import { type Database, openDatabase } from './store/database.js'
import { DatabaseError } from './store/database-error.js'
import { checkMasterKey } from './store/master-key.js'
import { prepareSchema } from './store/migrate.js'

const STOP_MS = 10_000
const SWEEP_MS = 60_000

/** Runs until a signal comes. Every fault of the start is one clear sentence and exit code 1. */
export async function serve(): Promise<void> {
  try {
    const config = readConfig()
    await run(config)
  } catch (error) {
    for (const line of startFaults(error)) process.stderr.write(`fiskalwerk: ${line}\n`)
    process.exit(1)
  }
}

/** A signal during the start is remembered until there is something to stop. */
async function run(config: Config): Promise<void> {
  const log = createLog(config.LOG_LEVEL, process.stdout.isTTY)
  const asked = firstSignal()
  void asked.then((signal) => {
    log.info(`${signal}: finishing what runs, then stopping`)
    limitStop(log)
  })
  const running = await start(config, log)
  void asked.then(async () => process.exit(await shutDown(running)))
}

interface Running {
  app: Awaited<ReturnType<typeof buildApp>>
  deps: Deps
  database: Database
  log: Logger
  /** Where it listens. */
  address: string
  sweep: NodeJS.Timeout
}

async function start(config: Config, log: Logger): Promise<Running> {
  const database = await openDatabase({
    dataDir: config.DATA_DIR,
    databaseUrl: config.DATABASE_URL,
    log,
    onLost: (error) => {
      log.fatal(error.message)
      process.exit(1)
    },
  })
  try {
    await prepareSchema(database.poolConfig, { log, apply: config.MIGRATE_ON_START })
    const deps = await createDeps({ config, log, database })
    await checkMasterKey(deps.store)
    const app = await buildApp(deps)
    const address = await app.listen({ host: config.HOST, port: config.PORT })
    noting(log, () => noteAddress(config.DATA_DIR, address))
    greet(config, address)
    return { app, deps, database, log, address, sweep: sweep(deps, log) }
  } catch (error) {
    await database.stop()
    throw error
  }
}

/**
 * Items that a crash left unfinished are named in the journal: now, and those of today's crashes
 * later.
 */
function sweep(deps: Deps, log: Logger): NodeJS.Timeout {
  const work = (): void => {
    deps.signing.noteUnfinished().catch((error: unknown) => {
      log.warn({ err: error }, 'unfinished items are noted later')
    })
  }
  work()
  return setInterval(work, SWEEP_MS).unref()
}

/** Later ones change nothing: npm hands Ctrl-C on, so it comes twice. SIGHUP: no terminal left. */
function firstSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, () => resolve(name))
  })
}

function limitStop(log: Logger): void {
  const late = setTimeout(() => {
    log.error('stopping took too long')
    process.exit(1)
  }, STOP_MS)
  late.unref()
}

/** The note of the address is for convenience: a full disk must not stop anything over it. */
function noting(log: Logger, work: () => void): void {
  try {
    work()
  } catch (error) {
    log.warn({ err: error }, 'the address could not be noted in DATA_DIR')
  }
}

/** Running requests end first, then the pool, then the database. */
async function shutDown({ app, deps, database, log, address, sweep }: Running): Promise<number> {
  noting(log, () => forgetAddress(deps.config.DATA_DIR, address))
  clearInterval(sweep)
  try {
    await app.close()
    await deps.signing.drained()
    await deps.store.close()
    await database.stop()
    return 0
  } catch (error) {
    log.error({ err: error }, 'stopping failed')
    return 1
  }
}

function greet(config: Config, address: string): void {
  const url = config.PUBLIC_URL ?? address
  process.stdout.write(
    `\nfiskalwerk is ready (${config.ENVIRONMENT})\n` +
      `  address        ${url}\n` +
      `  documentation  ${url}/docs\n` +
      '  first receipt  npx fiskalwerk demo\n\n',
  )
}

function startFaults(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.faults
  if (error instanceof DatabaseError) return [error.message]
  const { code, port, message } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE') return [`port ${port} is taken: set PORT to another one.`]
  if (code === 'EACCES' && port !== undefined) {
    return [`port ${port} may not be used by this user: set PORT to one above 1023.`]
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return ['HOST is no address of this machine: leave it out, or set it to 0.0.0.0 for all.']
  }
  return [error instanceof Error ? message : String(error)]
}
