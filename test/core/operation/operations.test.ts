// Operations with an idempotency key: once, whoever calls how often.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { Leaving } from '../../../src/core/operation/leaving.js'
import type { Execution, OperationCall } from '../../../src/core/operation/operation.js'
import { fail } from '../../../src/errors.js'
import type { Store } from '../../../src/store/client.js'
import { findOperations } from '../../../src/store/operation/operations.js'
import { counted, operationStage } from '../../support/operation-servers.js'
import { createTill, job } from '../../support/stand.js'

const stage = operationStage()
const { openServer, callOf, signing, countOf, rowOf } = stage

describe.each(['claimed', 'noted'] as const)('an operation that is %s', (kind) => {
  it('is executed once and replayed with the same bytes', async () => {
    const call = callOf()
    const work = counted(kind)
    const first = await stage.one().operations.run(call, work.prepare)
    expect(first).toMatchObject({ replayed: false, answer: { status: 201, body: '{"n":1}' } })
    for (const server of [stage.one(), stage.two()]) {
      const again = await server.operations.run(call, work.prepare)
      expect(again).toMatchObject({ replayed: true, answer: first.answer })
    }
    expect(work.executions).toBe(1)
  })

  it('refuses another body under its id, even while it runs, and moves nothing', async () => {
    const call = callOf()
    const work = counted(kind, 200)
    const running = stage.one().operations.run(call, work.prepare)
    const other = { ...callOf({ text: '{"a":2}' }), id: call.id }
    await expect(stage.one().operations.run(other, work.prepare)).rejects.toThrow('another')
    await running
    for (const server of [stage.one(), stage.two()]) {
      await expect(server.operations.run(other, work.prepare)).rejects.toThrow('another')
    }
    expect(work.executions).toBe(1)
  })

  it('is independent of the same id of another cash box', async () => {
    const call = callOf()
    const foreign = await createTill(stage.one().stand)
    const work = counted(kind)
    await stage.one().operations.run(call, work.prepare)
    const other = { ...call, accountId: foreign.accountId, cashBoxId: foreign.cashBoxId }
    expect(await stage.one().operations.run(other, work.prepare)).toMatchObject({ replayed: false })
    expect(await stage.one().operations.find({ ...other, id: randomUUID() })).toBeUndefined()
  })

  it('uses up nothing when the body is refused', async () => {
    const call = callOf()
    const work = counted(kind)
    const refuse = () => Promise.reject(fail('BODY_MISSING', { expected: 'something' }))
    await expect(stage.one().operations.run(call, refuse)).rejects.toThrow('empty')
    expect(await countOf('operation', call.id)).toBe(0)
    expect(await stage.one().operations.run(call, work.prepare)).toMatchObject({ replayed: false })
  })
})

describe('many calls of one operation at once', () => {
  it('on two servers execute a payment once and hear the same', async () => {
    const call = callOf()
    const work = counted('claimed', 300)
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        (at % 2 === 0 ? stage.one() : stage.two()).operations.run(call, work.prepare),
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
        [stage.one(), stage.two(), stage.one(), stage.two()].map((server) =>
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
    const first = stage.one().operations.run(call, work.prepare, leaving)
    // the first has the work; without this either server may be the faster one
    await vi.waitFor(() => expect(work.executions).toBe(1), { interval: 5 })
    const other = stage.two().operations.run(call, work.prepare)
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
    const first = await stage.one().operations.run(known, signing(stage.one(), known).prepare)
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
    for (const call of calls)
      await stage.one().operations.run(call, signing(stage.one(), call).prepare)
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
    const first = await stage.one().operations.run(call, signing(stage.one(), call).prepare)
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
    const { answer } = await stage.one().operations.run(call, signing(stage.one(), call).prepare)
    expect(await rowOf(call.id)).toMatchObject({
      state: 'done',
      status: 201,
      request: null,
      response: null,
      runner: null,
      queue_item_id: answer.queueItemId,
    })
    expect(await stage.two().operations.find(call)).toMatchObject({
      state: 'done',
      response: answer.body,
      queueItemId: answer.queueItemId,
      queueId: stage.till().queueId,
      headers: call.headers,
    })
  })

  it('is found by the reference of its receipt, beside receipts without operation', async () => {
    const reference = randomUUID()
    const call = callOf({ path: '/v2/sign' })
    await stage.one().stand.signing.sign(job(stage.till(), { reference }))
    await stage.one().operations.run(call, signing(stage.one(), call, reference).prepare)
    const query = { ...call, queueIds: [stage.till().queueId], receiptReference: reference }
    const found = await stage.two().operations.byReference({ ...query, terminalId: undefined })
    expect(found.map(({ operation }) => operation?.id)).toEqual([call.id, undefined])
    expect(await stage.two().operations.byReference({ ...query, terminalId: 'other' })).toEqual([])
  })

  it('shows an operation that runs, here and elsewhere', async () => {
    const call = callOf()
    const running = stage.one().operations.run(call, counted('claimed', 400).prepare)
    await sleep(150)
    for (const { operations } of [stage.one(), stage.two()]) {
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
    const first = await stage.one().operations.run(call, failing)
    expect(first.answer).toMatchObject({ status: 400, body: '{"code":"PAYMENT_DECLINED"}' })
    const again = await stage.two().operations.run(call, counted('claimed').prepare)
    expect(again).toMatchObject({ replayed: true, answer: first.answer })
    expect(await stage.one().operations.find(call)).toMatchObject({ state: 'failed' })
  })

  it('of a receipt that was never stored uses up nothing', async () => {
    const call = callOf({ path: '/v2/sign' })
    const broken = () =>
      Promise.resolve<Execution>({
        kind: 'recorded',
        run: () => Promise.reject(fail('OVERLOADED')),
      })
    await expect(stage.one().operations.run(call, broken)).rejects.toThrow('waiting')
    const signed = await stage.one().operations.run(call, signing(stage.one(), call).prepare)
    expect(signed.replayed).toBe(false)
  })
})

describe('the look-up of operations', () => {
  it('is planned for its first calls only, whether it asks for one or for several', async () => {
    // one connection, whose prepared statements can be looked at
    const store = { pool: stage.client() } as unknown as Store
    for (let call = 0; call < 20; call += 1) {
      const keys = Array.from({ length: 1 + (call % 3) }, () => callOf())
      expect(await findOperations(store, keys)).toEqual([])
    }
    const { rows } = await stage.client().query(
      `select custom_plans::int as custom, generic_plans::int as kept
       from pg_prepared_statements where name = 'find-operations'`,
    )
    // PostgreSQL compares five plans of single calls with the one that it may keep
    expect(rows).toEqual([{ custom: 5, kept: 15 }])
  })
})
