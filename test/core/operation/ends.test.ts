// What servers that die or stop leave of operations.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { counted, operationStage } from '../../support/operation-servers.js'

const stage = operationStage()
const { openServer, callOf, signing, countOf, rowOf } = stage

describe('a server that dies', () => {
  it('in the middle of a payment leaves a failure that says so, for ever', async () => {
    const dying = openServer()
    const call = callOf()
    void dying.operations.run(call, counted('claimed', 60_000).prepare)
    await sleep(300)
    expect(await rowOf(call.id)).toMatchObject({ state: 'processing' })
    await dying.operations.close()
    const work = counted('claimed')
    const after = await stage.two().operations.run(call, work.prepare)
    expect(after).toMatchObject({ replayed: true, answer: { status: 500 } })
    expect(after.answer.body).toBe('{"code":"PAYMENT_UNKNOWN"}')
    expect(work.executions).toBe(0)
    expect((await stage.one().operations.run(call, work.prepare)).answer).toEqual(after.answer)
  }, 20_000)

  it('is noticed without anybody calling again', async () => {
    const dying = openServer()
    const call = callOf()
    void dying.operations.run(call, counted('claimed', 60_000).prepare)
    await sleep(300)
    await dying.operations.close()
    expect(await stage.one().operations.resolveOrphans()).toBe(1)
    expect(await rowOf(call.id)).toMatchObject({ state: 'failed', status: 500 })
    expect(await stage.one().operations.resolveOrphans()).toBe(0)
  }, 20_000)

  it('with a receipt that has no answer yet leaves room for the same call', async () => {
    const call = callOf({ path: '/v2/sign' })
    const item = randomUUID()
    // what a server leaves that was killed while its device worked
    await stage.client().query(
      `insert into operation (account_id, cash_box_id, id, path, request_hash, state, queue_id,
         queue_item_id, runner, started_at) values ($1,$2,$3,$4,$5,'processing',$6,$7,1,now())`,
      [
        call.accountId,
        call.cashBoxId,
        call.id,
        call.path,
        call.bodyHash,
        stage.till().queueId,
        item,
      ],
    )
    expect(await stage.one().operations.find(call)).toMatchObject({ state: 'rolledback' })
    const signed = await stage.one().operations.run(call, signing(stage.one(), call).prepare)
    expect(signed.replayed).toBe(false)
    expect(await countOf('queue_item', call.id)).toBe(1)
    expect(await stage.two().operations.find(call)).toMatchObject({ state: 'done' })
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
    await stage.stop(leaving)
    expect(await rowOf(call.id)).toMatchObject({ state: 'done', response: '{"n":1}' })
    expect((await running).answer.body).toBe('{"n":1}')
  })

  it('does not wait for one whose terminal goes on', async () => {
    const leaving = openServer()
    const call = callOf()
    const never = new Promise<never>(() => undefined)
    void leaving.operations.run(call, () => Promise.resolve({ kind: 'claimed', run: () => never }))
    await expect.poll(() => countOf('operation', call.id)).toBe(1)
    await stage.stop(leaving)
    expect(await rowOf(call.id)).toMatchObject({ state: 'processing' })
  })
})
