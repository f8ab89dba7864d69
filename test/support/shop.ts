// A server of its own for one test file: real database, real port, the demo's cash boxes.
// Called in beforeAll.
import type { FastifyInstance } from 'fastify'
import type { PoolConfig } from 'pg'
import { expect, inject } from 'vitest'
import { buildApp } from '../../src/app.js'
import { type Demo, type DemoCashBox, ensureDemo } from '../../src/core/rollout/demo.js'
import { createDeps, type Deps } from '../../src/deps.js'
import { createLog } from '../../src/log.js'
import { marketOf, markets } from '../../src/market/index.js'
import { createTestDatabase } from './db.js'
import { copyDemo } from './demo-database.js'
import { configOf, type TestSettings } from './settings.js'
import { thickEvents } from './thin-events.js'

export interface Shop {
  app: FastifyInstance
  deps: Deps
  url: string
  demo: Demo
  /** The Austrian cash box, started. */
  box: DemoCashBox
  database: ShopDatabase
  close(): Promise<void>
}

interface ShopDatabase {
  config: PoolConfig
  drop(): Promise<void>
}

export interface ShopOptions {
  /** Which of them get a cash box, for tests that count what is there; left out: all. */
  countries?: readonly string[]
  /** One with its tables; left out: one of the run. */
  database?: ShopDatabase
}

/** What ensureDemo has told of the database that shops with these countries are copied from. */
const demos = new Map<string, Demo>()

/** settings: variables of the environment beside the database's. */
export async function openShop(
  settings: TestSettings = {},
  log = createLog('silent', false),
  options: ShopOptions = {},
): Promise<Shop> {
  const { countries = Object.keys(markets) } = options
  const key = inject('masterKey')
  const env = { DATABASE_URL: 'postgresql://the.test.database', MASTER_KEY: key, ...settings }
  const config = configOf(env)
  const software = !config.production || config.ALLOW_SOFTWARE_DEVICES
  const open = (database: ShopDatabase) =>
    createDeps({ config, log, database: { poolConfig: database.config } })
  const demoOf = ({ store, signing }: Deps): Promise<Demo> => {
    const now = () => new Date()
    const table = Object.fromEntries(countries.map((code) => [code, marketOf(code)]))
    return ensureDemo({ store, signing, software, now, markets: table, marketOf })
  }
  const fill = async (database: ShopDatabase) => {
    const deps = await open(database)
    await demoOf(deps)
    await closeDeps(deps)
  }
  // production has another demo, and keys of its own open no other's
  const isCommon = !config.production && env.MASTER_KEY === key
  const copied = () => (isCommon ? copyDemo(countries, fill) : createTestDatabase())
  const database = options.database ?? (await copied())
  const deps = await open(database)
  // copies of one database have the same demo
  const isCopy = isCommon && options.database === undefined
  const told = isCopy ? demos.get(countries.join()) : undefined
  const demo = structuredClone(told ?? (await demoOf(deps)))
  if (isCopy) demos.set(countries.join(), structuredClone(demo))
  const box = demo.cashBoxes.find((one) => one.market === 'AT')
  if (box === undefined) throw new Error('the demo has no Austrian cash box')
  const app = await buildApp(deps)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const close = async () => {
    await app.close()
    // whatever a test is about, none of its events says more than it may; a database may be away
    const thick = await thickEvents(deps.store.pool).catch(() => [])
    await closeDeps(deps)
    await database.drop()
    expect(thick).toEqual([])
  }
  return { app, deps, url, demo, box, database, close }
}

/** Everything that works without the app. */
export async function closeDeps(deps: Deps): Promise<void> {
  await deps.signing.drained()
  await deps.signing.close()
  await deps.operations.close()
  await deps.retrievals.settled()
  await deps.rendering.close()
  await deps.beside.close()
  await deps.store.close()
}
