// A running server for a test file: a database of its own, the demo's dealer, merchant and Austrian cash
// box (started), and the app as `npm start` builds it. Called in beforeAll by the tests of the API.
import { tmpdir } from 'node:os'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { buildApp } from '../../src/app.js'
import { readConfig } from '../../src/config.js'
import { createAccount } from '../../src/core/onboarding/accounts.js'
import { createCashBox, createQueue, createScu } from '../../src/core/rollout/create.js'
import { type Demo, type DemoCashBox, ensureDemo } from '../../src/core/rollout/demo.js'
import { createDeps, type Deps } from '../../src/deps.js'
import { marketOf, markets } from '../../src/market/index.js'
import { createTestDatabase, type TestDatabase } from './db.js'

/** Seals what the tests of all servers on one database must be able to open. */
const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')

export interface Server {
  app: FastifyInstance
  deps: Deps
  close(): Promise<void>
}

export interface TestServer extends Server {
  demo: Demo
  /** The Austrian cash box of the demo. */
  box: DemoCashBox
  /** The headers of that cash box. */
  headers: { cashboxid: string; accesstoken: string }
  database: TestDatabase
  /** One row of a statement, for what only the database shows. */
  row(sql: string, values?: unknown[]): Promise<Record<string, unknown>>
}

type Variables = Record<string, string>

/** A further server on the same database; the environment may differ. */
export async function startServer(
  database: TestDatabase,
  variables: Variables = {},
): Promise<Server> {
  const config = readConfig({ MASTER_KEY, DATA_DIR: tmpdir(), DATABASE_POOL: '4', ...variables })
  const deps = await createDeps({
    config,
    log: pino({ level: 'silent' }),
    database: { poolConfig: database.config },
  })
  const app = await buildApp(deps)
  await app.ready()
  const close = async () => {
    await app.close()
    await deps.signing.drained()
    await deps.store.close()
  }
  return { app, deps, close }
}

export async function startTestServer(variables: Variables = {}): Promise<TestServer> {
  const database = await createTestDatabase()
  const server = await startServer(database, variables)
  const demo = await ensureDemo({ ...rollout(server), signing: server.deps.signing, markets })
  const [box] = demo.cashBoxes
  if (box === undefined) throw new Error('the demo made no cash box')
  return {
    ...server,
    demo,
    box,
    headers: headersOf(box),
    database,
    row: async (sql, values = []) => {
      const found = await server.deps.store.pool.query<Record<string, unknown>>(sql, values)
      return found.rows[0] ?? {}
    },
    close: async () => {
      await server.close()
      await database.drop()
    },
  }
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
  server: Server & { headers: TestServer['headers'] },
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
export function rollout({ deps }: Server) {
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
  const { scuPackage } = marketOf('AT').demo
  const scuId = await createScu(rollout(server), { ...unit, package: scuPackage })
  return createQueue(rollout(server), { ...unit, scuIds: [scuId] })
}

/** A cash box of another account, with a queue of its own. */
export async function addForeignBox(server: TestServer) {
  const { accountId } = await createAccount(rollout(server), {
    kind: 'PosOperator',
    name: 'Somebody else',
    market: 'AT',
    country: 'AT',
    email: 'else@example.com',
    roles: [],
    autoInvite: false,
  })
  const names = { accountId, description: 'foreign' }
  const box = await createCashBox(rollout(server), { ...names, outletId: null })
  const place = { cashBoxId: box.cashBoxId, market: 'AT', scuIds: [] }
  return { ...box, queueId: await createQueue(rollout(server), { ...names, ...place }) }
}

/** How many rows each table of receipts holds: the same before and after means nothing was stored. */
export async function countRows(server: TestServer): Promise<Record<string, unknown>> {
  return server.row(`select
    (select count(*) from queue_item) as items,
    (select count(*) from receipt_journal) as receipts,
    (select count(*) from action_journal) as actions,
    (select count(*) from market_journal) as markets,
    (select sum(queued_row) from queue) as queued,
    (select sum(version) from queue) as versions`)
}
