// The stream of events over HTTP: what signing and the Dealer API leave in it, who sees it, and how
// it is read, waited for and followed.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AccountAccess, createAccount } from '../../../src/core/accounts/accounts.js'
import { recordDelivery } from '../../../src/core/receipts/delivery.js'
import { EVENT_TYPES } from '../../../src/model/event.js'
import { putConnection } from '../../../src/store/account/connections.js'
import { forgetEvents } from '../../../src/store/event/stream.js'
import { cuttingProxy } from '../../support/cutting-proxy.js'
import { newAccount } from '../../support/dealer.js'
import { listenTo } from '../../support/event-stream.js'
import {
  accountHeaders,
  eventsBehind,
  eventsOf,
  openPlatform,
  type PlatformShop,
  settledHead,
} from '../../support/platform.js'

let shop: PlatformShop
beforeAll(async () => {
  shop = await openPlatform()
  // what making the demo has left
  await eventsBehind(shop, 0, { count: 1 })
})
afterAll(() => shop.close())

const call = async (
  line: string,
  { as = shop.dealer, body }: { as?: AccountAccess; body?: unknown } = {},
) => {
  const [method = '', path = ''] = line.split(' ')
  const answer = await fetch(`${shop.url}${path}`, {
    ...{ method, headers: { ...accountHeaders(as), 'content-type': 'application/json' } },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, json: JSON.parse(text) as Record<string, unknown> }
}

const settings = (receipts: boolean, as?: AccountAccess) =>
  call('PUT /platform/v1/event-settings', { body: { receipts }, ...(as && { as }) })

const headNow = (as?: AccountAccess) => settledHead(shop, as)

/** A dealer of his own, connected to the demo's merchant. */
async function dealerWith(rights: 'None' | 'Read' | undefined): Promise<AccountAccess> {
  const accounts = { store: shop.deps.store, now: () => new Date() }
  const made = await createAccount(accounts, newAccount('PosDealer'))
  if (rights === undefined) return made
  await putConnection(shop.deps.store, {
    ...{ id: crypto.randomUUID(), accountId: made.accountId, toAccountId: shop.operatorId },
    ...{ rights, state: 'active', createdAt: new Date() },
  })
  return made
}

describe('what happens at a register', () => {
  it('is told to whoever may read the merchant, and to nobody else', async () => {
    const [reader, blind, stranger] = [
      await dealerWith('Read'),
      await dealerWith('None'),
      await dealerWith(undefined),
    ]
    const after = await headNow()
    // no case of Austria
    await shop.receipt(0x7777n)
    const [event] = await eventsBehind(shop, after, { count: 1 })
    expect(event).toMatchObject({
      ...{ specversion: '1.0', seq: after + 1, type: 'receipt.failed' },
      ...{ source: `/accounts/${shop.operatorId}`, cashboxid: shop.box.cashBoxId },
      ...{ datacontenttype: 'application/json', data: { queueId: shop.box.queueId } },
    })
    const [same] = await eventsBehind(shop, 0, { count: 1, as: reader })
    expect(same).toEqual({ ...event, seq: 1 })
    for (const as of [blind, stranger]) {
      expect(await eventsOf(shop, '', as)).toEqual({ items: [], next: 0, head: 0, firstSeq: 1 })
    }
  })

  it('receipts are told one by one to those who asked, in the order of their chain', async () => {
    const other = await dealerWith('Read')
    const own = await headNow(other)
    expect(await settings(true)).toEqual({ status: 200, json: { receipts: true } })
    const after = await headNow()
    await Promise.all(Array.from({ length: 30 }, () => shop.receipt()))
    const events = await eventsBehind(shop, after, { count: 30 })
    await settings(false)
    await shop.receipt()
    await shop.receipt(0x7777n)
    const [last] = await eventsBehind(shop, after + 30, { count: 1 })
    expect(last?.type).toBe('receipt.failed')
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => after + 1 + at))
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['receipt.signed']))
    const numbers = events.map(({ data }) => Number(data?.number))
    expect(numbers).toEqual(numbers.map((_, at) => (numbers[0] ?? 0) + at))
    const rows = await shop.deps.store.pool.query(
      `select queue_item_id as id from receipt_journal where queue_id = $1
         and receipt_number between $2 and $3 order by receipt_number`,
      [shop.box.queueId, numbers[0], numbers.at(-1)],
    )
    expect(events.map(({ subject }) => subject)).toEqual(rows.rows.map(({ id }) => `receipt/${id}`))
    // he has not asked
    const heard = await eventsOf(shop, `?after=${own}`, other)
    expect(heard.items.map(({ type }) => type)).not.toContain('receipt.signed')
  })

  it('a receipt that a customer opens is told to those who asked, and no robot is', async () => {
    const { store } = shop.deps
    const { rows } = await store.pool.query<{ id: string }>(
      'select queue_item_id as id from receipt_journal where queue_id = $1 limit 1',
      [shop.box.queueId],
    )
    const [{ id: queueItemId } = { id: '' }] = rows
    const receipt = { accountId: shop.operatorId, queueId: shop.box.queueId, queueItemId }
    const seen = (kind: 'customer' | 'robot', method: 'viewed' | 'printed' = 'viewed') =>
      recordDelivery(
        store.pool,
        { ...receipt, verified: false },
        { ...{ method, kind, moment: new Date(), appId: undefined }, userAgent: 'x', address: 'y' },
      )
    const before = await headNow()
    await seen('customer')
    expect(await headNow()).toBe(before)
    await settings(true)
    await seen('robot')
    await seen('customer', 'printed')
    await seen('customer')
    const [event] = await eventsBehind(shop, before, { count: 1 })
    await settings(false)
    expect(event).toMatchObject({
      ...{ type: 'receipt.viewed', subject: `receipt/${queueItemId}` },
      ...{ cashboxid: shop.box.cashBoxId, data: { queueId: shop.box.queueId } },
    })
    expect(await headNow()).toBe(before + 1)
  })

  it('an outage is told when it begins and when it ends, and by which receipt', async () => {
    const after = await headNow()
    const [scuId = ''] = shop.box.scuIds
    const box = { cashboxid: shop.box.cashBoxId, accesstoken: shop.box.accessToken }
    const fault = (method: string, body?: string) =>
      fetch(`${shop.url}/sandbox/scus/${scuId}/fault`, {
        ...{ method, headers: { ...box, 'content-type': 'application/json' } },
        ...(body === undefined ? {} : { body }),
      })
    expect((await fault('PUT', '{"steps":[{"do":"unreachable"}]}')).status).toBe(200)
    const itemOf = ({ text }: { text: string }) => /"ftQueueItemID":"([^"]+)"/.exec(text)?.[1]
    const first = itemOf(await shop.receipt())
    await shop.receipt()
    await fault('DELETE')
    const zero = itemOf(await shop.receipt(2n))
    const cause = 'device'
    // a look for problems may come between
    const outages = async () =>
      (await eventsBehind(shop, after, { count: 2 })).filter(({ type }) => /^outage/.test(type))
    await expect.poll(async () => (await outages()).length).toBe(2)
    const events = await outages()
    expect(events.map(({ type, data, subject }) => [type, data, subject])).toEqual([
      ['outage.opened', { cause, queueItemId: first }, `queue/${shop.box.queueId}`],
      ['outage.closed', { cause, queueItemId: zero, receipts: 2 }, `queue/${shop.box.queueId}`],
    ])
  })
})

describe('what dealers do', () => {
  it('is told to both sides of a connection; what was heard is redacted at its end', async () => {
    const leaving = await dealerWith('Read')
    await shop.receipt(0x7777n)
    await eventsBehind(shop, 0, { count: 1, as: leaving })
    const ended = await call(`DELETE /api/connections/${shop.operatorId}`, { as: leaving })
    expect(ended.status).toBe(200)
    // a look for problems may have told of one in between
    const isChange = ({ type }: { type: string }) => type === 'connection.changed'
    const told = async () => (await eventsOf(shop, '', leaving)).items
    await expect.poll(async () => (await told()).some(isChange)).toBe(true)
    expect((await told()).find(isChange)).toMatchObject({
      source: `/accounts/${leaving.accountId}`,
      data: { dealerId: leaving.accountId, operatorId: shop.operatorId, state: 'ended' },
    })
    const after = await headNow()
    await shop.receipt(0x7777n)
    await eventsBehind(shop, after, { count: 1 })
    const items = await told()
    expect(items.length).toBeGreaterThan(1)
    expect(items.map(({ type, data }) => [type, data === null])).toEqual([
      ...items.slice(1).map(() => ['redacted', true]),
      ['connection.changed', false],
    ])
    expect(JSON.stringify(items.slice(0, -1))).not.toContain(shop.operatorId)
    const one = await call('GET /platform/v1/events/1', { as: leaving })
    expect(one.json).toMatchObject({ seq: 1, type: 'redacted' })
  })
})

describe('reading', () => {
  it('goes on with next, filters by type without losing its place, and waits', async () => {
    const all = await eventsOf(shop, '?limit=200')
    expect(all.items.map(({ seq }) => seq)).toEqual(all.items.map((_, at) => at + 1))
    const paged = []
    for (let after = 0; ; ) {
      const page = await eventsOf(shop, `?after=${after}&limit=3`)
      if (page.items.length === 0) break
      paged.push(...page.items)
      after = page.next
    }
    expect(paged).toEqual(all.items)
    const failed = await eventsOf(shop, '?types=receipt.failed,queue.stopped&limit=200')
    expect(failed.items).toEqual(all.items.filter(({ type }) => type === 'receipt.failed'))
    expect(failed.next).toBe(all.head)
    const began = performance.now()
    const waiting = eventsOf(shop, `?after=${all.head}&wait=20&types=receipt.failed`)
    await sleep(200)
    await shop.receipt(0x7777n)
    expect((await waiting).items.map(({ type }) => type)).toEqual(['receipt.failed'])
    expect(performance.now() - began).toBeLessThan(10_000)
    const none = await eventsOf(shop, `?after=${all.head + 1}&wait=1`)
    expect([none.items, none.next]).toEqual([[], all.head + 1])
  })

  it.each([
    ['?after=-5', 409, 'CURSOR_TOO_OLD'],
    ['?after=999999', 409, 'CURSOR_AHEAD'],
    ['?after=x', 400, 'RequestInvalid'],
    ['?types=receipt.lost', 400, 'RequestInvalid'],
    ['?limit=201', 400, 'RequestInvalid'],
    ['?wait=31', 400, 'RequestInvalid'],
    ['/999999', 404, 'EventNotFound'],
    ['/0', 404, 'EventNotFound'],
    ['/stream?after=999999', 409, 'CURSOR_AHEAD'],
  ])('refuses %s with %i %s as problem details', async (query, status, code) => {
    const answer = await call(`GET /platform/v1/events${query}`)
    expect([answer.status, answer.json.code, answer.json.status]).toEqual([status, code, status])
  })

  it('what is too old is gone, and a place before it is refused with the first one', async () => {
    const { head, items } = await eventsOf(shop, '?limit=200')
    const [, , third] = items
    const before = new Date(Date.parse(third?.time ?? '') + 1)
    while (await forgetEvents(shop.deps.store, before));
    const rest = await eventsOf(shop, '?limit=200')
    expect(rest.items[0]?.seq).toBe(rest.firstSeq)
    expect(rest.firstSeq).toBeGreaterThan(3)
    expect(rest.items).toHaveLength(head - rest.firstSeq + 1)
    const answer = await call('GET /platform/v1/events?after=1')
    expect(answer.json).toMatchObject({ code: 'CURSOR_TOO_OLD', firstSeq: String(rest.firstSeq) })
    const last = await call(`GET /platform/v1/events?after=${rest.firstSeq - 1}&limit=1`)
    expect(last.status).toBe(200)
  })

  it('every type has a meaning and an example that is an event', async () => {
    const { json } = await call('GET /platform/v1/event-types')
    const types = json as unknown as {
      type: string
      text: string
      data: object
      example: { data: object }
    }[]
    expect(types.map(({ type }) => type)).toEqual([...EVENT_TYPES])
    for (const { data, example } of types) {
      expect(Object.keys(example.data)).toEqual(Object.keys(data))
    }
  })
})

describe('following', () => {
  const follow = (
    after: number | undefined,
    headers: Record<string, string> = {},
    url = shop.url,
  ) =>
    listenTo(
      url,
      { cashBoxId: '', accessToken: '' },
      {
        path: '/platform/v1/events/stream',
        query: after === undefined ? '' : `?after=${after}`,
        headers: { ...accountHeaders(shop.dealer), ...headers },
      },
    )

  /** Events of the dealer, each by itself. */
  const tell = async (count: number) => {
    for (let nth = 0; nth < count; nth += 1) {
      await shop.deps.store.pool.query(
        `insert into inbox (account_id, event_id, type, subject_kind, subject_id, data, at)
         values ($1, gen_random_uuid(), 'order.done', 'order', gen_random_uuid(), '{}', now())`,
        [shop.dealer.accountId],
      )
      await sleep(2)
    }
  }

  it('begins where it is asked to, or with what comes, or behind Last-Event-ID', async () => {
    const head = await headNow()
    const [fresh, last, resumed] = [
      await follow(undefined),
      await follow(head - 1),
      await follow(undefined, { 'last-event-id': String(head - 1) }),
    ]
    await shop.receipt(0x7777n)
    expect((await fresh.until(1)).map(({ id }) => id)).toEqual([String(head + 1)])
    for (const one of [last, resumed]) {
      expect((await one.until(2)).map(({ id }) => id)).toEqual([String(head), String(head + 1)])
    }
    const [told] = fresh.told
    expect(told).toMatchObject({ event: 'receipt.failed', data: { seq: head + 1 } })
    expect(fresh.headers['content-type']).toBe('text/event-stream')
    for (const one of [fresh, last, resumed]) one.close()
  })

  it('tells each of many everything once, in order, wherever it began', async () => {
    const head = await headNow()
    const open: Awaited<ReturnType<typeof follow>>[] = []
    const last = 60
    const come = async () => {
      for (let nth = 0; nth < 24; nth += 1) {
        open.push(await follow(nth % 2 === 0 ? head : undefined))
        // who leaves takes nobody with him
        if (nth % 4 === 3) open.splice(nth % open.length, 1)[0]?.close()
      }
    }
    await Promise.all([tell(last), come()])
    await expect.poll(async () => headNow()).toBe(head + last)
    for (const one of open) {
      await expect.poll(() => Number(one.told.at(-1)?.id ?? head + last)).toBe(head + last)
      const from = Number(one.told[0]?.id ?? head + last + 1)
      expect(one.told.map(({ id }) => Number(id))).toEqual(
        Array.from({ length: head + last + 1 - from }, (_, at) => from + at),
      )
    }
    expect(open.filter(({ told }) => told.length === last)).not.toHaveLength(0)
    for (const one of open) one.close()
  })

  it('through a proxy that cuts connections hears everything once, by Last-Event-ID', async () => {
    const head = await headNow()
    await tell(80)
    const heard: number[] = []
    let bytes = 2_000
    // somewhere else each time: between two events, within one, within a name
    const proxy = await cuttingProxy(shop.url, () => {
      bytes += 137
      return bytes
    })
    for (let at = head; at < head + 80; at = heard.at(-1) ?? head) {
      const one = await follow(undefined, { 'last-event-id': String(at) }, proxy.url)
      const isDone = () => Number(one.told.at(-1)?.id) === head + 80
      await expect.poll(() => one.isGone() || isDone(), { timeout: 5_000 }).toBe(true)
      heard.push(...one.told.map(({ id }) => Number(id)))
      one.close()
    }
    proxy.close()
    expect(proxy.cuts()).toBeGreaterThan(3)
    expect(heard).toEqual(Array.from({ length: 80 }, (_, at) => head + 1 + at))
  })

  it('gives places back: 32 listeners of an account at a time, as often as they come', async () => {
    const everybody = () => expect.poll(() => shop.deps.platform.listeners.count).toBe(0)
    for (let round = 0; round < 2; round += 1) {
      await everybody()
      const open = []
      for (let number = 0; number < 32; number += 1) open.push(await follow(undefined))
      expect(open.map(({ status }) => status)).toEqual(open.map(() => 200))
      const full = await call('GET /platform/v1/events/stream')
      expect([full.status, full.json.code]).toEqual([503, 'TooManyListeners'])
      for (const one of open) one.close()
    }
    await everybody()
  })
})
