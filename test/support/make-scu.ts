// A whole server on a database of its own, and cash boxes with signing units in it, made by the
// program's own rollout.
import { randomBytes, randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../../src/app.js'
import { createAccount } from '../../src/core/accounts/accounts.js'
import {
  createCashBox,
  createQueue,
  createScu,
  type RolloutDeps,
} from '../../src/core/rollout/create.js'
import { createDeps, type Deps } from '../../src/deps.js'
import { createLog } from '../../src/log.js'
import { marketOf } from '../../src/market/index.js'
import { createTestDatabase, type TestDatabase } from './db.js'
import { configOf, type TestSettings } from './settings.js'
import { closeDeps } from './shop.js'

const MASTER_KEY = randomBytes(32).toString('base64')

export interface TestServer {
  app: FastifyInstance
  deps: Deps
  database: TestDatabase
  /** The database goes with the server that made it. */
  close(): Promise<void>
}

export interface ServerOptions {
  env?: TestSettings
  /** Of another server that shares it. */
  database?: TestDatabase
}

export async function makeServer({ env = {}, database }: ServerOptions = {}): Promise<TestServer> {
  const config = configOf({ MASTER_KEY, LOG_LEVEL: 'silent', ...env })
  const own = database ?? (await createTestDatabase())
  const deps = await createDeps({
    config,
    log: createLog('silent', false),
    database: { poolConfig: own.config },
  })
  const app = await buildApp(deps)
  return {
    app,
    deps,
    database: own,
    close: async () => {
      await app.close()
      await closeDeps(deps)
      if (database === undefined) await own.drop()
    },
  }
}

export interface TestPair {
  /** Holds the keys, and is reached over a real connection. */
  service: TestServer
  /** Knows the service as a remote signing unit; a database of its own. */
  client: TestServer
  url: string
}

export async function makePair(): Promise<TestPair> {
  const service = await makeServer()
  const url = await service.app.listen({ host: '127.0.0.1', port: 0 })
  return { service, url, client: await makeServer({ env: { OUTBOUND_ALLOW: new URL(url).host } }) }
}

export interface TestBox {
  market: string
  accountId: string
  cashBoxId: string
  accessToken: string
  headers: { cashboxid: string; accesstoken: string }
}

/** Any server that is at work. */
type Server = Pick<TestServer, 'deps'>

function rolloutOf({ deps }: Server): RolloutDeps {
  return { store: deps.store, marketOf, now: () => new Date() }
}

export async function makeBox(server: Server, market = 'AT'): Promise<TestBox> {
  const rollout = rolloutOf(server)
  const { accountId } = await createAccount(rollout, {
    kind: 'PosOperator',
    name: 'Test',
    market,
    country: market,
    email: `${randomUUID()}@test.example`,
    roles: [],
    autoInvite: false,
  })
  const box = { accountId, outletId: null, description: 'test' }
  const { cashBoxId, accessToken } = await createCashBox(rollout, box)
  return {
    ...{ market, accountId, cashBoxId, accessToken },
    headers: { cashboxid: cashBoxId, accesstoken: accessToken },
  }
}

export interface ScuOptions {
  package?: string
  mode?: number
  url?: string
  configuration?: Record<string, unknown>
}

export function makeScu(server: Server, box: TestBox, scu: ScuOptions = {}): Promise<string> {
  const { accountId, cashBoxId, market } = box
  const emulator = marketOf(market).rollout.demo.scuPackage
  const unit = { accountId, cashBoxId, market, package: emulator, description: 'test' }
  return createScu(rolloutOf(server), { ...unit, ...scu })
}

export interface TestSigner extends TestBox {
  scuId: string
}

/** A cash box with one emulated signing unit and no queue. */
export async function makeSigner(server: Server, scu: ScuOptions = {}): Promise<TestSigner> {
  const box = await makeBox(server)
  return { ...box, scuId: await makeScu(server, box, scu) }
}

export function makeQueue(server: Server, box: TestBox, scuIds: string[]): Promise<string> {
  const { accountId, cashBoxId, market } = box
  const queue = { accountId, cashBoxId, market, description: 'test', scuIds }
  return createQueue(rolloutOf(server), queue)
}
