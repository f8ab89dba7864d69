// The shop of a test file with what the tests of group B need: calls with the cash box's
// credentials, further servers on the same database, further queues and cash boxes.
import type { FastifyInstance } from 'fastify'
import type { ConnectionTimes } from '../../src/api/shared/connection.js'
import { buildApp } from '../../src/app.js'
import { createAccount } from '../../src/core/accounts/accounts.js'
import { createCashBox, createQueue, createScu } from '../../src/core/rollout/create.js'
import { createDeps, type Deps } from '../../src/deps.js'
import { createLog } from '../../src/log.js'
import { marketOf } from '../../src/market/index.js'
import { configOf, type TestSettings } from './settings.js'
import { closeDeps, openShop, type Shop } from './shop.js'

export interface Server {
  app: FastifyInstance
  deps: Deps
  close(): Promise<void>
}

export interface TestServer extends Shop {
  /** The headers of the shop's Austrian cash box. */
  headers: { cashboxid: string; accesstoken: string }
  /** One row of a statement, for what only the database shows. */
  row(sql: string, values?: unknown[]): Promise<Record<string, unknown>>
}

export async function startTestServer(variables: TestSettings = {}): Promise<TestServer> {
  const shop = await openShop({ DATABASE_POOL: '4', ...variables }, undefined, {
    countries: ['AT'],
  })
  return {
    ...shop,
    headers: headersOf(shop.box),
    row: async (sql, values = []) => {
      const found = await shop.deps.store.pool.query<Record<string, unknown>>(sql, values)
      return found.rows[0] ?? {}
    },
  }
}

/** A further server on the same database; its environment and its patience may differ. */
export async function startServer(
  { deps: { config }, database }: Pick<Shop, 'deps' | 'database'>,
  variables: TestSettings = {},
  times?: ConnectionTimes,
): Promise<Server> {
  const keys = config.MASTER_KEY.map((key) => key.toString('base64')).join(',')
  const deps = await createDeps({
    config: configOf({ MASTER_KEY: keys, DATABASE_POOL: '4', ...variables }),
    log: createLog('silent', false),
    database: { poolConfig: database.config },
  })
  const app = await buildApp(deps, times)
  await app.ready()
  const close = async () => {
    await app.close()
    await closeDeps(deps)
  }
  return { app, deps, close }
}

export function headersOf(box: { cashBoxId: string; accessToken: string }): TestServer['headers'] {
  return { cashboxid: box.cashBoxId, accesstoken: box.accessToken }
}

export interface Call {
  body?: string | Buffer
  /** Beside or instead of the ones of the cash box; undefined takes one away. */
  headers?: Record<string, string | undefined>
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'OPTIONS'
}

/** One call with the credentials of the cash box; POST with a JSON body unless told otherwise. */
export async function call(
  server: Pick<TestServer, 'app' | 'headers'>,
  url: string,
  { body, headers = {}, method = 'POST' }: Call = {},
) {
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const given = Object.entries({ ...server.headers, ...type, ...headers })
  const answer = await server.app.inject({
    method,
    url,
    headers: Object.fromEntries(given.filter(([, value]) => value !== undefined)),
    ...(body === undefined ? {} : { payload: body }),
  })
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text: answer.body,
    json: () => JSON.parse(answer.body) as Record<string, unknown>,
  }
}

/** What the functions of core/rollout need. */
function rollout({ deps }: Pick<Server, 'deps'>) {
  return { store: deps.store, marketOf, now: () => new Date() }
}

/** A further Austrian queue, not started, with a software device of its own. */
export async function addQueue(
  server: TestServer,
  cashBoxId: string = server.box.cashBoxId,
): Promise<string> {
  const unit = {
    accountId: server.demo.operator.accountId,
    cashBoxId,
    market: 'AT',
    description: 'further',
  }
  const { scuPackage } = marketOf('AT').rollout.demo
  const scuId = await createScu(rollout(server), { ...unit, package: scuPackage })
  return createQueue(rollout(server), { ...unit, scuIds: [scuId] })
}

/** A cash box of another account, with a queue of its own; `number` where a test wants several. */
export async function addForeignBox(server: TestServer, number = 1) {
  const { accountId } = await createAccount(rollout(server), {
    kind: 'PosOperator',
    name: 'Somebody else',
    market: 'AT',
    country: 'AT',
    email: `else${number}@example.com`,
    roles: [],
    autoInvite: false,
  })
  const names = { accountId, description: 'foreign' }
  const box = await createCashBox(rollout(server), { ...names, outletId: null })
  const place = { cashBoxId: box.cashBoxId, market: 'AT', scuIds: [] }
  return { ...box, accountId, queueId: await createQueue(rollout(server), { ...names, ...place }) }
}

/**
 * How many rows each table of receipts holds: the same before and after means nothing was stored.
 */
export async function countRows(server: TestServer): Promise<Record<string, unknown>> {
  return server.row(`select
    (select count(*) from queue_item) as items,
    (select count(*) from receipt_journal) as receipts,
    (select count(*) from action_journal) as actions,
    (select count(*) from market_row) as markets,
    (select sum(queued_row) from queue) as queued,
    (select sum(version) from queue) as versions`)
}
