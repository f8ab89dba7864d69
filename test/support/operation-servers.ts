// Servers that share one database of operations, and calls to them.
import { createHash, randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { Execution, OperationCall, Operations } from '../../src/core/operation/operation.js'
import { createOperations } from '../../src/core/operation/operations.js'
import type { FiscalError } from '../../src/errors.js'
import { createTestDatabase, type TestDatabase } from './db.js'
import { createTill, job, openStand, type Stand, type Till, testKey } from './stand.js'

const JSON_TYPE = 'application/json; charset=utf-8'

export interface OperationServer {
  stand: Stand
  operations: Operations
  errors: string[]
}

/** Of a test file: its database, two servers, and what else a test opens until its end. */
export function operationStage() {
  let database: TestDatabase
  let client: pg.Client
  let till: Till
  let servers: OperationServer[] = []
  const masterKey = testKey()

  const openServer = (): OperationServer => {
    const server = newServer(database, masterKey)
    servers.push(server)
    return server
  }
  const nth = (at: number): OperationServer => {
    const server = servers[at]
    if (server === undefined) throw new Error('the servers are not open yet')
    return server
  }
  beforeAll(async () => {
    database = await createTestDatabase()
    client = new pg.Client(database.config)
    await client.connect()
    openServer()
    openServer()
    till = await createTill(nth(0).stand)
  })
  afterEach(async () => {
    for (const server of servers.slice(2)) await close(server)
    servers = servers.slice(0, 2)
  })
  afterAll(async () => {
    for (const server of servers) await close(server)
    await client.end()
    await database.drop()
  })
  return {
    openServer,
    /** Before the end of its test. */
    stop: async (server: OperationServer): Promise<void> => {
      servers = servers.filter((one) => one !== server)
      await close(server)
    },
    one: () => nth(0),
    two: () => nth(1),
    till: () => till,
    client: () => client,
    callOf: (wanted?: Wanted) => callOf(till, wanted),
    signing: (server: OperationServer, call: OperationCall, reference?: string) =>
      signing({ server, till }, call, reference),
    countOf: async (table: string, id: string): Promise<number> => {
      const column = table === 'operation' ? 'id' : 'operation_id'
      const found = await client.query(`select 1 from ${table} where ${column} = $1`, [id])
      return found.rowCount ?? 0
    },
    rowOf: async (id: string): Promise<Record<string, unknown>> => {
      const found = await client.query<Record<string, unknown>>(
        'select * from operation where id = $1',
        [id],
      )
      return found.rows[0] ?? {}
    },
  }
}

function newServer(database: TestDatabase, masterKey: Buffer): OperationServer {
  const runner = randomInt(2 ** 31 - 1)
  const stand = openStand(database.config, { masterKey, deps: { runner } })
  const errors: string[] = []
  const operations = createOperations({
    store: stand.store,
    runner,
    now: () => new Date(),
    log: { error: (details, message) => errors.push(`${message} ${JSON.stringify(details)}`) },
    failureOf: (error) => ({
      status: (error as FiscalError).kind === 'invalid' ? 400 : 500,
      contentType: 'application/problem+json',
      body: JSON.stringify({ code: (error as FiscalError).code }),
    }),
  })
  return { stand, operations, errors }
}

async function close({ stand, operations }: OperationServer): Promise<void> {
  await operations.close()
  await stand.close()
}

type Wanted = Partial<OperationCall> & { text?: string }

function callOf(till: Till, wanted: Wanted = {}): OperationCall {
  const { text = '{"a":1}', ...rest } = wanted
  return {
    accountId: till.accountId,
    cashBoxId: till.cashBoxId,
    id: randomUUID(),
    method: 'POST',
    path: '/v2/pay',
    bodyHash: createHash('sha256').update(text).digest(),
    headers: '{"x-cashbox-accesstoken":"***"}',
    requestText: text,
    ...rest,
  }
}

/** Counts how often it is executed. */
export function counted(kind: 'claimed' | 'noted', ms = 0) {
  const work = {
    executions: 0,
    prepare: () =>
      Promise.resolve<Execution>({
        kind,
        run: async () => {
          work.executions += 1
          await sleep(ms)
          return { status: 201, contentType: JSON_TYPE, body: `{"n":${work.executions}}` }
        },
      }),
  }
  return work
}

function signing(
  { server, till }: { server: OperationServer; till: Till },
  call: OperationCall,
  reference = call.id,
) {
  const run = async () => {
    const signed = await server.stand.signing.sign({
      ...job(till, { reference }),
      operation: call,
    })
    if (signed.kind !== 'answered') throw new Error(signed.kind)
    const { responseText: body, queueItemId } = signed
    return { status: 201, contentType: JSON_TYPE, body, queueId: till.queueId, queueItemId }
  }
  return { prepare: () => Promise.resolve<Execution>({ kind: 'recorded', run }) }
}
