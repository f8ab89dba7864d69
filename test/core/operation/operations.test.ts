import { createHash, randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { Leaving } from '../../../src/core/operation/leaving.js'
import type { Execution, OperationCall, Operations } from '../../../src/core/operation/operation.js'
import { createOperations } from '../../../src/core/operation/operations.js'
import { type FiscalError, fail } from '../../../src/errors.js'
import { createTestDatabase, type TestDatabase } from '../../support/db.js'
import { createTill, job, openStand, type Stand, type Till, testKey } from '../../support/stand.js'

const JSON_TYPE = 'application/json; charset=utf-8'

interface Server {
  stand: Stand
  operations: Operations
  errors: string[]
}

let database: TestDatabase
let client: pg.Client
let servers: Server[] = []
let one: Server
let two: Server
let till: Till
const masterKey = testKey()

function openServer(): Server {
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
  const server = { stand, operations, errors }
  servers.push(server)
  return server
}

beforeAll(async () => {
  database = await createTestDatabase()
  client = new pg.Client(database.config)
  await client.connect()
  one = openServer()
  two = openServer()
  till = await createTill(one.stand)
})

afterAll(async () => {
  await client.end()
  await database.drop()
})

afterEach(async () => {
  // servers that a test has opened for itself
  for (const server of servers.slice(2)) await close(server)
  servers = servers.slice(0, 2)
})

afterAll(async () => {
  for (const server of servers) await close(server)
})

async function close({ stand, operations }: Server): Promise<void> {
  await operations.close()
  await stand.close()
}

function callOf(wanted: Partial<OperationCall> & { text?: string } = {}): OperationCall {
  const { text = '{"a":1}', ...rest } = wanted
  return {
    accountId: till.accountId,
    cashBoxId: till.cashBoxId,
    id: randomUUID(),
    method: 'POST',
    path: '/v2/pay',
    fingerprint: createHash('sha256').update(text).digest(),
    headers: '{"x-cashbox-accesstoken":"***"}',
    requestText: text,
    ...rest,
  }
}

/** Counts how often it is executed. */
function counted(kind: 'claimed' | 'noted', ms = 0) {
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

const signing = (server: Server, call: OperationCall, reference = call.id) => ({
  prepare: () =>
    Promise.resolve<Execution>({
      kind: 'recorded',
      run: async () => {
        const signed = await server.stand.signing.sign({
          ...job(till, { reference }),
          operation: call,
        })
        if (signed.kind !== 'answered') throw new Error(signed.kind)
        const { responseText: body, queueItemId } = signed
        return { status: 201, contentType: JSON_TYPE, body, queueId: till.queueId, queueItemId }
      },
    }),
})

const countOf = async (table: string, id: string): Promise<number> => {
  const column = table === 'operation' ? 'id' : 'operation_id'
  const found = await client.query(`select 1 from ${table} where ${column} = $1`, [id])
  return found.rowCount ?? 0
}

async function rowOf(id: string): Promise<Record<string, unknown>> {
  const found = await client.query<Record<string, unknown>>(
    'select * from operation where id = $1',
    [id],
  )
  return found.rows[0] ?? {}
}

describe.each(['claimed', 'noted'] as const)('an operation that is %s', (kind) => {
  it('is executed once and replayed with the same bytes', async () => {
    const call = callOf()
    const work = counted(kind)
    const first = await one.operations.run(call, work.prepare)
    expect(first).toMatchObject({ replayed: false, answer: { status: 201, body: '{"n":1}' } })
    for (const server of [one, two]) {
      const again = await server.operations.run(call, work.prepare)
      expect(again).toMatchObject({ replayed: true, answer: first.answer })
    }
    expect(work.executions).toBe(1)
  })

  it('refuses another body under its id, even while it runs, and moves nothing', async () => {
    const call = callOf()
    const work = counted(kind, 200)
    const running = one.operations.run(call, work.prepare)
    const other = { ...callOf({ text: '{"a":2}' }), id: call.id }
    await expect(one.operations.run(other, work.prepare)).rejects.toThrow('another')
    await running
    for (const server of [one, two]) {
      await expect(server.operations.run(other, work.prepare)).rejects.toThrow('another')
    }
    expect(work.executions).toBe(1)
  })

  it('is independent of the same id of another cash box', async () => {
    const call = callOf()
    const foreign = await createTill(one.stand)
    const work = counted(kind)
    await one.operations.run(call, work.prepare)
    const other = { ...call, accountId: foreign.accountId, cashBoxId: foreign.cashBoxId }
    expect(await one.operations.run(other, work.prepare)).toMatchObject({ replayed: false })
    expect(await one.operations.find({ ...other, id: randomUUID() })).toBeUndefined()
  })

  it('uses up nothing when the body is refused', async () => {
    const call = callOf()
    const work = counted(kind)
    const refuse = () => Promise.reject(fail('BODY_MISSING', { expected: 'something' }))
    await expect(one.operations.run(call, refuse)).rejects.toThrow('empty')
    expect(await countOf('operation', call.id)).toBe(0)
    expect(await one.operations.run(call, work.prepare)).toMatchObject({ replayed: false })
  })
})

describe('many calls of one operation at once', () => {
  it('on two servers execute a payment once and hear the same', async () => {
    const call = callOf()
    const work = counted('claimed', 300)
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        (at % 2 === 0 ? one : two).operations.run(call, work.prepare),
      ),
    )
    expect(work.executions).toBe(1)
    expect(new Set(outcomes.map(({ answer }) => answer.body))).toEqual(new Set(['{"n":1}']))
    expect(outcomes.filter(({ replayed }) => !replayed)).toHaveLength(1)
  })

  it('on two servers sign one receipt, whichever of them is faster', async () => {
    for (let round = 0; round < 20; round += 1) {
      const call = callOf({ path: '/v2/sign' })
      const outcomes = await Promise.all(
        [one, two, one, two].map((server) =>
          server.operations.run(call, signing(server, call).prepare),
        ),
      )
      expect(new Set(outcomes.map(({ answer }) => answer.body)).size).toBe(1)
      expect(await countOf('queue_item', call.id)).toBe(1)
      expect(await countOf('operation', call.id)).toBe(1)
    }
  })

  it('leave to a caller that gives up waiting no answer, and the work goes on', async () => {
    const call = callOf()
    const work = counted('claimed', 300)
    const leaving = new Leaving()
    const first = one.operations.run(call, work.prepare, leaving)
    // the first has the work; without this either server may be the faster one
    await vi.waitFor(() => expect(work.executions).toBe(1), { interval: 5 })
    const other = two.operations.run(call, work.prepare)
    await sleep(50)
    leaving.leave()
    await expect(first).rejects.toMatchObject({ code: 'OPERATION_WAITS' })
    expect(await other).toMatchObject({ replayed: true, answer: { body: '{"n":1}' } })
    expect(work.executions).toBe(1)
  })
})

describe('a call that another server has answered', () => {
  it('is told so out of a batch, and the others of the batch are signed together', async () => {
    const fresh = openServer()
    const known = callOf({ path: '/v2/sign' })
    const first = await one.operations.run(known, signing(one, known).prepare)
    const calls = Array.from({ length: 8 }, () => callOf({ path: '/v2/sign' }))
    const outcomes = await Promise.all(
      [known, ...calls].map((call) => fresh.operations.run(call, signing(fresh, call).prepare)),
    )
    expect(outcomes[0]).toMatchObject({ replayed: true, answer: { body: first.answer.body } })
    expect(outcomes.map(({ replayed }) => replayed)).toEqual([true, ...calls.map(() => false)])
    for (const { id } of [known, ...calls]) expect(await countOf('queue_item', id)).toBe(1)
    expect(fresh.stand.seen.batches).toEqual([{ receipts: 8, queues: 1 }])
    expect(fresh.stand.seen.errors).toEqual([])
  })

  it('makes its server wary: the next ones are looked up before they are executed', async () => {
    const fresh = openServer()
    const calls = [callOf({ path: '/v2/sign' }), callOf({ path: '/v2/sign' })]
    for (const call of calls) await one.operations.run(call, signing(one, call).prepare)
    const prepared: string[] = []
    const watched = (call: OperationCall) => () => {
      prepared.push(call.id)
      return signing(fresh, call).prepare()
    }
    for (const call of calls) {
      expect(await fresh.operations.run(call, watched(call))).toMatchObject({ replayed: true })
    }
    expect(prepared).toEqual([calls[0]?.id])
  })

  it('is answered even when its body would be refused now', async () => {
    const fresh = openServer()
    const call = callOf({ path: '/v2/sign' })
    const first = await one.operations.run(call, signing(one, call).prepare)
    const refuse = () => Promise.reject(new Error('this body is refused'))
    expect(await fresh.operations.run(call, refuse)).toMatchObject({
      replayed: true,
      answer: { body: first.answer.body },
    })
    await expect(fresh.operations.run(callOf(), refuse)).rejects.toThrow('refused')
  })
})

describe('the record', () => {
  it('of a receipt is stored with it, and its texts are those of the item', async () => {
    const call = callOf({ path: '/v2/sign' })
    const { answer } = await one.operations.run(call, signing(one, call).prepare)
    expect(await rowOf(call.id)).toMatchObject({
      state: 'done',
      status: 201,
      request: null,
      response: null,
      runner: null,
      queue_item_id: answer.queueItemId,
    })
    expect(await two.operations.find(call)).toMatchObject({
      state: 'done',
      response: answer.body,
      queueItemId: answer.queueItemId,
      queueId: till.queueId,
      headers: call.headers,
    })
  })

  it('is found by the reference of its receipt, beside receipts without operation', async () => {
    const reference = randomUUID()
    const call = callOf({ path: '/v2/sign' })
    await one.stand.signing.sign(job(till, { reference }))
    await one.operations.run(call, signing(one, call, reference).prepare)
    const query = { ...call, queueIds: [till.queueId], receiptReference: reference }
    const found = await two.operations.byReference({ ...query, terminalId: undefined })
    expect(found.map(({ operation }) => operation?.id)).toEqual([call.id, undefined])
    expect(await two.operations.byReference({ ...query, terminalId: 'other' })).toEqual([])
  })

  it('shows an operation that runs, here and elsewhere', async () => {
    const call = callOf()
    const running = one.operations.run(call, counted('claimed', 400).prepare)
    await sleep(150)
    for (const { operations } of [one, two]) {
      expect(await operations.find(call)).toMatchObject({ state: 'running', status: null })
    }
    await running
  })
})

describe('a failure', () => {
  const failing: () => Promise<Execution> = () =>
    Promise.resolve({
      kind: 'claimed',
      run: () => Promise.reject(fail('PAYMENT_DECLINED', { reason: 'no' })),
    })

  it('of a payment is kept and replayed as it was', async () => {
    const call = callOf()
    const first = await one.operations.run(call, failing)
    expect(first.answer).toMatchObject({ status: 400, body: '{"code":"PAYMENT_DECLINED"}' })
    const again = await two.operations.run(call, counted('claimed').prepare)
    expect(again).toMatchObject({ replayed: true, answer: first.answer })
    expect(await one.operations.find(call)).toMatchObject({ state: 'failed' })
  })

  it('of a receipt that was never stored uses up nothing', async () => {
    const call = callOf({ path: '/v2/sign' })
    const broken = () =>
      Promise.resolve<Execution>({
        kind: 'recorded',
        run: () => Promise.reject(fail('OVERLOADED')),
      })
    await expect(one.operations.run(call, broken)).rejects.toThrow('waiting')
    const signed = await one.operations.run(call, signing(one, call).prepare)
    expect(signed.replayed).toBe(false)
  })
})

describe('a server that dies', () => {
  it('in the middle of a payment leaves a failure that says so, for ever', async () => {
    const dying = openServer()
    const call = callOf()
    void dying.operations.run(call, counted('claimed', 60_000).prepare)
    await sleep(300)
    expect(await rowOf(call.id)).toMatchObject({ state: 'processing' })
    await dying.operations.close()
    const work = counted('claimed')
    const after = await two.operations.run(call, work.prepare)
    expect(after).toMatchObject({ replayed: true, answer: { status: 500 } })
    expect(after.answer.body).toBe('{"code":"PAYMENT_UNKNOWN"}')
    expect(work.executions).toBe(0)
    expect((await one.operations.run(call, work.prepare)).answer).toEqual(after.answer)
  }, 20_000)

  it('is noticed without anybody calling again', async () => {
    const dying = openServer()
    const call = callOf()
    void dying.operations.run(call, counted('claimed', 60_000).prepare)
    await sleep(300)
    await dying.operations.close()
    expect(await one.operations.resolveOrphans()).toBe(1)
    expect(await rowOf(call.id)).toMatchObject({ state: 'failed', status: 500 })
    expect(await one.operations.resolveOrphans()).toBe(0)
  }, 20_000)

  it('with a receipt that has no answer yet leaves room for the same call', async () => {
    const call = callOf({ path: '/v2/sign' })
    const item = randomUUID()
    // what a server leaves that was killed while its device worked
    await client.query(
      `insert into operation (account_id, cash_box_id, id, path, request_hash, state, queue_id,
         queue_item_id, runner, started_at) values ($1,$2,$3,$4,$5,'processing',$6,$7,1,now())`,
      [call.accountId, call.cashBoxId, call.id, call.path, call.fingerprint, till.queueId, item],
    )
    expect(await one.operations.find(call)).toMatchObject({ state: 'rolledback' })
    const signed = await one.operations.run(call, signing(one, call).prepare)
    expect(signed.replayed).toBe(false)
    expect(await countOf('queue_item', call.id)).toBe(1)
    expect(await two.operations.find(call)).toMatchObject({ state: 'done' })
  }, 20_000)
})

describe('a server that stops', () => {
  it('keeps the end of a payment that ends within a moment', async () => {
    const leaving = openServer()
    const call = callOf()
    const work = counted('claimed', 300)
    const running = leaving.operations.run(call, work.prepare)
    await expect.poll(() => countOf('operation', call.id)).toBe(1)
    // the store is closed at once, as the process ends behind it
    await close(leaving)
    servers = servers.filter((server) => server !== leaving)
    expect(await rowOf(call.id)).toMatchObject({ state: 'done', response: '{"n":1}' })
    expect((await running).answer.body).toBe('{"n":1}')
  })

  it('does not wait for one whose terminal goes on', async () => {
    const leaving = openServer()
    const call = callOf()
    const never = new Promise<never>(() => undefined)
    void leaving.operations.run(call, () => Promise.resolve({ kind: 'claimed', run: () => never }))
    await expect.poll(() => countOf('operation', call.id)).toBe(1)
    await close(leaving)
    servers = servers.filter((server) => server !== leaving)
    expect(await rowOf(call.id)).toMatchObject({ state: 'processing' })
  })
})
