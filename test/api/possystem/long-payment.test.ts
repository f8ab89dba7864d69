// A payment of ten minutes at a two-hundredth of its time, and with it the patience of the server's
// connections: three seconds against 150 milliseconds of silence. What would cut a real one cuts
// this one.
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CONNECTION_TIMES, type ConnectionTimes } from '../../../src/api/shared/connection.js'
import { jsonOf, openPosShop, type PosShop, payment, sale } from '../../support/pos-shop.js'
import { wireHeaders } from '../../support/pos-wire.js'
import { requestText, sendRaw } from '../../support/raw-http.js'

const PART = 200
const TEN_MINUTES_MS = 600_000 / PART
/** 30000.80 takes six minutes at scale 1; here it takes ten minutes' part. */
const SCALE = String(TEN_MINUTES_MS / 360_000).slice(0, 8)
const AMOUNT = '30000.80'

/** Those of an arriving request are longer than their part: a busy machine must not refuse any. */
const TIMES: ConnectionTimes = {
  ...{ headers: 500, request: 750, check: 20 },
  ...{ silence: CONNECTION_TIMES.silence / PART, idle: CONNECTION_TIMES.idle / PART },
}

let shop: PosShop
let hasty: Awaited<ReturnType<PosShop['beside']>>
let other: Awaited<ReturnType<PosShop['beside']>>
beforeAll(async () => {
  shop = await openPosShop({ DUMMY_PAYMENT_TIME_SCALE: '0' }, ['AT'])
  hasty = await shop.beside({ DUMMY_PAYMENT_TIME_SCALE: SCALE }, TIMES)
  other = await shop.beside({ DUMMY_PAYMENT_TIME_SCALE: SCALE }, TIMES)
})
afterAll(async () => {
  await other.close()
  await hasty.close()
  await shop.close()
})

const pay = (id: string, amount = AMOUNT, url = hasty.url) =>
  shop.send(shop.at, '/v2/pay', payment(amount), { id, url })
const paid = (id: string) => shop.rows('select 1 from payment where reference = $1', [id])
const begun = (id: string) =>
  expect.poll(() => shop.rows('select 1 from operation where id = $1', [id])).toHaveLength(1)

/** What it resolves to, and the milliseconds until then. */
async function timed<T>(work: Promise<T>): Promise<[T, number]> {
  const from = performance.now()
  return [await work, performance.now() - from]
}

describe('a payment of ten minutes', () => {
  it('is answered on the connection that asked, which was silent all the time', async () => {
    const [reply, ms] = await timed(pay(randomUUID()))
    expect(reply.status, reply.text).toBe(201)
    expect(ms).toBeGreaterThan(TEN_MINUTES_MS * 0.95)
    expect(TEN_MINUTES_MS).toBeGreaterThan(3 * Math.max(TIMES.silence, TIMES.request))
  })

  it('is answered on a connection that was used before, and may be used after', async () => {
    const call = (body: string, path: string, last: boolean) => {
      const headers = wireHeaders(shop.at, { connection: last ? 'close' : 'keep-alive' })
      const length = String(Buffer.byteLength(body))
      const all = { ...headers, 'content-type': 'application/json', 'content-length': length }
      return requestText(path, all as Record<string, string>, body)
    }
    const echo = (last: boolean) => call('{"Message":"x"}', '/v2/echo', last)
    const head = echo(false) + call(payment(AMOUNT), '/v2/pay', false) + echo(true)
    const { text } = await sendRaw(hasty.url, { head })
    expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
      ...['200', '201', '200'],
    ])
  })

  it('blocks no other call of the cash box, nor many of them the database', async () => {
    // more payments than the pool has connections
    const ids = Array.from({ length: 12 }, () => randomUUID())
    let isOver = false
    const paying = Promise.all(ids.map((id) => pay(id))).finally(() => {
      isOver = true
    })
    await Promise.all(ids.map(begun))
    const url = hasty.url
    const calls = [
      shop.send(shop.at, '/v2/sign', sale(), { url }),
      shop.send(shop.at, '/v2/echo', '{"Message":"x"}', { url }),
      pay(randomUUID(), '1'),
      pay(randomUUID(), '30000.10'),
      shop.send(shop.at, '/v2/issue', issueBody(), { url }),
      shop.send(shop.at, '/v2/journal', '{"ftJournalType":1}', { url }),
      shop.send(shop.at, `/v2/operation/${ids[0]}`, undefined, { url, method: 'GET' }),
    ]
    const replies = await Promise.all(calls)
    expect(isOver, 'all that was answered meanwhile').toBe(false)
    expect(replies.map(({ status }) => status)).toEqual([201, 200, 201, 400, 201, 200, 200])
    expect(replies.at(-1)?.json().State).toBe('running')
    expect(new Set((await paying).map(({ status }) => status))).toEqual(new Set([201]))
  })

  it('that is asked for again and again, here and there, is one payment', async () => {
    const id = randomUUID()
    const replies = [pay(id)]
    await begun(id)
    // a client that repeats after a time-out, while its earlier connections still wait
    for (let turn = 0; turn < 5; turn += 1) {
      replies.push(pay(id, AMOUNT, turn % 2 === 0 ? hasty.url : other.url))
      await sleep(100)
    }
    const result = shop.send(shop.at, '/v2/PayResponse', undefined, { id, url: other.url })
    const all = await Promise.all([...replies, result])
    expect(all.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 201])
    expect(new Set(all.map(({ text }) => text)).size).toBe(1)
    expect(await paid(id)).toHaveLength(1)
  })

  it('goes on without its client, who finds the result, during it and after it', async () => {
    const id = randomUUID()
    await leaving(id)
    expect(await paid(id), 'it still runs').toEqual([])
    const during = await pay(id)
    expect(during.status, during.text).toBe(200)
    const after = await pay(id, AMOUNT, other.url)
    expect([after.status, after.bytes]).toEqual([200, during.bytes])
    expect(await paid(id)).toHaveLength(1)
  })

  it('is found after a restart of the server', async () => {
    const id = randomUUID()
    const passing = await shop.beside({ DUMMY_PAYMENT_TIME_SCALE: SCALE }, TIMES)
    await leaving(id, passing.url)
    // a stop waits for what runs
    await passing.server.deps.payments.close(8_000)
    await passing.close()
    const next = await shop.beside({}, TIMES)
    try {
      const reply = await pay(id, AMOUNT, next.url)
      expect([reply.status, reply.json().Protocol], reply.text).toEqual([200, 'use_auto'])
      expect(await paid(id)).toHaveLength(1)
    } finally {
      await next.close()
    }
  })
})

describe('what the same patience does cut', () => {
  it('is a request that does not arrive', async () => {
    const headers = wireHeaders(shop.at, { 'content-length': '100' }) as Record<string, string>
    const [reply, ms] = await timed(
      sendRaw(hasty.url, { head: requestText('/v2/pay', headers, '{') }),
    )
    expect(reply.status).toBe(408)
    expect(ms).toBeLessThan(TEN_MINUTES_MS)
  })
})

/** A client that sends the payment and is gone when it has begun. */
async function leaving(id: string, url = hasty.url): Promise<void> {
  const body = payment(AMOUNT)
  const all = wireHeaders(shop.at, {
    'x-operation-id': id,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
  })
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.write(requestText('/v2/pay', all as Record<string, string>, body))
  await begun(id)
  socket.destroy()
}

function issueBody(): string {
  const ids = { ftQueueID: randomUUID(), ftQueueItemID: randomUUID() }
  return jsonOf({ ReceiptRequest: {}, ReceiptResponse: ids })
}
