// Starts the server and stops it gracefully.

import { resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import type { Logger } from 'pino'
import type { GrpcServer } from './api/middleware/grpc/server.js'
import { readArrived } from './api/shared/connection.js'
import { buildApp } from './app.js'
import { listenFault } from './config/listen-fault.js'
import {
  type Config,
  ConfigError,
  checkServing,
  type Fixed,
  readConfig,
  variables,
} from './config.js'
import { daysAgo, erasePersonal } from './core/accounts/personal.js'
import { expireInspections } from './core/event/inspection/desk.js'
import type { Source } from './core/rollout/follow.js'
import { backupsFolder } from './deps/backups.js'
import { inspectionsFolder } from './deps/inspections.js'
import { createDeps, type Deps } from './deps.js'
import { orderedId } from './lib/id.js'
import { type Listening, listenAt } from './lib/listen.js'
import { outliveFaults } from './lib/outlive.js'
import { unoptimized } from './lib/unoptimized.js'
import { createLog } from './log.js'
import { expireOutbox } from './notify/outbox-age.js'
import { forgetAddress, noteAddress } from './postgres/address-note.js'
import { type Database, openDatabase } from './postgres/database.js'
import { prepareSchema } from './postgres/migrate.js'
import { type ListenTo, listenBeside } from './serve/further.js'
import {
  childNumber,
  isChild,
  type OpenPorts,
  shareFigures,
  takeHanded,
  tellParent,
  toldStart,
} from './serve/handed.js'
import { noted, startMany } from './serve/many.js'
import { forgetSessions } from './store/account/sessions.js'
import { forgetCalls } from './store/event/calls.js'
import { forgetLinks } from './store/event/inspection-links.js'
import { forgetJobs } from './store/event/job/jobs.js'
import { forgetProblems } from './store/event/problem/problems.js'
import { forgetEvents } from './store/event/stream.js'
import { forgetAttempts } from './store/event/webhooks.js'
import { checkMasterKey } from './store/master-key.js'

const STOP_MS = 10_000
const SWEEP_MS = 60_000
/** How long a stop waits for payments, of STOP_MS. */
const PAYMENTS_MS = 8_000
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
    outliveFaults(process, log, () => process.kill(process.pid, 'SIGTERM'))
    // one that came during the start is remembered: now there is something to stop
    void signals.first.then(async () => process.exit(await shutDown(running)))
  } catch (error) {
    signals.forget()
    throw error
  }
}

interface Running {
  app: Awaited<ReturnType<typeof buildApp>>
  deps: Deps
  database: Pick<Database, 'stop'>
  log: Logger
  /** Where it listens. */
  address: string
  grpc: readonly GrpcServer[]
  further: readonly Listening[]
  sweep: NodeJS.Timeout
  erasing: NodeJS.Timeout
}

interface Starting {
  config: Config
  log: Logger
  /** Another server that has the configuration. */
  source: Source | undefined
}

async function start({ config, log, source }: Starting): Promise<Running> {
  const more = source === undefined ? {} : { source }
  if (isChild()) {
    // the first process has opened and prepared it, and stops it
    const { database: poolConfig, ports } = await toldStart()
    const stop = () => Promise.resolve()
    return listen({ config, log, database: { poolConfig, stop }, ports, ...more })
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
    await prepareSchema(database.poolConfig, { log, apply: config.MIGRATE_ON_START })
    return await listen({ config, log, database, ...more })
  } catch (error) {
    await database.stop()
    throw error
  }
}

async function listen(input: {
  config: Config
  log: Logger
  database: Pick<Database, 'poolConfig' | 'stop'>
  source?: Source
  /** Of one of several processes: what the first one has opened. */
  ports?: OpenPorts
}): Promise<Running> {
  const { config, log } = input
  const deps = await createDeps({
    ...input,
    ...(isChild() ? { process: childNumber(), allFigures: shareFigures } : {}),
  })
  try {
    await checkMasterKey(deps.store)
    await deps.follower?.refresh()
    deps.follower?.start()
    const app = await buildApp(deps)
    const listenTo = input.ports === undefined ? here(config) : takeHanded(app, input.ports)
    // /health/ready is asked at the address: whoever gets an answer finds the other ports open
    await app.ready()
    const { grpc, further } = await listenBeside(deps, app, listenTo)
    const address = isChild() ? '' : await app.listen({ host: config.HOST, port: config.PORT })
    if (!isChild()) await noted(log, () => noteAddress(config.DATA_DIR, address))
    deps.jobs.start()
    deps.pump.start()
    if (config.fixed.jobs) {
      deps.webhookWorker.start()
      deps.watch.start()
      deps.autopilot.start()
    }
    deps.unitCare.start()
    if (isChild()) tellParent({ say: 'ready' })
    else greet(config, address, { grpc, further })
    return {
      ...input,
      app,
      deps,
      address,
      ...{ grpc, further },
      sweep: sweep(deps, log),
      erasing: forgetPeople(deps, log),
    }
  } catch (error) {
    await deps.operations.close()
    await deps.rendering.close()
    await deps.inspections.close()
    await deps.beside.close()
    await deps.store.close()
    throw error
  }
}

const here =
  ({ HOST: host }: Config): ListenTo =>
  ({ port }) =>
    listenAt({ host, port })

const sentence = (error: unknown) => (error instanceof Error ? error.message : String(error))

/**
 * Items that a crash left unfinished are named in the journal, payments get their end, and
 * retrievals of receipts are written: now, and those of today's crashes later.
 */
function sweep(deps: Deps, log: Logger): NodeJS.Timeout {
  const work = (): void => {
    deps.signing.noteUnfinished().catch((error: unknown) => {
      log.warn({ err: error }, 'unfinished items are noted later')
    })
    deps.operations.resolveOrphans().catch((error: unknown) => {
      log.warn({ err: error }, 'payments of a dead server are resolved later')
    })
    deps.retrievals.sweep().catch((error: unknown) => {
      log.warn({ err: error }, 'retrievals are noted later')
    })
    deps.feed.sweep().catch((error: unknown) => {
      log.warn({ err: error }, 'old events of receipts are removed later')
    })
  }
  work()
  return setInterval(work, SWEEP_MS).unref()
}

const HOUR_MS = 3_600_000
/** Files of the outbox stay that long. */
const OUTBOX_DAYS = 30

/** Events, and problems that are over, stay that long. */
const EVENT_DAYS = 400
/** The last calls of the sandbox stay that long, and no more of them together. */
const CALL_DAYS = 1
const MOST_CALLS = 20_000
/** What came of calls of webhooks stays that long. */
const ATTEMPT_DAYS = 30

/** Personal data whose period is over, old events and files of the outbox: every hour. */
function forgetPeople({ config, store }: Deps, log: Logger): NodeJS.Timeout {
  const { PERSONAL_DATA_DAYS: days, DATA_DIR } = config
  const now = () => new Date()
  const work = async (): Promise<void> => {
    await expireInspections(inspectionsFolder({ DATA_DIR }), now())
    await expireInspections(backupsFolder({ DATA_DIR }), now())
    await expireOutbox(resolve(DATA_DIR, 'outbox'), OUTBOX_DAYS, now())
    if (days > 0)
      await erasePersonal({ store, now }, { before: daysAgo(now(), days), accountId: null })
    while (await forgetEvents(store, daysAgo(now(), EVENT_DAYS))) await setImmediate()
    await forgetCalls(store, daysAgo(now(), CALL_DAYS), MOST_CALLS)
    await forgetJobs(store, daysAgo(now(), EVENT_DAYS))
    await forgetProblems(store, daysAgo(now(), EVENT_DAYS))
    await forgetLinks(store, daysAgo(now(), EVENT_DAYS))
    await forgetSessions(store)
    await forgetAttempts(store, orderedId(daysAgo(now(), ATTEMPT_DAYS).getTime()))
  }
  const attempt = () => {
    work().catch((error: unknown) => {
      log.warn({ err: error }, 'personal data is erased later')
    })
  }
  attempt()
  return setInterval(attempt, HOUR_MS).unref()
}

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

/** Balancers go first, then running requests, then the pool, then the database. */
async function shutDown(running: Running): Promise<number> {
  const { app, deps, database, log, address, grpc, further, sweep } = running
  if (!isChild()) await noted(log, () => forgetAddress(deps.config.DATA_DIR, address))
  clearInterval(sweep)
  clearInterval(running.erasing)
  deps.follower?.stop()
  for (const one of grpc) one.drain()
  const drainedMs = await deps.operation.draining.begin()
  await readArrived()
  // those that run are given up when the stop would take too long
  const paid = deps.payments.close(PAYMENTS_MS - drainedMs)
  const workers = [deps.jobs, deps.webhookWorker, deps.watch, deps.autopilot, deps.unitCare]
  const left = Promise.all(workers.map((one) => one.stop()))
  try {
    await Promise.all([app.close(), ...[...grpc, ...further].map((one) => one.close())])
    await deps.signing.drained()
    await deps.signing.close()
    await paid
    await left
    await deps.inspections.close()
    await deps.beside.close()
    await deps.operations.close()
    await deps.retrievals.settled()
    await deps.rendering.close()
    await deps.store.close()
    await deps.spans?.close()
    await database.stop()
    return 0
  } catch (error) {
    log.error({ err: error }, 'stopping failed')
    return 1
  }
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
