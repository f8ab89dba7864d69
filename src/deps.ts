// The one explicit bag: everything that the groups need, put together once by serve.ts, by the
// commands and by the tests.
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { MiddlewareDeps } from './api/middleware/deps.js'
import type { SandboxDeps } from './api/sandbox/index.js'
import { createFailureLimit } from './api/shared/failure-limit.js'
import type { OperationDeps } from './api/shared/operation.js'
import type { SigningDeviceDeps } from './api/signing-device/deps.js'
import type { Config } from './config.js'
import { createCredentials } from './core/credentials.js'
import { createDeviceCalls } from './core/device-calls.js'
import { exportJournal } from './core/journal/export.js'
import { createMetrics } from './core/metrics.js'
import { createSigning, type Signing } from './core/sign/sign.js'
import { createOutbound } from './device/outbound.js'
import { createSealer } from './lib/seal.js'
import { marketOf } from './market/index.js'
import { openStore, type Store } from './store/client.js'
import type { Database } from './store/database.js'
import { masterKeyOf } from './store/master-key.js'

export interface Deps {
  config: Config
  log: Logger
  store: Store
  signing: Signing
  middleware: MiddlewareDeps
  signingDevice: SigningDeviceDeps
  sandbox: SandboxDeps
  operation: OperationDeps
}

export interface DepsInput {
  config: Config
  log: Logger
  database: Pick<Database, 'poolConfig'>
  /** One that is open already; who opened it closes it. */
  store?: Store
  now?: () => Date
}

export async function createStore({ config, log, database }: DepsInput): Promise<Store> {
  const own = config.MASTER_KEY.length > 0
  const keys = own ? config.MASTER_KEY : [await masterKeyOf(resolve(config.DATA_DIR))]
  return openStore({
    connection: database.poolConfig,
    size: config.DATABASE_POOL,
    sealer: createSealer(keys),
    onBroken: (error) => log.warn({ err: error }, 'a database connection broke'),
  })
}

export async function createDeps(input: DepsInput): Promise<Deps> {
  const { config, log } = input
  const now = input.now ?? (() => new Date())
  const store = input.store ?? (await createStore(input))
  const metrics = createMetrics(() => signing.waiting)
  const outbound = createOutbound({ allow: config.OUTBOUND_ALLOW })
  const tools = { fetch: outbound, now, sleep: (milliseconds: number) => sleep(milliseconds) }
  const signing = createSigning({
    store,
    marketOf,
    tools,
    now,
    sandbox: !config.production,
    software: !config.production || config.ALLOW_SOFTWARE_DEVICES,
    log,
    limits: {
      waiting: config.SIGN_WAITING_MAX,
      waitingMs: config.SIGN_WAITING_SECONDS * 1000,
      queues: config.CACHE_QUEUES,
    },
    observe: metrics.observer,
  })
  const caller = {
    credentials: createCredentials({
      store,
      now,
      memoryMs: config.CACHE_CREDENTIALS_MS,
      entries: config.CACHE_QUEUES,
    }),
    failures: createFailureLimit(config.RATE_LIMIT_FAILURES),
  }
  return {
    config,
    log,
    store,
    signing,
    signingDevice: {
      ...caller,
      devices: createDeviceCalls({
        store,
        market: marketOf('AT'),
        tools,
        now,
        software: !config.production || config.ALLOW_SOFTWARE_DEVICES,
        entries: config.CACHE_QUEUES,
      }),
    },
    sandbox: {
      ...caller,
      faults: { store, marketOf, now, sandbox: !config.production },
    },
    middleware: {
      ...caller,
      signing,
      journal: (journal) => exportJournal({ store, marketOf, now }, journal),
      authentication: config.MIDDLEWARE_AUTH === 'on',
      defaultQueue: config.DEFAULT_QUEUE,
      aliases: config.QUEUE_ALIASES,
      bodyLimit: config.BODY_LIMIT,
    },
    operation: {
      ready: async () => {
        await store.pool.query('select 1')
      },
      metrics: () => metrics.text(),
      now,
    },
  }
}
