// Starts the server, and stops it with a signal. The program comes beside the database.
import { setFlagsFromString } from 'node:v8'
import type { Logger } from 'pino'
import { listenFault } from './config/listen-fault.js'
import {
  type Config,
  ConfigError,
  checkServing,
  type Fixed,
  readConfig,
  variables,
} from './config.js'
import type { Source } from './core/rollout/follow.js'
import { outliveFaults } from './lib/outlive.js'
import { unoptimized } from './lib/unoptimized.js'
import { createLog } from './log.js'
import { openDatabase } from './postgres/database.js'
import { prepareSchema } from './postgres/migrate.js'
import { isChild, toldStart } from './serve/handed.js'
import { startMany } from './serve/many.js'
import type { Running } from './serve/running.js'

const STOP_MS = 10_000
/**
 * The old part of a heap is cleaned up when it has grown by half; V8's own limit lets garbage of a
 * long export grow to four times of what lives. Waiting until it has doubled would spare 2 % of a
 * receipt's processor time, and cost 30 MB with the two threads of an inspection bundle.
 */
const HEAP_GROWTH = '--heap-growing-percent=50'
/**
 * Threads that help to clear the young part of the heap wait for each other more than they clear,
 * and take their time from the database: on two processors 15 microseconds per receipt of the
 * Middleware interface and 40 of the PosSystem API.
 */
const YOUNG_HEAP = '--no-parallel-scavenge'
/**
 * V8 makes in the old part at once what has lived long when it looked. Under load that is a guess,
 * right for some processes and not for others: what such an object leads to is old as well then,
 * until everything is cleaned up (17 % of the processor time of a receipt).
 */
const BORN_YOUNG = '--no-allocation-site-pretenuring'

/**
 * Of threads that are started from now on: what they make lives as long as a page of an export, and
 * each of them touches both halves of the young part of its heap. An inspection bundle has two: of
 * 120,000 German receipts it took 106 to 120 MB with 16, in the same processor time.
 */
const YOUNG_OF_THREADS = ['--min-semi-space-size=8', '--max-semi-space-size=8']

/**
 * Resolves once the server is ready; a signal ends the process by itself. Throws ConfigError,
 * DatabaseError and the faults of listening: faultLines tells each of them in one sentence.
 */
export async function serve(source?: Source, fixed: Partial<Fixed> = {}): Promise<void> {
  setFlagsFromString(HEAP_GROWTH)
  setFlagsFromString(YOUNG_HEAP)
  setFlagsFromString(BORN_YOUNG)
  for (const flag of YOUNG_OF_THREADS) setFlagsFromString(flag)
  const config = readConfig(variables(), fixed)
  checkServing(config)
  const log = createLog(config.LOG_LEVEL.level, process.stdout.isTTY)
  for (const line of config.retired) log.warn(line)
  const signals = listenForSignals()
  void signals.first.then((signal) => {
    log.info(`${signal}: finishing what runs, then stopping`)
    limitStop(log)
  })
  try {
    if (config.PROCESSES > 1 && !isChild()) {
      const { address, grpc, further, stop } = await startMany(config, log)
      greet(config, address, { grpc, further })
      outliveFaults(process, log, () => process.kill(process.pid, 'SIGTERM'))
      void signals.first.then(async () => process.exit(await stop()))
      return
    }
    const running = await unoptimized(() => start({ config, log, source }))
    if (!isChild()) greet(config, running.address, running)
    outliveFaults(process, log, () => process.kill(process.pid, 'SIGTERM'))
    // one that came during the start is remembered: now there is something to stop
    void signals.first.then(async () => process.exit(await running.stop()))
  } catch (error) {
    signals.forget()
    throw error
  }
}

interface Starting {
  config: Config
  log: Logger
  /** Another server that has the configuration. */
  source: Source | undefined
}

/** Loaded while the database starts; the first of several processes has no use for it. */
const program = () => import('./serve/running.js')

async function start({ config, log, source }: Starting): Promise<Running> {
  const loading = program()
  // whoever waits for it is told
  void Promise.allSettled([loading])
  const more = { config, log, ...(source === undefined ? {} : { source }) }
  if (isChild()) {
    // the first process has opened and prepared it, and stops it
    const { database: poolConfig, ports } = await toldStart()
    const stop = () => Promise.resolve()
    const { run } = await loading
    return run({ ...more, database: { poolConfig, stop }, ports, schema: () => Promise.resolve() })
  }
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
    const { run } = await loading
    const schema = () => prepareSchema(database.poolConfig, { log, apply: config.MIGRATE_ON_START })
    return await run({ ...more, database, schema })
  } catch (error) {
    await database.stop()
    throw error
  }
}

const sentence = (error: unknown) => (error instanceof Error ? error.message : String(error))

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP']

/** Later ones change nothing: npm hands Ctrl-C on, so it comes twice. SIGHUP: no terminal left. */
function listenForSignals(): { first: Promise<string>; forget(): void } {
  let forget = (): void => undefined
  const first = new Promise<string>((resolve) => {
    for (const name of SIGNALS) process.on(name, resolve)
    forget = () => {
      for (const name of SIGNALS) process.off(name, resolve)
    }
  })
  return { first, forget: () => forget() }
}

function limitStop(log: Logger): void {
  const late = setTimeout(() => {
    log.error('stopping took too long')
    process.exit(1)
  }, STOP_MS)
  late.unref()
}

function greet(
  config: Config,
  address: string,
  { grpc, further }: Record<'grpc' | 'further', readonly { port: number }[]>,
): void {
  const url = config.PUBLIC_URL ?? address
  process.stdout.write(
    `\nfiskalwerk is ready (${config.ENVIRONMENT})\n` +
      `  address        ${url}\n` +
      `  documentation  ${url}/docs\n` +
      further.map(({ port }) => `  also at        ${config.HOST}:${port}\n`).join('') +
      grpc.map(({ port }) => `  gRPC           ${config.HOST}:${port}\n`).join('') +
      '  first receipt  npx fiskalwerk demo\n\n',
  )
}

/** Why the start failed, one sentence per line. */
export function faultLines(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.faults
  const known = listenFault(error)
  if (known !== undefined) return [known]
  return [sentence(error)]
}
