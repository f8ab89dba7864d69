// A server with a dealer of its own and operators connected to it. Every call goes over HTTP to a
// real database.
import { randomBytes, randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { dealerOperations } from '../../src/api/dealer/operations.js'
import { buildApp } from '../../src/app.js'
import {
  type AccountAccess,
  createAccount,
  type NewAccount,
} from '../../src/core/accounts/accounts.js'
import { createDeps, type Deps } from '../../src/deps.js'
import { createLog } from '../../src/log.js'
import {
  type ConnectionState,
  putConnection,
  type Right,
} from '../../src/store/account/connections.js'
import { createTestDatabase, type TestDatabase } from './db.js'
import { configOf, type TestSettings } from './settings.js'
import { closeDeps } from './shop.js'

export interface CallInput {
  /** JSON unless it is a text or bytes. */
  body?: unknown
  /** Beside or instead of the credentials; undefined takes one away. */
  headers?: Record<string, string | undefined>
  /** Whose call it is; the dealer's unless told. */
  as?: AccountAccess
}

export interface Reply {
  status: number
  headers: Record<string, unknown>
  text: string
  /** The body as JSON object. */
  json(): Record<string, unknown>
  list(): Record<string, unknown>[]
}

export interface AuditLine {
  accountId: string
  onBehalfOf: string | null
  operation: string
  subjects: Record<string, unknown>
  before: unknown
  after: unknown
  traceId: string
}

export interface DealerStand {
  app: FastifyInstance
  deps: Deps
  database: TestDatabase
  /** An Austrian dealer that has opted in to auto-invitation, unless told otherwise. */
  dealer: AccountAccess
  /** `POST /api/posoperators/…`; the path may have any spelling. */
  call(line: string, input?: CallInput): Promise<Reply>
  /** A further account, not connected to anybody. */
  account(more?: Partial<NewAccount>): Promise<AccountAccess>
  /** A PosOperator of the dealer; its id. */
  operator(right?: Right, more?: OperatorOptions): Promise<string>
  rows(sql: string, values?: unknown[]): Promise<Record<string, unknown>[]>
  /** What has been written down for the dealer, oldest first. */
  audit(): Promise<AuditLine[]>
  close(): Promise<void>
}

export interface OperatorOptions extends Partial<NewAccount> {
  state?: ConnectionState
  /** The dealer; the one of the stand unless told. */
  of?: AccountAccess
}

export interface StandOptions {
  /** Of the environment. */
  variables?: TestSettings
  dealer?: Partial<NewAccount>
  /** A second server on this database, which stays; both need the same MASTER_KEY. */
  beside?: TestDatabase
  now?: () => Date
}

export async function openDealer(options: StandOptions = {}): Promise<DealerStand> {
  const database = options.beside ?? (await createTestDatabase())
  const config = configOf({
    DATABASE_URL: 'postgresql://the.test.database',
    MASTER_KEY: randomBytes(32).toString('base64'),
    DATABASE_POOL: '6',
    ...options.variables,
  })
  const deps = await createDeps({
    config,
    log: createLog('silent', false),
    database: { poolConfig: database.config },
    ...(options.now === undefined ? {} : { now: options.now }),
  })
  const app = await buildApp(deps)
  await app.ready()
  const accounts = { store: deps.store, now: () => new Date() }
  const dealer = await createAccount(accounts, newAccount('PosDealer', options.dealer))
  const rows = async (sql: string, values: unknown[] = []) =>
    (await deps.store.pool.query<Record<string, unknown>>(sql, values)).rows
  return {
    ...{ app, deps, database, dealer, rows },
    call: (line, input = {}) => callWith(app, { line, as: dealer, ...input }),
    account: (more) => createAccount(accounts, newAccount('PosDealer', more)),
    operator: async (right = 'Full', { state = 'active', of = dealer, ...more } = {}) => {
      const { accountId } = await createAccount(accounts, newAccount('PosOperator', more))
      await putConnection(deps.store, {
        ...{ id: randomUUID(), accountId: of.accountId, toAccountId: accountId },
        ...{ rights: right, state, createdAt: new Date() },
      })
      return accountId
    },
    audit: async () => (await rows(AUDIT, [dealer.accountId])).map(auditLine),
    close: async () => {
      await app.close()
      await closeDeps(deps)
      if (options.beside === undefined) await database.drop()
    },
  }
}

const AUDIT = `select account_id, on_behalf_of, operation, subjects, before, after, trace_id
  from audit_entry where account_id = $1 or on_behalf_of = $1 order by moment, id`

function auditLine(row: Record<string, unknown>): AuditLine {
  const read = (text: unknown): unknown =>
    text === null ? undefined : (JSON.parse(String(text)) as unknown)
  return {
    accountId: String(row.account_id),
    onBehalfOf: row.on_behalf_of as string | null,
    operation: String(row.operation),
    subjects: read(row.subjects) as Record<string, unknown>,
    before: read(row.before),
    after: read(row.after),
    traceId: String(row.trace_id),
  }
}

let made = 0

export function newAccount(kind: NewAccount['kind'], more: Partial<NewAccount> = {}): NewAccount {
  made += 1
  const market = more.market ?? 'AT'
  return {
    kind,
    name: `${kind} ${made}`,
    market,
    country: market,
    email: `account-${made}@example.com`,
    roles: kind === 'PosDealer' ? ['PosDealer'] : [],
    autoInvite: kind === 'PosDealer',
    company: { line1: 'Gasse 1', postalCode: '1010', city: 'Wien' },
    ...more,
  }
}

export function headersOf({ accountId, accessToken }: AccountAccess): Record<string, string> {
  return { accountid: accountId, accesstoken: accessToken }
}

async function callWith(
  app: FastifyInstance,
  { line, body, headers = {}, as }: CallInput & { line: string; as: AccountAccess },
): Promise<Reply> {
  const [method = 'GET', url = ''] = line.split(' ')
  const raw = typeof body === 'string' || Buffer.isBuffer(body)
  const type = body === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' }
  const given = Object.entries({ ...headersOf(as), ...type, ...headers })
  const answer = await app.inject({
    method: method as 'GET',
    url,
    headers: Object.fromEntries(given.filter(([, value]) => value !== undefined)),
    ...(body === undefined ? {} : { payload: raw ? body : JSON.stringify(body) }),
  })
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text: answer.body,
    json: () => JSON.parse(answer.body) as Record<string, unknown>,
    list: () => JSON.parse(answer.body) as Record<string, unknown>[],
  }
}

/** The row of the table with this id. */
export function operationOf(id: string) {
  const found = dealerOperations.find((one) => one.id === id)
  if (found === undefined) throw new Error(`there is no operation ${id}`)
  return found
}

export interface Refused {
  status: number
  code: string
}

/** Status and `Code` of an error object whose members are as they must be. */
export function refusal({ status, headers, json }: Reply): Refused {
  const { Message, Code, TraceId } = json()
  if (!String(headers['content-type']).startsWith('application/json')) throw new Error('media type')
  if (typeof Message !== 'string' || Message === '') throw new Error('Message is missing')
  if (!/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/.test(String(TraceId))) throw new Error('TraceId')
  return { status, code: String(Code) }
}

/** `errors` of problem details whose other members are as they must be. */
export function faults(reply: Reply, status = 400): Record<string, string[]> {
  const body = reply.json()
  const type = String(reply.headers['content-type'])
  if (reply.status !== status || !type.startsWith('application/problem+json')) {
    throw new Error(`no problem details: ${reply.status} ${type} ${reply.text}`)
  }
  const names = ['type', 'title', 'status', 'detail', 'instance', 'errors', 'code', 'traceId']
  if (String(Object.keys(body)) !== String(names) || body.status !== status) {
    throw new Error(`members of problem details: ${reply.text}`)
  }
  return body.errors as Record<string, string[]>
}
