// The same call in another spelling while the first one runs: both hear the one answer.
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { fail } from '../../../src/errors.js'
import { counted, operationStage } from '../../support/operation-servers.js'

const stage = operationStage()

const FIRST = '{"Action":"payment","cbPayItem":{"Amount":30000.60}}'
const SPELLINGS: readonly (readonly [string, string])[] = [
  ['one blank', '{"Action": "payment","cbPayItem":{"Amount":30000.60}}'],
  ['another order', '{"cbPayItem":{"Amount":30000.60},"Action":"payment"}'],
  ['fewer digits', '{"Action":"payment","cbPayItem":{"Amount":30000.6}}'],
]
const OTHER = '{"Action":"payment","cbPayItem":{"Amount":30000.61}}'

describe('a call whose body comes again in another spelling', () => {
  it.each(SPELLINGS)(
    'waits for the running payment of this server and gets its answer: %s',
    async (_what, text) => {
      for (const ms of [300, 0]) {
        const work = counted('claimed', ms)
        const call = stage.callOf({ text: FIRST })
        const again = { ...stage.callOf({ text }), id: call.id }
        const answers = await Promise.all([
          stage.one().operations.run(call, work.prepare),
          ...[1, 2, 3].map(() => stage.one().operations.run(again, work.prepare)),
        ])
        const [first] = answers
        expect(first?.answer).toMatchObject({ status: 201, body: '{"n":1}' })
        expect(answers.map(({ replayed }) => replayed)).toEqual([false, true, true, true])
        for (const { answer } of answers) expect(answer.body).toBe('{"n":1}')
        expect(work.executions).toBe(1)
        expect(await stage.rowOf(call.id)).toMatchObject({ state: 'done', status: 201 })
      }
    },
  )

  it.each(SPELLINGS)(
    'waits for the running payment of another server and gets its answer: %s',
    async (_what, text) => {
      const work = counted('claimed', 300)
      const call = stage.callOf({ text: FIRST })
      const again = { ...stage.callOf({ text }), id: call.id }
      const [first, ...others] = await Promise.all([
        stage.one().operations.run(call, work.prepare),
        stage.two().operations.run(again, work.prepare),
        stage.two().operations.run(call, work.prepare),
        stage.one().operations.run(again, work.prepare),
      ])
      for (const { answer } of others) expect(answer).toMatchObject(first.answer)
      expect(first.answer.status).toBe(201)
      expect(work.executions).toBe(1)
    },
  )

  it('gets the answer of what runs without a record as well', async () => {
    const work = counted('noted', 300)
    const call = stage.callOf({ text: FIRST })
    const again = { ...stage.callOf({ text: SPELLINGS[0]?.[1] ?? '' }), id: call.id }
    const [first, second] = await Promise.all([
      stage.one().operations.run(call, work.prepare),
      stage.one().operations.run(again, work.prepare),
    ])
    expect(second).toMatchObject({ replayed: true, answer: { body: first.answer.body } })
    expect(work.executions).toBe(1)
  })
})

describe('another body or another address under the id of a running call', () => {
  it('is a conflict at once, and the call goes on', async () => {
    const work = counted('claimed', 400)
    const call = stage.callOf({ text: FIRST })
    let ended = false
    const first = stage.one().operations.run(call, work.prepare)
    void first.then(() => {
      ended = true
    })
    while ((await stage.countOf('operation', call.id)) === 0);
    const others = [
      { ...stage.callOf({ text: OTHER }), id: call.id },
      { ...call, path: '/v2/echo' },
      { ...call, method: 'PUT' },
    ]
    for (const server of [stage.one(), stage.two()]) {
      for (const other of others) {
        const refused = server.operations.run(other, work.prepare)
        await expect(refused).rejects.toMatchObject({ code: 'OPERATION_CONFLICT' })
      }
    }
    expect(ended).toBe(false)
    expect((await first).answer.status).toBe(201)
    expect(work.executions).toBe(1)
  })

  it('never ends a payment that runs, whoever holds the id at that moment', async () => {
    const work = counted('claimed', 500)
    const call = stage.callOf({ text: FIRST })
    const wrong = { ...stage.callOf({ text: '{"Action":' }), id: call.id }
    const again = { ...stage.callOf({ text: SPELLINGS[1]?.[1] ?? '' }), id: call.id }
    const refuse = () => Promise.reject(fail('BODY_MISSING', { expected: 'a body' }))
    const first = stage.one().operations.run(call, work.prepare)
    while ((await stage.countOf('operation', call.id)) === 0);
    const [refused, repeated, elsewhere] = await Promise.allSettled([
      stage.two().operations.run(wrong, refuse),
      stage.two().operations.run(again, work.prepare),
      stage.one().operations.run(again, work.prepare),
    ])
    expect(refused).toMatchObject({ reason: { code: 'OPERATION_CONFLICT' } })
    expect(repeated).toMatchObject({ value: { replayed: true, answer: { status: 201 } } })
    expect(elsewhere).toMatchObject({ value: { replayed: true, answer: { status: 201 } } })
    expect((await first).answer.status).toBe(201)
  })
})

describe('the sweep of what dead servers left', () => {
  it('leaves alone what this server works on, even while its lock is lost', async () => {
    const server = stage.openServer()
    const work = counted('claimed', 6_000)
    const call = stage.callOf({ text: FIRST })
    const first = server.operations.run(call, work.prepare)
    while ((await stage.countOf('operation', call.id)) === 0);
    const { runner } = await stage.rowOf(call.id)
    // nobody sees this server any more, however often it comes back
    const losing = setInterval(() => {
      void stage.client().query(
        `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'
           and objid = $1 and database = (select oid from pg_database
             where datname = current_database())`,
        [runner],
      )
    }, 20)
    await sleep(100)
    await server.operations.resolveOrphans()
    clearInterval(losing)
    expect((await stage.rowOf(call.id)).state).toBe('processing')
    expect((await first).answer).toMatchObject({ status: 201, body: '{"n":1}' })
  }, 20_000)
})
