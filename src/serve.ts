// Starts the server and stops it gracefully. Called by main.ts and by the command `serve`.
import type { Logger } from 'pino'
import { buildApp } from './app.js'
import { type Config, ConfigError, readConfig } from './config.js'
import { createDeps, type Deps } from './deps.js'
import { createLog } from './log.js'
import { type Database, openDatabase } from './store/database.js'
import { DatabaseError } from './store/database-error.js'
import { migrate } from './store/migrate.js'

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

async function run(config: Config): Promise<void> {
  const log = createLog(config.LOG_LEVEL, process.stdout.isTTY)
  const database = await openDatabase({
    dataDir: config.DATA_DIR,
    databaseUrl: config.DATABASE_URL,
    log,
    onLost: (error) => {
      log.fatal(error.message)
      process.exit(1)
    },
  })
  let running: Running | undefined
  try {
    if (config.MIGRATE_ON_START) await migrate(database.poolConfig, log)
    const deps = await createDeps({ config, log, database })
    const app = await buildApp(deps)
    running = { app, deps, database, log }
    const address = await app.listen({ host: config.HOST, port: config.PORT })
    greet(config, address)
    running.sweep = sweep(running)
  } catch (error) {
    await database.stop()
    throw error
  }
  stopOnSignal(running)
}

interface Running {
  app: Awaited<ReturnType<typeof buildApp>>
  deps: Deps
  database: Database
  log: Logger
  sweep?: NodeJS.Timeout
}

/**
 * Items that a crash left unfinished are named in the journal: now, and those of today's crashes
 * later.
 */
function sweep({ deps, log }: Running): NodeJS.Timeout {
  const work = (): void => {
    deps.signing.noteUnfinished().catch((error: unknown) => {
      log.warn({ err: error }, 'unfinished items are noted later')
    })
  }
  work()
  return setInterval(work, SWEEP_MS).unref()
}

function stopOnSignal(running: Running): void {
  let stopping = false
  const stop = (signal: string) => {
    if (stopping) return
    stopping = true
    running.log.info(`${signal}: finishing what runs, then stopping`)
    void shutDown(running).then((code) => process.exit(code))
  }
  process.on('SIGTERM', () => stop('SIGTERM'))
  process.on('SIGINT', () => stop('SIGINT'))
}

/** Running requests end first, then the pool, then the database. */
async function shutDown({ app, deps, database, log, sweep }: Running): Promise<number> {
  const late = setTimeout(() => {
    log.error('stopping took too long')
    process.exit(1)
  }, STOP_MS)
  late.unref()
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
  if (code === 'EADDRINUSE') return [`port ${port} is taken; set PORT to another one.`]
  if (code === 'EACCES' && port !== undefined) return [`port ${port} may not be used by this user.`]
  if (code === 'EADDRNOTAVAIL') return ['HOST is no address of this machine.']
  return [error instanceof Error ? message : String(error)]
}
