// Too much to do, and a database that is away: 503 that says when to come again, before anything
// was started. The same call works afterwards, and was executed once.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { PosSystemParts } from '../../../src/api/possystem/deps.js'
import { buildApp } from '../../../src/app.js'
import { startServer } from '../../support/app.js'
import { createTestDatabase } from '../../support/db.js'
import {
  jsonOf,
  lowState,
  openPosShop,
  type PosShop,
  payment,
  sale,
} from '../../support/pos-shop.js'
import { problemOf, type WireReply } from '../../support/pos-wire.js'
import { DatabaseProxy } from '../../support/proxy.js'

let shop: PosShop
let proxy: DatabaseProxy
/** Behind the bad network. */
let far: Awaited<ReturnType<typeof startServer>>
let url: string
/** Runs when an operation is known to be new and is about to begin. */
let before: () => void = () => undefined
let comeBack: () => void = () => undefined

beforeAll(async () => {
  const near = await createTestDatabase()
  shop = await openPosShop({ DUMMY_PAYMENT_TIME_SCALE: '0' }, ['AT'], near)
  proxy = await DatabaseProxy.start(near.config)
  const database = { ...near, config: proxy.through(near.config) }
  far = await startServer({ deps: shop.deps, database }, { DUMMY_PAYMENT_TIME_SCALE: '0.001' })
  const { possystem } = far.deps
  const app = await buildApp({
    ...far.deps,
    possystem: { ...possystem, parts: interrupted(possystem.parts) },
  })
  url = await app.listen({ host: '127.0.0.1', port: 0 })
  const { close } = far
  far.close = async () => {
    await app.close()
    await close()
  }
})
afterAll(async () => {
  await far.close()
  await proxy.stop()
  await shop.close()
})
afterEach(() => {
  before = () => undefined
  comeBack()
})

function interrupted(parts: PosSystemParts): PosSystemParts {
  const { pay } = parts
  if (pay === undefined) throw new Error('there is no pay')
  return {
    ...parts,
    pay: async (call) => {
      const execution = await pay(call)
      before()
      return execution
    },
  }
}

/** The database is away until `comeBack`. */
function goAway(): void {
  comeBack = proxy.goAway()
}

function expectUnavailable(reply: WireReply): void {
  problemOf(reply, 503, 'service_unavailable')
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
}

const ids = { ftQueueID: randomUUID(), ftQueueItemID: randomUUID() }
const pair = () =>
  jsonOf({ ReceiptRequest: {}, ReceiptResponse: { ...ids, ftQueueItemID: randomUUID() } })

const operations = (): [string, string, string, string?][] => [
  ['echo', '/v2/echo', '{"Message":"x"}'],
  ['pay', '/v2/pay', payment('1')],
  ['sign', '/v2/sign', jsonOf(sale())],
  ['issue', '/v2/issue', pair()],
  ['update', `/v2/issue/${ids.ftQueueID}/${ids.ftQueueItemID}`, '{"Action":"accept"}', 'PUT'],
  ['journal', '/v2/journal', '{"ftJournalType":1}'],
]

describe('a database that is away', () => {
  it.each(operations())(
    '%s is 503 while it is, and the same call works afterwards',
    async (name, path, body, method = 'POST') => {
      await shop.send(shop.at, '/v2/issue', jsonOf({ ReceiptRequest: {}, ReceiptResponse: ids }))
      const id = randomUUID()
      const send = () => shop.send(shop.at, path, body, { id, method, url })
      // the credentials are remembered, so it is the operation that cannot be looked up
      expect((await shop.send(shop.at, '/v2/echo', '{}', { url })).status).toBe(200)
      const counts = await shop.counts()
      goAway()
      expectUnavailable(await send())
      // now they are not either
      await sleep(600)
      expectUnavailable(await send())
      expect(await shop.counts()).toEqual(counts)
      comeBack()
      await expect.poll(async () => (await send()).status).toBe(200)
      const again = await send()
      expect(again.status).toBe(200)
      const after = await shop.counts()
      expect(Number(after.operation) - Number(counts.operation), name).toBe(1)
      for (const table of ['queue_item', 'payment', 'issued_receipt', 'delivery']) {
        expect(Number(after[table]) - Number(counts[table]), table).toBeLessThanOrEqual(1)
      }
    },
  )

  it.each([
    ...[`/v2/operation/${randomUUID()}`, '/v2/operation?cbReceiptReference=x'],
    ...[`/v2/journal/${randomUUID()}`, `/v2/issue/${ids.ftQueueID}/${ids.ftQueueItemID}`],
    `/v2/issue/${ids.ftQueueID}/${ids.ftQueueItemID}/delivered`,
  ])('GET %s is 503', async (path) => {
    await shop.send(shop.at, '/v2/echo', '{}', { url })
    goAway()
    for (const pause of [0, 600]) {
      await sleep(pause)
      expectUnavailable(await shop.send(shop.at, path, undefined, { method: 'GET', url }))
    }
  })

  it('a PIN is 503, and is not used up', async () => {
    const { pin } = await shop.deps.possystem.pairing.create(shop.at.cashBoxId)
    const redeem = () => shop.send(shop.at, '/v2/pair', `{"Pin":"${pin}"}`, { url })
    goAway()
    expectUnavailable(await redeem())
    comeBack()
    await expect.poll(async () => (await redeem()).status).toBe(200)
  })

  it('before a payment is noted: no money moves, and the same call pays once', async () => {
    const id = randomUUID()
    const send = () => shop.send(shop.at, '/v2/pay', payment('7'), { id, url })
    before = goAway
    expectUnavailable(await send())
    expect(await shop.rows('select 1 from payment where reference = $1', [id])).toEqual([])
    before = () => undefined
    comeBack()
    await expect.poll(async () => (await send()).status).toBe(201)
    expect((await send()).status).toBe(200)
    expect(await shop.rows('select 1 from payment where reference = $1', [id])).toHaveLength(1)
  })

  it('with a note written unheard: the payment had not begun, and is made later', async () => {
    const id = randomUUID()
    const send = () => shop.send(shop.at, '/v2/pay', payment('8'), { id, url })
    before = () => proxy.cutNext('answer', 'insert-operation')
    expectUnavailable(await send())
    const [noted] = await shop.rows('select state from operation where id = $1', [id])
    expect(noted, 'the note has arrived').toEqual({ state: 'processing' })
    expect(await shop.rows('select 1 from payment where reference = $1', [id])).toEqual([])
    before = () => undefined
    // another server must not wait for it for ever
    const state = async () => (await shop.read(shop.at, `/v2/operation/${id}`)).json().State
    await expect.poll(state).toBe('never')
    const paid = await send()
    expect(paid.status, paid.text).toBe(201)
    expect(await shop.rows('select 1 from payment where reference = $1', [id])).toHaveLength(1)
  })

  it('while a payment runs: it ends, and whoever asks again gets its result', async () => {
    const id = randomUUID()
    const send = () => shop.send(shop.at, '/v2/pay', payment('30000.80'), { id, url })
    const first = send()
    await expect
      .poll(() => shop.rows('select 1 from operation where id = $1', [id]))
      .toHaveLength(1)
    goAway()
    await sleep(700)
    comeBack()
    const paid = await first
    expect(paid.status, paid.text).toBe(201)
    const again = await send()
    expect([again.status, again.bytes]).toEqual([200, paid.bytes])
  })
})

describe('too many receipts at once', () => {
  it('are 503 with Retry-After; the id stays free, and all are signed in the end', async () => {
    const narrow = await shop.beside({ signWaitingMax: 2 })
    try {
      const calls = Array.from({ length: 30 }, () => ({ id: randomUUID(), body: sale() }))
      const send = ({ id, body }: (typeof calls)[number]) =>
        shop.send(shop.at, '/v2/sign', body, { id, url: narrow.url })
      const counts = await shop.counts()
      const replies = await Promise.all(calls.map(send))
      const refused = calls.filter((_call, at) => replies[at]?.status === 503)
      expect(refused.length).toBeGreaterThan(0)
      for (const reply of replies) {
        if (reply.status === 503) expectUnavailable(reply)
        else expect([reply.status, lowState(reply)]).toEqual([201, 0n])
      }
      for (const { id } of refused) {
        const look = await shop.read(shop.at, `/v2/operation/${id}`)
        expect(look.json()).toEqual({ State: 'never' })
      }
      // one after the other there is room
      for (const call of refused) expect((await send(call)).status).toBe(201)
      const after = await shop.counts()
      expect(Number(after.queue_item) - Number(counts.queue_item)).toBe(calls.length)
      expect(Number(after.operation) - Number(counts.operation)).toBe(calls.length)
    } finally {
      await narrow.close()
    }
  })
})
