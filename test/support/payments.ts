// A desk for payments on a test database: tills of tests, calls of /pay as the door makes them, a
// terminal on a real socket that a test bends.
import { createHash, randomInt, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { PoolConfig } from 'pg'
import type { PosCall } from '../../src/api/possystem/call.js'
import { preparePay } from '../../src/api/possystem/pay.js'
import { paymentEndOf } from '../../src/api/possystem/payment-end.js'
import type { Operations } from '../../src/core/operation/operation.js'
import { createOperations } from '../../src/core/operation/operations.js'
import type { OperationTimes } from '../../src/core/operation/times.js'
import { createPayments, type PaymentDeps, type Payments } from '../../src/core/payment/payments.js'
import { createOutbound } from '../../src/device/outbound.js'
import { FiscalError } from '../../src/errors.js'
import { marketOf } from '../../src/market/index.js'
import {
  type SimulatedOrder,
  type SimulatorOptions,
  TerminalSimulator,
} from '../../src/simulator/payment/terminal.js'
import type { Store } from '../../src/store/client.js'
import { createTestDatabase, type TestDatabase } from './db.js'
import { type MadeQueue, makeQueue, testStore } from './make.js'

/** Six minutes are 0.36 seconds. */
export const SCALE = 0.001

export interface Desk {
  store: Store
  payments: Payments
  operations: Operations
  /** What was logged as an error. */
  errors: string[]
  close(): Promise<void>
}

/** Two of them on one database are two servers. */
export function openDesk(
  connection: PoolConfig,
  given: Partial<PaymentDeps> = {},
  times: Partial<OperationTimes> = {},
): Desk {
  return deskOn(testStore(connection), given, times)
}

/** Two servers on a database of their own, and a till at them. */
export interface TwoDesks {
  database: TestDatabase
  one: Desk
  two: Desk
  till: TestTill
  close(): Promise<void>
}

export async function openTwoDesks(given: Partial<PaymentDeps> = {}): Promise<TwoDesks> {
  const database = await createTestDatabase()
  const one = openDesk(database.config, given)
  const two = openDesk(database.config, given)
  const close = async () => {
    await Promise.all([one.close(), two.close()])
    await database.drop()
  }
  return { database, one, two, till: await makeTill(one.store), close }
}

/** On a store that others may use as well. */
export function deskOn(
  store: Store,
  given: Partial<PaymentDeps> = {},
  times: Partial<OperationTimes> = {},
): Desk {
  const errors: string[] = []
  const log = {
    error: (details: object, message: string) => void errors.push(textOf(message, details)),
  }
  const now = given.now ?? (() => new Date())
  const operations = createOperations({
    ...{ store, now, log, times },
    runner: randomInt(2 ** 31 - 1),
    failureOf: (error) => ({
      status: error instanceof FiscalError && error.kind === 'invalid' ? 400 : 500,
      contentType: 'application/problem+json; charset=utf-8',
      body: JSON.stringify({ code: codeOf(error), detail: String(error) }),
    }),
  })
  const payments = createPayments({
    ...{ store, now, marketOf, log, operations },
    endOf: paymentEndOf,
    fetch: createOutbound({ allow: [] }),
    sandbox: true,
    scale: SCALE,
    patience: { pauseMs: 20, questionMs: 2_000, lostMs: 300 },
    ...given,
  })
  const close = async () => {
    await payments.close(0)
    await operations.close()
    await store.close()
  }
  return { store, payments, operations, errors, close }
}

function textOf(message: string, details: object): string {
  return `${message} ${'err' in details ? String(details.err) : ''}`
}

export function codeOf(error: unknown): string {
  return error instanceof FiscalError ? error.code : String(error)
}

export interface PayOptions {
  /** Instead of a payment by use_auto. */
  body?: Record<string, unknown> | string
  id?: string
  /** x-terminal-id */
  terminalId?: string
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()

export function callOf(till: TestTill, options: PayOptions): PosCall {
  const { body = {}, id = randomUUID(), terminalId } = options
  const bodyText = typeof body === 'string' ? body : JSON.stringify(body)
  return {
    access: {
      accountId: till.accountId,
      cashBoxId: till.cashBoxId,
      tokenHash: sha256('token'),
      queues: [{ id: till.queueId, market: till.market, createdAt: new Date(0), stopped: false }],
    },
    operation: {
      accountId: till.accountId,
      cashBoxId: till.cashBoxId,
      id,
      method: 'POST',
      path: '/v2/pay',
      bodyHash: sha256(bodyText),
      headers: '{}',
      requestText: bodyText,
    },
    posSystemId: randomUUID(),
    terminalId,
    bodyText,
    request: {} as FastifyRequest,
  }
}

export type TestTill = MadeQueue & { market: string }

export async function makeTill(store: Store, market = 'AT'): Promise<TestTill> {
  const made = await makeQueue(store, { market })
  await store.pool.query(
    `insert into directory (id, kind, account_id) values ($1, 'cashbox', $2)`,
    [made.cashBoxId, made.accountId],
  )
  return { ...made, market }
}

export interface Answered {
  status: number
  text: string
  replayed: boolean
}

/** The code of a refusal; `201` where there is none. */
export const outcomeOf = ({ status, text }: Answered): string =>
  status === 201 ? '201' : (JSON.parse(text) as { code: string }).code

/** One call as the door makes it. Rejects with what refuses it before it begins. */
export async function pay(desk: Desk, till: TestTill, options: PayOptions): Promise<Answered> {
  const call = callOf(till, options)
  const prepare = preparePay(desk)
  const { answer, replayed } = await desk.operations.run(call.operation, () => prepare(call))
  return { status: answer.status, text: answer.body, replayed }
}

/** A PayRequest; the amount goes out as it is written here. */
export function payment(amount: string, rest: Record<string, unknown> = {}): string {
  const { cbPayItem = {}, ...top } = rest
  const item = JSON.stringify({ Description: 'Card', ...(cbPayItem as object) }).slice(1)
  const head = JSON.stringify({ Action: 'payment', Protocol: 'use_auto', ...top }).slice(0, -1)
  return `${head},"cbPayItem":{"Amount":${amount},${item}}`
}

export interface Item {
  ftPayItemId: string
  ftPayItemID: string
  Description: string
  Amount: number
  ftPayItemCaseData?: {
    Provider: {
      Protocol: string
      Action: string
      ProtocolRequest: Record<string, unknown>
      ProtocolResponse: Record<string, unknown>
    }
    Receipt: string[]
  }
  Moment: string
}

export function itemsOf({ text }: Answered): Item[] {
  return (JSON.parse(text) as { ftPayItems: Item[] }).ftPayItems
}

// --------------------------------------------------------------------- terminal

export interface BentTerminal {
  url: string
  /** Operations that it has begun, in order. */
  begun: SimulatedOrder[]
  /** `METHOD /path` of every request. */
  calls: string[]
  /**
   * Answers, or cuts, instead of the terminal where it returns true; `work` lets the terminal do
   * its work all the same, unseen.
   */
  bend: (request: IncomingMessage, response: ServerResponse, work: () => void) => boolean
  close(): Promise<void>
}

/** A simulated terminal on a free port of this machine. */
export async function openTerminal(
  options: SimulatorOptions = { scale: SCALE },
): Promise<BentTerminal> {
  const begun: SimulatedOrder[] = []
  const simulator = new TerminalSimulator({ ...options, onBegin: (order) => begun.push(order) })
  const server = createServer((request, response) => {
    terminal.calls.push(`${request.method} ${request.url}`)
    const unseen = Object.assign(Object.create(response) as ServerResponse, {
      writeHead: () => unseen,
      end: () => unseen,
    })
    const work = () => void simulator.serve(request, unseen)
    if (!terminal.bend(request, response, work)) void simulator.serve(request, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const terminal: BentTerminal = {
    url: `http://127.0.0.1:${port}`,
    begun,
    calls: [],
    bend: () => false,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
  return terminal
}
