// A server of its own for one test file: real database, real port, the demo's cash boxes.
// Called in beforeAll.
import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { PoolConfig } from 'pg'
import { buildApp } from '../../src/app.js'
import { type Demo, type DemoCashBox, ensureDemo } from '../../src/core/rollout/demo.js'
import { createDeps, type Deps } from '../../src/deps.js'
import { createLog } from '../../src/log.js'
import { marketOf, markets } from '../../src/market/index.js'
import { createTestDatabase } from './db.js'
import { configOf, type TestSettings } from './settings.js'

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

/** settings: variables of the environment beside the database's. */
export async function openShop(
  settings: TestSettings = {},
  log = createLog('silent', false),
  options: ShopOptions = {},
): Promise<Shop> {
  const { countries = Object.keys(markets) } = options
  const database = options.database ?? (await createTestDatabase())
  const env = {
    DATABASE_URL: 'postgresql://the.test.database',
    MASTER_KEY: randomBytes(32).toString('base64'),
    ...settings,
  }
  const deps = await createDeps({
    config: configOf(env),
    log,
    database: { poolConfig: database.config },
  })
  const { store, signing } = deps
  const software = !deps.config.production || deps.config.ALLOW_SOFTWARE_DEVICES
  const now = () => new Date()
  const table = Object.fromEntries(countries.map((code) => [code, marketOf(code)]))
  const demo = await ensureDemo({ store, signing, software, now, markets: table, marketOf })
  const box = demo.cashBoxes.find((one) => one.market === 'AT')
  if (box === undefined) throw new Error('the demo has no Austrian cash box')
  const app = await buildApp(deps)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const close = async () => {
    await app.close()
    await signing.drained()
    await deps.operations.close()
    await deps.retrievals.settled()
    await deps.rendering.close()
    await store.close()
    await database.drop()
  }
  return { app, deps, url, demo, box, database, close }
}
