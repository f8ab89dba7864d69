// What devices in the store are told: every receipt of their cash box and terminal, once, whichever
// server issued it, and nothing of anybody else.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createFeed, MOST_PER_BOX } from '../../../src/core/receipts/instore-events.js'
import { addForeignBox, type Server, startServer } from '../../support/app.js'
import { listenTo, overEverywhere } from '../../support/event-stream.js'
import type { Pair } from '../../support/pairs.js'
import { posHeaders } from '../../support/pos-server.js'
import { openReceiptDesk, pathOf, type ReceiptDesk } from '../../support/receipt-desk.js'
import { signedPair } from '../../support/signed-pair.js'

let desk: ReceiptDesk
let second: Server
let secondUrl: string
beforeAll(async () => {
  desk = await openReceiptDesk({ PUBLIC_URL: 'https://r.example' })
  second = await startServer(desk.shop, { PUBLIC_URL: 'https://r.example', jobs: false })
  secondUrl = await second.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await second.close()
  await desk.close()
})
beforeEach(() => overEverywhere(desk.shop.deps.store))

async function issue(terminal?: string, on: Pick<Server, 'app'> = desk.shop): Promise<Pair> {
  const cbTerminalID = terminal === undefined ? undefined : JSON.stringify(terminal)
  const pair = await signedPair(desk.shop, { cbTerminalID })
  const answer = await on.app.inject({
    method: 'POST',
    url: '/v2/issue',
    headers: { ...posHeaders(desk.shop.box), 'content-type': 'application/json' },
    payload: pair.body,
  })
  expect(answer.statusCode, answer.body).toBe(201)
  return pair
}

const idsOf = (told: { data: Record<string, unknown> }[]) =>
  told.map(({ data }) => data.ftQueueItemID)

describe('a device', () => {
  it('is told of a receipt when it is issued, and once when somebody has taken it', async () => {
    const device = await listenTo(desk.shop.url, desk.shop.box)
    expect([device.status, device.headers['content-type']]).toEqual([200, 'text/event-stream'])
    const pair = await issue('T1')
    const [first] = await device.until(1)
    const { ftReceiptIdentification, ftReceiptMoment } = JSON.parse(pair.body).ReceiptResponse
    expect(first).toMatchObject({
      event: 'receipt',
      data: {
        ftQueueID: pair.queueId,
        ftQueueItemID: pair.queueItemId,
        DocumentURL: `https://r.example${pathOf(pair)}`,
        cbTerminalID: 'T1',
        ftReceiptIdentification,
        total: 4.9,
      },
    })
    expect(new Date(String(first?.data.ftReceiptMoment))).toEqual(new Date(ftReceiptMoment))
    await Promise.all([desk.open(pathOf(pair)), desk.open(pathOf(pair)), desk.open(pathOf(pair))])
    const [, taken] = await device.until(2)
    expect(taken).toMatchObject({ event: 'delivered', data: { ftQueueItemID: pair.queueItemId } })
    await desk.open(pathOf(pair))
    const last = await issue()
    expect(idsOf(await device.until(3))).toEqual([
      pair.queueItemId,
      pair.queueItemId,
      last.queueItemId,
    ])
    device.close()
  })

  it('hears what another server does, and the other way round', async () => {
    const devices = await Promise.all([
      listenTo(desk.shop.url, desk.shop.box),
      listenTo(secondUrl, desk.shop.box, { path: '/instore/events' }),
    ])
    const pairs = await Promise.all(
      Array.from({ length: 12 }, (_, at) => issue('T1', at % 2 ? second : desk.shop)),
    )
    await desk.open(pathOf(pairs[0] as Pair))
    const wanted = pairs.map(({ queueItemId }) => queueItemId).sort()
    for (const device of devices) {
      const told = await device.until(13)
      const receipts = told.filter(({ event }) => event === 'receipt')
      expect(idsOf(receipts).sort()).toEqual(wanted)
      expect(new Set(told.map(({ id }) => id)).size).toBe(13)
    }
    const [one, other] = devices.map(({ told }) => told.map(({ id }) => id))
    expect(one).toEqual(other)
    for (const device of devices) device.close()
  })

  it('that comes back is told what it has missed, on either server, once', async () => {
    const device = await listenTo(desk.shop.url, desk.shop.box)
    const before = await issue()
    const [known] = await device.until(1)
    device.close()
    const missed = [await issue(), await issue()]
    await desk.open(pathOf(before))
    const headers = { 'last-event-id': known?.id ?? '' }
    for (const url of [desk.shop.url, secondUrl]) {
      const again = await listenTo(url, desk.shop.box, { headers })
      expect(idsOf(await again.until(3))).toEqual([
        ...missed.map(({ queueItemId }) => queueItemId),
        before.queueItemId,
      ])
      again.close()
    }
  })

  it.each(['', 'x', '0-x', '99999999999999999-00000000-0000-4000-8000-000000000000', '-1'])(
    'with Last-Event-ID %j hears from now on',
    async (id) => {
      await issue()
      await overEverywhere(desk.shop.deps.store)
      const device = await listenTo(desk.shop.url, desk.shop.box, {
        headers: { 'last-event-id': id },
      })
      const pair = await issue()
      expect(idsOf(await device.until(1))).toEqual([pair.queueItemId])
      device.close()
    },
  )

  it.each([
    ['A1', undefined, true],
    ['A1', 'A1', true],
    ['A1', 'B1', false],
    [undefined, undefined, true],
    [undefined, 'A1', false],
    ['', 'A1', false],
    ['undefined', undefined, true],
    ['undefined', 'A1', false],
  ])(
    'terminal %s of the till, filter %s of the device: told %s',
    async (till, filter, expected) => {
      const query = filter === undefined ? '' : `?cbTerminalID=${filter}`
      const device = await listenTo(secondUrl, desk.shop.box, { query })
      const everything = await listenTo(desk.shop.url, desk.shop.box)
      const pair = await issue(till)
      await desk.open(pathOf(pair))
      await everything.until(2)
      if (expected) await device.until(2)
      // as long as both servers need to look again
      else await sleep(900)
      expect(device.told.length).toBe(expected ? 2 : 0)
      device.close()
      everything.close()
    },
  )

  it('is told nothing of other cash boxes', async () => {
    const foreign = await addForeignBox({
      ...desk.shop,
      headers: {} as never,
      row: async () => ({}),
    })
    const device = await listenTo(desk.shop.url, foreign)
    const own = await listenTo(desk.shop.url, desk.shop.box)
    await issue()
    await own.until(1)
    await sleep(700)
    expect(device.told).toEqual([])
    device.close()
    own.close()
  })

  it('a second POST of a receipt is no second event', async () => {
    const device = await listenTo(desk.shop.url, desk.shop.box)
    const pair = await issue()
    expect((await desk.till('POST', '/v2/issue', pair.body)).statusCode).toBe(201)
    const last = await issue()
    expect(idsOf(await device.until(2))).toEqual([pair.queueItemId, last.queueItemId])
    device.close()
  })
})

describe('a transaction that takes its time', () => {
  it('is told behind those that were faster, and never missed', async () => {
    const device = await listenTo(desk.shop.url, desk.shop.box)
    const client = await desk.shop.deps.store.pool.connect()
    const slow = { queueId: desk.shop.box.queueId, queueItemId: crypto.randomUUID() }
    await client.query('begin')
    await client.query(
      `insert into instore_event (account_id, queue_id, queue_item_id, kind, cash_box_id,
         transaction, moment, content)
       select account_id, $1, $2, 'receipt', id, pg_current_xact_id()::text::int8, now(), '{}'
       from cash_box where id = $3`,
      [slow.queueId, slow.queueItemId, desk.shop.box.cashBoxId],
    )
    const fast = await issue()
    await sleep(700)
    await client.query('commit')
    client.release()
    const told = idsOf(await device.until(2))
    expect([...told].sort()).toEqual([slow.queueItemId, fast.queueItemId].sort())
    device.close()
  })
})

describe('a stream', () => {
  it('needs credentials, and nothing more', async () => {
    const box = { ...desk.shop.box, accessToken: 'wrong' }
    const refused = await listenTo(desk.shop.url, box)
    expect(refused.status).toBe(401)
    await refused.ended
    expect(JSON.parse(refused.text())).toMatchObject({ code: 'unauthorized' })
    const open = await listenTo(desk.shop.url, desk.shop.box, {
      headers: { 'x-operation-id': '', 'x-possystem-id': '' },
    })
    expect(open.status).toBe(200)
    open.close()
  })

  it('HEAD is answered at once', async () => {
    const answer = await desk.shop.app.inject({
      method: 'HEAD',
      url: '/v2/instore/events',
      headers: posHeaders(desk.shop.box),
    })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/event-stream'])
  })

  it('is one of at most thirty-two of a cash box, and of so many of the server', async () => {
    const { store, log } = desk.shop.deps
    const feed = createFeed({ store, log, now: () => new Date(), most: MOST_PER_BOX + 2 })
    const listener = (cashBoxId: string) => ({
      ...{ accountId: desk.shop.demo.operator.accountId, cashBoxId },
      ...{ terminalId: undefined, lastEventId: undefined },
      isReady: () => true,
      onEvent: () => true,
      onEnd: () => undefined,
    })
    const box = crypto.randomUUID()
    const stops: (() => void)[] = []
    for (let at = 0; at < MOST_PER_BOX; at += 1) stops.push(await feed.listen(listener(box)))
    await expect(feed.listen(listener(box))).rejects.toThrow(/Too many devices/)
    await feed.listen(listener(crypto.randomUUID()))
    await feed.listen(listener(crypto.randomUUID()))
    await expect(feed.listen(listener(crypto.randomUUID()))).rejects.toThrow(/Too many devices/)
    stops[0]?.()
    await feed.listen(listener(box))
    feed.close()
  })

  it('leaves nothing behind when its device goes', async () => {
    const before = await listenTo(secondUrl, desk.shop.box)
    before.close()
    for (let at = 0; at < 3 * MOST_PER_BOX; at += 1) {
      const device = await listenTo(secondUrl, desk.shop.box)
      expect(device.status).toBe(200)
      device.close()
      await sleep(5)
    }
  })

  it('ends when the server stops, which does not wait for it', async () => {
    const third = await startServer(desk.shop, { jobs: false })
    const url = await third.app.listen({ host: '127.0.0.1', port: 0 })
    const device = await listenTo(url, desk.shop.box)
    const started = performance.now()
    await third.close()
    await device.ended
    expect(performance.now() - started).toBeLessThan(5_000)
  })

  it('old events are removed, new ones stay', async () => {
    const { store, log } = desk.shop.deps
    await issue()
    const now = () => new Date()
    expect(await createFeed({ store, log, now, most: 1 }).sweep()).toBe(0)
    const tomorrow = () => new Date(Date.now() + 25 * 60 * 60 * 1000)
    expect(await createFeed({ store, log, now: tomorrow, most: 1 }).sweep()).toBeGreaterThan(0)
  })
})
