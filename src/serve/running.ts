// A server that runs: from the database to its ports, what it does from time to time, and its stop.
import { resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { GrpcServer } from '../api/middleware/grpc/server.js'
import { readArrived } from '../api/shared/connection.js'
import { buildApp } from '../app.js'
import type { Config } from '../config.js'
import { daysAgo, erasePersonal } from '../core/accounts/personal.js'
import { expireInspections } from '../core/event/inspection/desk.js'
import type { Source } from '../core/rollout/follow.js'
import { backupsFolder } from '../deps/backups.js'
import { inspectionsFolder } from '../deps/inspections.js'
import { createDeps, type Deps } from '../deps.js'
import { orderedId } from '../lib/id.js'
import { type Listening, listenAt } from '../lib/listen.js'
import { expireOutbox } from '../notify/outbox-age.js'
import { forgetAddress, noteAddress } from '../postgres/address-note.js'
import type { Database } from '../postgres/database.js'
import { DatabaseError } from '../postgres/database-error.js'
import { reasonOf } from '../postgres/external.js'
import { forgetSessions } from '../store/account/sessions.js'
import { isAway } from '../store/client.js'
import { forgetCalls } from '../store/event/calls.js'
import { forgetLinks } from '../store/event/inspection-links.js'
import { forgetJobs } from '../store/event/job/jobs.js'
import { forgetProblems } from '../store/event/problem/problems.js'
import { forgetEvents } from '../store/event/stream.js'
import { forgetAttempts } from '../store/event/webhooks.js'
import { checkMasterKey } from '../store/master-key.js'
import { type ListenTo, listenBeside } from './further.js'
import {
  childNumber,
  isChild,
  type OpenPorts,
  shareFigures,
  takeHanded,
  tellParent,
} from './handed.js'
import { noted } from './many.js'

const SWEEP_MS = 60_000
/** How long a stop waits for payments, of the ten seconds that it has. */
const PAYMENTS_MS = 8_000

export interface Running {
  /** Where it listens; '' for one of several processes. */
  address: string
  grpc: readonly { port: number }[]
  further: readonly { port: number }[]
  /** Resolves with the exit code. */
  stop(): Promise<number>
}

interface Starting {
  config: Config
  log: Logger
  database: Pick<Database, 'poolConfig' | 'stop'>
  /** Brings the database to the newest schema. */
  schema(): Promise<void>
  /** Another server that has the configuration. */
  source?: Source
  /** Of one of several processes: what the first one has opened. */
  ports?: OpenPorts
}

interface Parts extends Pick<Starting, 'log' | 'database'> {
  app: Awaited<ReturnType<typeof buildApp>>
  deps: Deps
  address: string
  grpc: readonly GrpcServer[]
  further: readonly Listening[]
  /** What is done from time to time. */
  timers: readonly NodeJS.Timeout[]
}

/** Rejects when it cannot serve: nothing of it is left then but the database. */
export async function run(starting: Starting): Promise<Running> {
  const { config, log } = starting
  const deps = await createDeps({
    ...starting,
    ...(isChild() ? { process: childNumber(), allFigures: shareFigures } : {}),
  })
  try {
    const app = await builtBeside(starting.schema(), buildApp(deps))
    await checkMasterKey(deps.store).catch(rejectAway)
    await deps.follower?.refresh()
    deps.follower?.start()
    const listenTo = starting.ports === undefined ? here(config) : takeHanded(app, starting.ports)
    // /health/ready is asked at the address: whoever gets an answer finds the other ports open
    await app.ready()
    const { grpc, further } = await listenBeside(deps, app, listenTo)
    const address = isChild() ? '' : await app.listen({ host: config.HOST, port: config.PORT })
    if (!isChild()) await noted(log, () => noteAddress(config.DATA_DIR, address))
    startWorkers(deps)
    if (isChild()) tellParent({ say: 'ready' })
    const timers = [sweep(deps, log), forgetPeople(deps, log)]
    const parts = { ...starting, app, deps, address, grpc, further, timers }
    return { address, grpc, further, stop: () => stop(parts) }
  } catch (error) {
    await deps.operations.close()
    await deps.rendering.close()
    await deps.inspections.close()
    await deps.beside.close()
    await deps.store.close()
    throw error
  }
}

/** The schema waits for the database, and the app for nobody; both are over when one has failed. */
async function builtBeside<T>(schema: Promise<void>, built: Promise<T>): Promise<T> {
  await Promise.allSettled([schema, built])
  await schema
  return built
}

/** The first statement of the server's own connections. */
function rejectAway(error: unknown): never {
  if (!isAway(error)) throw error
  throw new DatabaseError('unreachable', `The database cannot be used: ${reasonOf(error)}.`)
}

function startWorkers({ config, ...deps }: Deps): void {
  deps.jobs.start()
  deps.pump.start()
  if (config.fixed.jobs) {
    deps.webhookWorker.start()
    deps.watch.start()
    deps.autopilot.start()
  }
  deps.unitCare.start()
}

const here =
  ({ HOST: host }: Config): ListenTo =>
  ({ port }) =>
    listenAt({ host, port })

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

/** Balancers go first, then running requests, then the pool, then the database. */
async function stop({ app, deps, database, log, address, grpc, further, timers }: Parts) {
  if (!isChild()) await noted(log, () => forgetAddress(deps.config.DATA_DIR, address))
  for (const timer of timers) clearInterval(timer)
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
