// The stream of events as a connection: it shows that it lives, ends with the credentials, and a
// device that does not read costs a bounded amount and misses nothing.
import { EventEmitter, once } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { storeEvents } from '../../../src/api/possystem/events.js'
import type { PosRead } from '../../../src/api/possystem/read.js'
import {
  createFeed,
  type FeedEvent,
  type FeedListener,
} from '../../../src/core/receipts/instore-events.js'
import { randomId } from '../../../src/lib/id.js'
import { listenTo } from '../../support/event-stream.js'
import { openReceiptDesk, type ReceiptDesk } from '../../support/receipt-desk.js'

const told = (content = '{}'): FeedEvent => ({
  ...{ id: '1-x', kind: 'receipt', queueId: 'q', queueItemId: 'i', content },
})

/** A stream on a feed of the test's own, whose credentials are what `check` says. */
async function opened(check: () => Promise<object | undefined>) {
  let listener: FeedListener | undefined
  let stops = 0
  const listen = async (given: FeedListener) => {
    listener = given
    return () => {
      stops += 1
    }
  }
  const address = { publicUrl: 'https://r.example', mount: { host: null, prefix: '' } }
  const respond = storeEvents({ feed: { listen }, credentials: { check }, address } as never)
  const log = { debug: () => undefined }
  const asked = { protocol: 'https', host: 'r.example', raw: { socket: new EventEmitter() } }
  const { body } = await respond({
    access: { accountId: 'a', cashBoxId: 'b' },
    query: new Map(),
    request: { ...asked, method: 'GET', headers: {}, log },
  } as unknown as PosRead)
  if (listener === undefined) throw new Error('nobody listens')
  return { stream: body as Readable, listener, stopped: () => stops }
}

const good = async () => ({})
const textOf = (stream: Readable): string => String(stream.read() ?? '')
const gone = (stream: Readable) => once(stream.resume(), 'close')

afterEach(() => {
  vi.useRealTimers()
})

describe('a stream', () => {
  it('in which nothing happens has a comment every fifteen seconds', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { stream, stopped } = await opened(good)
    await vi.advanceTimersByTimeAsync(14_999)
    expect(textOf(stream)).toBe('retry: 3000\n\n')
    await vi.advanceTimersByTimeAsync(1)
    expect(textOf(stream)).toBe(': ping\n\n')
    await vi.advanceTimersByTimeAsync(30_000)
    expect(textOf(stream)).toBe(': ping\n\n: ping\n\n')
    stream.destroy()
    await vi.waitFor(() => expect(stopped()).toBe(1))
    expect(vi.getTimerCount()).toBe(0)
  })

  it('ends instead of telling anything to credentials that were taken back', async () => {
    let valid = true
    const { stream, listener, stopped } = await opened(async () => (valid ? {} : undefined))
    listener.onEvent(told('{"n":1}'))
    await vi.waitFor(() => expect(textOf(stream)).toContain('"n":1'))
    valid = false
    listener.onEvent(told('{"n":2}'))
    listener.onEvent(told('{"n":3}'))
    let rest = ''
    stream.on('data', (chunk) => {
      rest += String(chunk)
    })
    await once(stream, 'end')
    expect(rest).toBe('')
    await vi.waitFor(() => expect(stopped()).toBe(1))
  })

  it('ends with the next comment when its credentials were taken back', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { stream } = await opened(async () => undefined)
    await vi.advanceTimersByTimeAsync(15_000)
    await gone(stream)
    expect(stream.readableEnded).toBe(true)
  })

  it('goes on while the database is away', async () => {
    const { stream, listener } = await opened(() => Promise.reject(new Error('away')))
    listener.onEvent(told('{"n":1}'))
    await vi.waitFor(() => expect(textOf(stream)).toContain('"n":1'))
    expect(stream.readableEnded).toBe(false)
  })

  it('keeps the order of what came while the credentials were being asked', async () => {
    let answer = (): void => undefined
    const { stream, listener } = await opened(
      () => new Promise((resolve) => (answer = () => resolve({}))),
    )
    for (const n of [1, 2, 3]) listener.onEvent(told(`{"n":${n}}`))
    expect(textOf(stream)).not.toContain('"n"')
    answer()
    await vi.waitFor(() => expect(stream.readableLength).toBeGreaterThan(0))
    expect([...textOf(stream).matchAll(/"n":(\d)/g)].map(([, n]) => n)).toEqual(['1', '2', '3'])
  })

  it.each([
    ['nobody reads', good],
    ['the credentials are never answered', () => new Promise<undefined>(() => undefined)],
  ])('takes at most 256 KiB and one event when %s, and is let go', async (_why, check) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { stream, listener, stopped } = await opened(check)
    const content = `{"t":"${'x'.repeat(10_000)}"}`
    let taken = 0
    while (listener.isReady() && taken < 100) {
      expect(listener.onEvent(told(content))).toBe(true)
      await Promise.resolve()
      taken += 1
    }
    // the envelope of an event is small beside its content
    expect([25, 26, 27]).toContain(taken)
    expect(listener.onEvent(told(content))).toBe(false)
    await vi.advanceTimersByTimeAsync(15_000)
    expect(stream.destroyed).toBe(false)
    await vi.advanceTimersByTimeAsync(15_000)
    expect(stream.destroyed).toBe(true)
    await vi.waitFor(() => expect(stopped()).toBe(1))
  })

  it('goes on when its device has read, and forgets that it was slow', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { stream, listener } = await opened(good)
    for (let round = 0; round < 3; round += 1) {
      while (listener.isReady()) {
        listener.onEvent(told(`{"t":"${'x'.repeat(50_000)}"}`))
        await vi.advanceTimersByTimeAsync(0)
      }
      await vi.advanceTimersByTimeAsync(15_000)
      while (stream.read() !== null) expect(stream.destroyed).toBe(false)
      expect(listener.isReady()).toBe(true)
      await vi.advanceTimersByTimeAsync(15_000)
    }
    expect(stream.destroyed).toBe(false)
  })
})

describe('on a real connection', () => {
  let desk: ReceiptDesk
  beforeAll(async () => {
    desk = await openReceiptDesk({ PUBLIC_URL: 'https://r.example', credentialsMs: 200 })
  })
  afterAll(() => desk.close())

  /** As many events of this size as one look brings, in one transaction. */
  async function happen(count: number, bytes: number): Promise<void> {
    await desk.shop.deps.store.pool.query(
      `insert into instore_event (account_id, queue_id, queue_item_id, kind, cash_box_id,
         transaction, moment, content)
       select c.account_id, $1, gen_random_uuid(), 'receipt', c.id,
         pg_current_xact_id()::text::int8, now(), json_build_object('t', repeat('x', $2))::text
       from cash_box c, generate_series(1, $3) where c.id = $4`,
      [randomId(), bytes, count, desk.shop.box.cashBoxId],
    )
  }

  it('a device that was away is told everything, also more than may wait at once', async () => {
    const device = await listenTo(desk.shop.url, desk.shop.box)
    await happen(1, 10)
    const [first] = await device.until(1)
    device.close()
    await happen(300, 2_500)
    const again = await listenTo(desk.shop.url, desk.shop.box, {
      headers: { 'last-event-id': first?.id ?? '' },
    })
    const ids = (await again.until(300)).map(({ id }) => id)
    expect(new Set(ids).size).toBe(300)
    again.close()
  })

  it('who is not ready is not told, holds nobody back, and misses nothing', async () => {
    const { store, log } = desk.shop.deps
    const feed = createFeed({ store, log, now: () => new Date(), most: 9 })
    let ready = true
    const listen = async (isReady: () => boolean) => {
      const ids: string[] = []
      await feed.listen({
        ...{ accountId: desk.shop.demo.operator.accountId, cashBoxId: desk.shop.box.cashBoxId },
        ...{ terminalId: undefined, lastEventId: undefined, onEnd: () => undefined, isReady },
        onEvent: ({ id }) => {
          if (isReady()) ids.push(id)
          return isReady()
        },
      })
      return ids
    }
    const [slow, quick] = [await listen(() => ready), await listen(() => true)]
    await happen(2, 10)
    await expect.poll(() => [slow.length, quick.length]).toEqual([2, 2])
    ready = false
    await happen(250, 10)
    await happen(3, 10)
    await expect.poll(() => quick.length).toBe(255)
    expect(slow).toHaveLength(2)
    ready = true
    await expect.poll(() => slow.length).toBe(255)
    expect(slow).toEqual(quick)
    feed.close()
  })

  it('whose token is another one now hears nothing more, and ends', async () => {
    const device = await listenTo(desk.shop.url, desk.shop.box)
    await happen(1, 10)
    await device.until(1)
    const { pool } = desk.shop.deps.store
    const hashes = await pool.query<{ access_token_hash: Buffer }>(
      'select access_token_hash from cash_box where id = $1',
      [desk.shop.box.cashBoxId],
    )
    const set = (hash: Buffer | undefined) =>
      pool.query('update cash_box set access_token_hash = $2 where id = $1', [
        desk.shop.box.cashBoxId,
        hash,
      ])
    await set(Buffer.alloc(32, 1))
    await sleep(300)
    await happen(1, 10)
    await device.ended
    expect(device.told).toHaveLength(1)
    await set(hashes.rows[0]?.access_token_hash)
  })
})
