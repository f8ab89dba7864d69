// The one explicit bag: everything that the groups need, put together once by serve.ts, by the
// commands and by the tests.
import { randomInt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { ActivationDeps } from './api/activation/index.js'
import type { DealerDeps } from './api/dealer/deps.js'
import type { BrowserRules } from './api/middleware/browsers.js'
import type { MiddlewareDeps } from './api/middleware/deps.js'
import type { PlatformDeps } from './api/platform/deps.js'
import type { PortalDeps } from './api/portal/deps.js'
import type { PosSystemDeps } from './api/possystem/deps.js'
import { paymentEndOf } from './api/possystem/payment-end.js'
import { failureOf } from './api/possystem/problem.js'
import type { ReceiptDeps } from './api/receipt/deps.js'
import type { SandboxDeps } from './api/sandbox/index.js'
import { createDraining } from './api/shared/draining.js'
import { createFailureLimit } from './api/shared/failure-limit.js'
import type { OperationDeps } from './api/shared/operation.js'
import type { SigningDeviceDeps } from './api/signing-device/deps.js'
import type { Config } from './config.js'
import { createCredentials } from './core/accounts/credentials.js'
import { createDeviceCalls } from './core/device-calls.js'
import { type Autopilot, createAutopilot } from './core/event/autopilot/autopilot.js'
import { type CallLog, createCallLog } from './core/event/call/log.js'
import { readDueUnits } from './core/event/fleet/facts.js'
import { createWatch, type Watch } from './core/event/problem/watch.js'
import { createPump, type Pump } from './core/event/pump.js'
import type { WebhookWorker } from './core/event/webhook-worker.js'
import { failPointsOf } from './core/fail-point.js'
import { workOutbox } from './core/journal/outbox.js'
import type { SendDeps } from './core/message/send.js'
import { type CallObserver, createMetrics, type Metrics } from './core/metrics.js'
import { outsideFigures } from './core/metrics-outside.js'
import type { Operations } from './core/operation/operation.js'
import { createOperations } from './core/operation/operations.js'
import { createPayments, type Payments } from './core/payment/payments.js'
import { createFeed, type Feed } from './core/receipts/instore-events.js'
import { createRetrievalNotes, type RetrievalNotes } from './core/receipts/journal.js'
import { createRendering, type Rendering } from './core/receipts/rendering.js'
import { createSamples } from './core/receipts/samples/samples.js'
import { createFollower, type Follower, type Source } from './core/rollout/follow.js'
import { processOrder } from './core/sales/orders.js'
import { createServedCalls } from './core/served-calls.js'
import { createSigning, type Signing } from './core/sign/sign.js'
import { createUnitCare, type UnitCare } from './core/unit-care.js'
import { createUnitLogins } from './core/unit-logins.js'
import { createUnitTars } from './core/unit-tars.js'
import { type BackupWork, backupWorkOf } from './deps/backups.js'
import { type Besides, besideOf } from './deps/beside/beside.js'
import { activationOf, dealerOf } from './deps/dealer.js'
import { type InspectionWork, inspectionWorkOf } from './deps/inspections.js'
import { jobKindsOf } from './deps/job-kinds.js'
import { messagesOf } from './deps/messages.js'
import { platformOf, webhookWorkerOf } from './deps/platform.js'
import { portalOf } from './deps/portal.js'
import { possystemOf } from './deps/possystem.js'
import type { Forget } from './deps/publications.js'
import { receiptOf } from './deps/receipt.js'
import { salesOf } from './deps/sales.js'
import { createStore, type StoreInput } from './deps/store.js'
import { spansOf, watchedBy } from './deps/traces.js'
import type { Common, Workers } from './deps/workers.js'
import type { DeviceWatch } from './device/device.js'
import { createOutbound } from './device/outbound.js'
import { tracedOutbound } from './device/outbound-spans.js'
import { createConnect } from './device/socket.js'
import type { Jobs } from './jobs/runner.js'
import { Precedence } from './lib/slices.js'
import type { Spans } from './lib/spans.js'
import {
  actingMarkets,
  everyFacts,
  factsOf,
  marketOf,
  moduleMarkets,
  servingMarkets,
} from './market/index.js'
import type { Store } from './store/client.js'
import { forgetSpare } from './store/event/fleet/spare.js'
import type { CashBoxAccess } from './store/rollout/cashboxes.js'
import { tellsNoWrites } from './store/writes.js'

export interface Deps {
  config: Config
  log: Logger
  store: Store
  signing: Signing
  /** Closed before the store. */
  operations: Operations
  middleware: MiddlewareDeps
  signingDevice: SigningDeviceDeps
  sandbox: SandboxDeps
  possystem: PosSystemDeps
  payments: Payments
  receipt: ReceiptDeps
  dealer: DealerDeps
  platform: PlatformDeps
  portal: PortalDeps
  activation: ActivationDeps
  /** Of a local middleware; undefined: this server has its configuration itself. */
  follower: Follower | undefined
  retrievals: RetrievalNotes
  feed: Feed
  /** Started by serve.ts, stopped by the Platform. */
  pump: Pump
  /** Started by serve.ts; stopped before the store is closed. */
  webhookWorker: WebhookWorker
  /** The same, of problems. */
  watch: Watch
  /** The same, of outages. */
  autopilot: Autopilot
  /** The same, of what devices want from time to time. */
  unitCare: UnitCare
  /** Closed when nothing is asked for any more. */
  rendering: Rendering
  /** Started by serve.ts; stopped before the operations are closed. */
  jobs: Jobs
  /** Closed when no job runs any more. */
  inspections: InspectionWork
  /** Closed when nothing is asked for any more, before the store. */
  beside: Besides
  send: SendDeps
  operation: OperationDeps
  /** Told of every call over HTTP. */
  calls: CallObserver
  /** Of the last calls of everybody; undefined in production. */
  callLog: CallLog | undefined
  /** Undefined: nobody wants traces. Closed when nothing runs any more. */
  spans: Spans | undefined
}

/** Queues and CashBoxes that one process keeps in memory. */
const QUEUES_KEPT = 10_000
/** Drawn receipts that one process keeps in memory. */
const RENDERED_BYTES = 32 * 1024 * 1024

/** Numbers of server processes, drawn at the start. */
const MOST_RUNNERS = 2 ** 31 - 1

export interface DepsInput extends StoreInput {
  /** One that is open already; who opened it closes it. */
  store?: Store
  now?: () => Date
  /** Another server that has the configuration of the one cash box here. */
  source?: Source
  /** Of several processes behind one port: its number, and how it gets the figures of all. */
  process?: string | undefined
  allFigures?(own: () => Promise<unknown>): () => Promise<unknown[]>
}

export async function createDeps(input: DepsInput): Promise<Deps> {
  const { config, log } = input
  const now = input.now ?? (() => new Date())
  const spans = await spansOf(config, log)
  const store = input.store ?? (await createStore({ ...input, spans, byIndex: true }))
  const precedence = new Precedence()
  const metrics = createMetrics({
    signed: () => precedence.claim(),
    ...{ waiting: () => signing.waiting, exports: () => beside.places },
    ...{ pool: store.pool, environment: config.ENVIRONMENT, process: input.process },
    outside: outsideFigures({ store, marketOf, now, log }),
  })
  const common = commonOf(config, { store, now, watch: watchedBy(spans, metrics.devices), spans })
  const runner = randomInt(MOST_RUNNERS)
  const failPoints = failPointsOf(config.fixed.failPoints, config)
  const signing = createSigning({
    ...{ ...common, runner, log },
    limits: {
      waiting: config.fixed.signWaitingMax,
      waitingMs: config.SIGN_WAITING_SECONDS * 1000,
      queues: QUEUES_KEPT,
      connections: config.DATABASE_POOL,
    },
    ...{ failPoints, spans, observe: metrics.observer },
  })
  const operations = createOperations({
    ...{ store, runner, now, log, failureOf },
    prefix: config.MOUNT_POSSYSTEM.prefix,
  })
  const autopilot = createAutopilot({
    ...{ ...common, signing, operations, failPoints, log, random: Math.random },
    acting: actingMarkets(common.sandbox),
  })
  const retrievals = createRetrievalNotes({ store, now, log })
  const feed = createFeed({ store, now, log, most: config.fixed.listenersMax })
  const pump = createPump({ store, log, onUrgent: () => watch.hurry() })
  const webhookWorker = webhookWorkerOf(config, common, log)
  const rendering = renderingOf(log)
  const beside = besideOf(config, { store, now, marketOf, log, precedence })
  const payments = createPayments({
    ...{ store, fetch: common.tools.fetch, now, marketOf, log, operations },
    endOf: paymentEndOf,
    sandbox: !config.production,
    scale: config.DUMMY_PAYMENT_TIME_SCALE,
  })
  const sales = salesOf(config, { store, now, log })
  const inspections = inspectionWorkOf(config, store, log)
  const backups = backupWorkOf(config, common, inspections.making)
  const watch = watchOf(common, log, backups)
  const alive = () => operations.alive()
  const { jobs, send } = messagesOf(config, {
    processOrder: (key) => processOrder(sales, key),
    workOutbox: (payload, run) =>
      workOutbox({ ...common, open: (key) => signing.open(key) }, payload, run),
    ...{ store, now, runner, rendering, retrievals, failPoints, metrics, log },
    kinds: jobKindsOf({ inspection: inspections.kind, backup: backups?.kind }),
    ...{ alive, fetch: common.tools.fetch, spans },
  })
  const workers = { common, signing, operations, payments, retrievals, rendering, beside }
  const parts = { ...workers, feed, pump, send, log, sales }
  return {
    ...{ config, store, jobs, inspections, webhookWorker, watch, autopilot },
    unitCare: createUnitCare({ ...common, log }),
    ...parts,
    ...groupsOf(config, { ...parts, lease: { runner, alive } }, input.source),
    operation: operationOf(config, { store, now }, metricsOf(metrics, input)),
    ...{ calls: metrics.calls, spans, callLog: callLogOf(common, log) },
  }
}

/** Of this process, or of all behind the port. */
function metricsOf(metrics: Metrics, { allFigures }: DepsInput): OperationDeps['metrics'] {
  const all = allFigures?.(() => metrics.figures())
  return all === undefined ? () => metrics.text() : async () => metrics.textOf(await all())
}

/** In production nothing of a call is kept. */
function callLogOf({ store, now, sandbox }: Common, log: Logger): CallLog | undefined {
  return sandbox ? createCallLog({ store, now, log }) : undefined
}

/** Looks for problems; what units say of themselves is read before. */
function watchOf({ store, now }: Common, log: Logger, backups: BackupWork | undefined): Watch {
  const prepare = async () => {
    await readDueUnits({ store, marketOf })
    await forgetSpare(store)
  }
  const plan = async () => void (await backups?.plan())
  return createWatch({ store, now, log, prepare, plan, facts: everyFacts })
}

function operationOf(
  { ENVIRONMENT: environment }: Config,
  { store, now }: Pick<Common, 'store' | 'now'>,
  metrics: OperationDeps['metrics'],
): OperationDeps {
  return {
    ready: () => reachable(store),
    readOnly: () => store.writes.areFailing(store.pool),
    ...{ tellsNoWrites, metrics, now, environment, draining: createDraining() },
  }
}

async function reachable({ pool }: Store): Promise<void> {
  await pool.query('select 1')
}

function commonOf(
  config: Config,
  {
    store,
    now,
    watch,
    spans,
  }: Pick<Common, 'store' | 'now'> & { watch: DeviceWatch } & Pick<Deps, 'spans'>,
): Common {
  const fetch = createOutbound({ allow: config.OUTBOUND_ALLOW })
  return {
    store,
    now,
    marketOf,
    tools: {
      fetch: spans === undefined ? fetch : tracedOutbound(spans, fetch),
      now,
      sleep: (milliseconds) => sleep(milliseconds),
      production: config.production,
      kept: new LRUCache<string, object>({ max: QUEUES_KEPT }),
      connect: createConnect({ allow: config.OUTBOUND_ALLOW }),
      logins: createUnitLogins(store),
      tars: createUnitTars(store, now),
      watch,
    },
    sandbox: !config.production,
    software: !config.production || config.ALLOW_SOFTWARE_DEVICES,
  }
}

function renderingOf(log: Logger): Rendering {
  const threads = Math.max(1, availableParallelism() - 1)
  return createRendering({ factsOf, threads, cacheBytes: RENDERED_BYTES, log })
}

/** The names that the operator has given this server are its own. */
function browserRules(config: Config): BrowserRules {
  const { PUBLIC_URL: front, MOUNT_MIDDLEWARE: mount } = config
  const named = [front === undefined ? null : new URL(front).host, mount.host]
  return {
    local: !config.MIDDLEWARE_AUTH.on,
    hosts: new Set([...config.MIDDLEWARE_AUTH.hosts, ...named.filter((name) => name !== null)]),
    origins: config.MIDDLEWARE_ORIGINS,
  }
}

type Group =
  | 'middleware'
  | 'signingDevice'
  | 'sandbox'
  | 'possystem'
  | 'receipt'
  | 'dealer'
  | 'platform'
  | 'portal'
  | 'activation'

/** The local middleware of the field names members in Pascal case, its cloud in lower camel. */
function namesOf({ fixed, MIDDLEWARE_AUTH: asks }: Config): 'camel' | 'pascal' {
  if (fixed.nestedNames !== 'auto') return fixed.nestedNames
  return asks.on ? 'camel' : 'pascal'
}

/** Devices that other servers sign with. */
function servedOf(config: Config, { store, now, tools, software }: Workers['common']) {
  const sandbox = !config.production
  const known = { store, tools, now, software, entries: QUEUES_KEPT, sandbox }
  return {
    devices: createDeviceCalls({ ...known, markets: servingMarkets }),
    modules: createServedCalls({ ...known, markets: moduleMarkets }),
    ...{ store, now, tars: createUnitTars(store, now) },
    address: { publicUrl: config.PUBLIC_URL, mount: config.MOUNT_SIGNING_DEVICE },
  }
}

/** What the API groups need, one member each. */
function groupsOf(
  config: Config,
  parts: Workers & Pick<Parameters<typeof dealerOf>[1], 'lease'>,
  source: Source | undefined,
): Pick<Deps, Group | 'follower'> {
  const { common, signing, sales, lease, log, rendering, beside } = parts
  const { store, now, tools, sandbox } = common
  const entries = QUEUES_KEPT
  const caller = {
    credentials: createCredentials({ store, now, memoryMs: config.fixed.credentialsMs, entries }),
    failures: createFailureLimit(config.RATE_LIMITS.credentials),
  }
  const forget: Forget = (cashBoxId, queueIds) => {
    caller.credentials.forget(cashBoxId)
    for (const id of queueIds) signing.refresh(id)
  }
  const named = source !== undefined
  const shown = { store, rendering, samples: createSamples(), production: !sandbox }
  const behind = { common, ...caller, log, rendering, beside }
  const dealer = dealerOf(config, { ...behind, named, sales, forget, lease })
  const known = { store, now, fetch: tools.fetch, log: parts.log }
  const follower =
    source === undefined
      ? undefined
      : createFollower({ ...known, templates: dealer.templates, forget }, source)
  const refresh = async (access: CashBoxAccess | undefined): Promise<void> => {
    await follower?.refresh()
    if (access === undefined) return
    forget(
      access.cashBoxId,
      access.queues.map(({ id }) => id),
    )
  }
  return {
    follower,
    middleware: {
      ...caller,
      refresh,
      signing,
      journal: beside.journal,
      authentication: config.MIDDLEWARE_AUTH.on,
      defaultQueue: config.QUEUE_ALIASES.usual,
      aliases: config.QUEUE_ALIASES.aliases,
      portQueues: new Map(),
      bodyLimit: config.BODY_LIMIT,
      sandbox: common.sandbox,
      address: { publicUrl: config.PUBLIC_URL, mount: config.MOUNT_MIDDLEWARE },
      pascal: namesOf(config) === 'pascal',
      browsers: browserRules(config),
    },
    signingDevice: { ...caller, ...servedOf(config, common) },
    sandbox: { ...caller, faults: { store, marketOf, now, sandbox }, shown },
    receipt: receiptOf(config, { ...parts, caller }),
    possystem: possystemOf(config, { ...parts, caller, refresh }),
    dealer,
    platform: platformOf(config, dealer, { ...parts, boxes: caller.credentials }),
    portal: portalOf(config, dealer, tools.fetch),
    activation: activationOf(config, {
      ...{ store, now, log: parts.log },
      failures: createFailureLimit(config.RATE_LIMITS.credentials),
    }),
  }
}
