import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../../../src/store/client.js'
import {
  actionRows,
  findCertificate,
  findCertificateBefore,
  marketRows,
  receiptRows,
} from '../../../src/store/journal/journal.js'
import { queueItems, storedItems } from '../../../src/store/journal/journal-items.js'
import type { JournalKey, JournalQuery } from '../../../src/store/journal/journal-pages.js'
import { createTestDatabase, type TestDatabase } from '../../support/db.js'
import {
  makeAction,
  makeCertificate,
  makeItem,
  makeManyMarketRows,
  makeMarketRow,
  makeQueue,
  makeReceipt,
  TICKS,
  testStore,
} from '../../support/make.js'

let database: TestDatabase
let store: Store

beforeAll(async () => {
  database = await createTestDatabase()
  store = testStore(database.config)
})

afterAll(async () => {
  await store.close()
  await database.drop()
})

async function all<R>(pages: AsyncIterable<R[]>): Promise<R[]> {
  const rows: R[] = []
  for await (const page of pages) rows.push(...page)
  return rows
}

type Reading = (store: Store, query: JournalQuery) => AsyncIterable<{ timeStamp: bigint }[]>

const JOURNALS: readonly (readonly [
  string,
  Reading,
  (queue: JournalKey, tick: bigint) => unknown,
])[] = [
  ['receipt journal', receiptRows, (queue, timeStamp) => makeReceipt(store, queue, { timeStamp })],
  ['action journal', actionRows, (queue, timeStamp) => makeAction(store, queue, { timeStamp })],
  ['market journal', marketRows, (queue, timeStamp) => makeMarketRow(store, queue, { timeStamp })],
  ['queue items', queueItems, (queue, timeStamp) => makeItemAt(queue, timeStamp)],
  ['queue items by row', storedItems, (queue, timeStamp) => makeItemAt(queue, timeStamp)],
]

function makeItemAt(queue: JournalKey, timeStamp: bigint): Promise<string> {
  return makeItem(store, queue, { row: Number(timeStamp - TICKS), timeStamp })
}

/** Offsets from TICKS of what is there, and what each range must give. */
const TICKS_THERE = [10n, 20n, 30n, 40n, 50n]
const RANGES: readonly (readonly [string, bigint, bigint, bigint[]])[] = [
  ['from 0 to 0: everything', 0n, 0n, TICKS_THERE],
  ['from is inclusive', TICKS + 20n, 0n, [20n, 30n, 40n, 50n]],
  ['from may lie between two rows', TICKS + 21n, 0n, [30n, 40n, 50n]],
  ['to is inclusive', TICKS + 20n, TICKS + 40n, [20n, 30n, 40n]],
  ['to may lie between two rows', 0n, TICKS + 39n, [10n, 20n, 30n]],
  ['from and to at one row', TICKS + 30n, TICKS + 30n, [30n]],
  ['to before from gives nothing', TICKS + 40n, TICKS + 20n, []],
  ['a negative to: the first rows, not the last', 0n, -2n, [10n, 20n]],
  ['a negative to counts from `from` on', TICKS + 20n, -3n, [20n, 30n, 40n]],
  ['a negative to beyond the end: what is there', TICKS + 40n, -100n, [40n, 50n]],
  ['behind the last row there is nothing', TICKS + 51n, -100n, []],
  ['a negative from counts as 0', -5n, 0n, TICKS_THERE],
  ['the largest int64 as end', 0n, 2n ** 63n - 1n, TICKS_THERE],
  ['an end beyond int64', 0n, 2n ** 64n - 1n, TICKS_THERE],
  ['a start beyond int64', 2n ** 64n - 1n, 0n, []],
  ['the smallest int64 as number of rows', 0n, -(2n ** 63n), TICKS_THERE],
]

describe.each(JOURNALS)('the %s', (_name, read, make) => {
  it.each(RANGES)('%s', async (_title, from, to, offsets) => {
    const queue = await makeQueue(store)
    // written in another order than they are read
    for (const offset of [30n, 10n, 50n, 20n, 40n]) await make(queue, TICKS + offset)
    const rows = await all(read(store, { key: queue, range: { from, to } }))
    expect(rows.map((row) => row.timeStamp - TICKS)).toEqual(offsets)
  })

  it('tells time stamps apart that a double would take for one', async () => {
    const queue = await makeQueue(store)
    expect(Number(TICKS + 1n)).toBe(Number(TICKS + 2n))
    for (const offset of [1n, 2n, 3n]) await make(queue, TICKS + offset)
    const range = { from: TICKS + 2n, to: TICKS + 2n }
    const rows = await all(read(store, { key: queue, range }))
    expect(rows.map((row) => row.timeStamp)).toEqual([TICKS + 2n])
  })

  it('gives a client that pages with to=-n every row once, in order', async () => {
    const queue = await makeQueue(store)
    const ticks = Array.from({ length: 23 }, (_, index) => TICKS + BigInt(index * index + 1))
    for (const tick of ticks) await make(queue, tick)
    const seen: bigint[] = []
    let calls = 0
    for (let pointer = 0n; ; calls += 1) {
      const rows = await all(read(store, { key: queue, range: { from: pointer, to: -5n } }))
      if (rows.length === 0) break
      seen.push(...rows.map((row) => row.timeStamp))
      pointer = rows.reduce((most, row) => (row.timeStamp > most ? row.timeStamp : most), 0n) + 1n
    }
    expect(seen).toEqual(ticks)
    expect(calls).toBe(5)
  })

  it('shows an account nothing of another one, not even under the same queue id', async () => {
    const queue = await makeQueue(store)
    await make(queue, TICKS + 1n)
    const key = { accountId: randomUUID(), queueId: queue.queueId }
    expect(await all(read(store, { key, range: { from: 0n, to: 0n } }))).toEqual([])
    await make(key, TICKS + 2n)
    const rows = await all(read(store, { key: queue, range: { from: 0n, to: 0n } }))
    expect(rows.map((row) => row.timeStamp)).toEqual([TICKS + 1n])
  })

  it('ends at what was there when it began', async () => {
    const queue = await makeQueue(store)
    await make(queue, TICKS + 1n)
    const pages = read(store, { key: queue, range: { from: 0n, to: 0n } })
    const seen: bigint[] = []
    let next = TICKS + 1n
    for await (const page of pages) {
      seen.push(...page.map((row) => row.timeStamp))
      next += 1n
      await make(queue, next)
    }
    expect(seen).toEqual([TICKS + 1n])
  })
})

describe('pages', () => {
  const whole = { from: 0n, to: 0n }
  const MIB = 1024 * 1024

  it('have at most 500 rows', async () => {
    const queue = await makeQueue(store)
    await makeManyMarketRows(store, queue, 1125)
    const lengths: number[] = []
    const numbers: number[] = []
    for await (const page of marketRows(store, { key: queue, range: whole })) {
      lengths.push(page.length)
      numbers.push(...page.map((row) => row.number))
    }
    expect(lengths).toEqual([500, 500, 125])
    expect(numbers).toEqual(Array.from({ length: 1125 }, (_, index) => index + 1))
  })

  it.each([
    ['by time stamp', queueItems],
    ['by row', storedItems],
  ])('of queue items %s end after about 2 MiB of text, one huge item alone', async (_, read) => {
    const queue = await makeQueue(store)
    const text = (length: number) => JSON.stringify('x'.repeat(length - 2))
    for (let row = 1; row <= 70; row += 1) {
      await makeItem(store, queue, { row, request: text(60_000), response: text(30_000) })
    }
    await makeItem(store, queue, { row: 71, request: text(3 * MIB) })
    await makeItem(store, queue, { row: 72 })
    const pages: number[][] = []
    for await (const page of read(store, { key: queue, range: whole })) {
      const bytes = page.map((item) => item.request.length + (item.response ?? '').length)
      const sum = bytes.reduce((total, one) => total + one, 0)
      expect(sum - (bytes.at(-1) ?? 0)).toBeLessThan(2 * MIB)
      pages.push(page.map((item) => item.row))
    }
    expect(pages.flat()).toEqual(Array.from({ length: 72 }, (_, index) => index + 1))
    expect(pages.length).toBeGreaterThanOrEqual(4)
  })

  it('hold no connection while the reader works, and leave none behind when it goes', async () => {
    const queue = await makeQueue(store)
    await makeManyMarketRows(store, queue, 6100)
    const small = testStore(database.config, 1)
    try {
      for (let round = 0; round < 20; round += 1) {
        for await (const page of marketRows(small, { key: queue, range: whole })) {
          expect(page.length).toBe(500)
          // the only connection is free for others
          await small.pool.query('select 1')
          break
        }
        expect(small.pool).toMatchObject({ totalCount: 1, idleCount: 1, waitingCount: 0 })
      }
    } finally {
      await small.close()
    }
  })

  it('say so when the database goes away in the middle, instead of ending', async () => {
    const queue = await makeQueue(store)
    await makeManyMarketRows(store, queue, 6100)
    const own = testStore(database.config)
    const pages = marketRows(own, { key: queue, range: whole })
    await pages.next()
    await own.close()
    const rest = (async () => {
      for await (const page of pages) expect(page.length).toBeGreaterThan(0)
    })()
    await expect(rest).rejects.toThrow()
  })
})

describe('queue items by row', () => {
  const whole = { from: 0n, to: 0n }

  it('come with their receipt journal row, over all pages', async () => {
    const queue = await makeQueue(store)
    // as a batch writes them: item, receipt, item, receipt, … with neighbouring ticks
    await store.pool.query(
      `insert into queue_item (account_id, queue_id, row, id, queue_moment, timeout_ms,
         receipt_moment, country, version, request, request_hash, processing_version, time_stamp)
       select $1, $2, n, gen_random_uuid(), now(), 0, now(), 'AT', 'v1', '{}', sha256('{}'), '1',
         $3::int8 + 2 * n from generate_series(1, 1300) n`,
      [queue.accountId, queue.queueId, TICKS],
    )
    await store.pool.query(
      `insert into receipt_journal (account_id, queue_id, time_stamp, id, receipt_moment,
         receipt_number, receipt_total, queue_item_id, receipt_hash)
       select account_id, queue_id, time_stamp + 1, gen_random_uuid(), now(), row, row + 0.25, id,
         request_hash from queue_item where account_id = $1 and row % 7 <> 0`,
      [queue.accountId],
    )
    const items = await all(storedItems(store, { key: queue, range: whole }))
    expect(items.length).toBe(1300)
    for (const item of items) {
      const refused = item.row % 7 === 0
      expect(item.receiptNumber).toBe(refused ? null : item.row)
      expect(Number(item.receiptTotal)).toBe(refused ? 0 : item.row + 0.25)
      expect(item.receipt?.queueItemId).toBe(refused ? undefined : item.id)
      expect(item.receipt?.receiptHash).toEqual(refused ? undefined : item.requestHash)
    }
  })

  it('keep the order of rows where a remote device made another one of time', async () => {
    const queue = await makeQueue(store)
    // stored: rows 1, 2, 3, 4; answered since: 1 and 2, their receipts one tick before them
    const first = await makeItem(store, queue, { row: 1, timeStamp: TICKS + 11n })
    const second = await makeItem(store, queue, { row: 2, timeStamp: TICKS + 21n })
    await makeItem(store, queue, { row: 3, timeStamp: TICKS + 3n, response: null })
    await makeItem(store, queue, { row: 4, timeStamp: TICKS + 15n, response: null })
    await makeReceipt(store, queue, { timeStamp: TICKS + 10n, number: 1n, queueItemId: first })
    await makeReceipt(store, queue, { timeStamp: TICKS + 20n, number: 2n, queueItemId: second })
    const items = await all(storedItems(store, { key: queue, range: whole }))
    expect(items.map((item) => [item.row, item.receiptNumber])).toEqual([
      [1, 1],
      [2, 2],
      [3, null],
      [4, null],
    ])
    const since = { from: TICKS + 11n, to: 0n }
    const later = await all(storedItems(store, { key: queue, range: since }))
    expect(later.map((item) => item.row)).toEqual([1, 2, 4])
    const between = { from: 0n, to: TICKS + 15n }
    const earlier = await all(storedItems(store, { key: queue, range: between }))
    expect(earlier.map((item) => [item.row, item.receiptNumber])).toEqual([
      [1, 1],
      [3, null],
      [4, null],
    ])
  })

  it('come exactly once, also when an item gets its answer meanwhile', async () => {
    const queue = await makeQueue(store)
    for (let row = 1; row <= 1100; row += 1) {
      await makeItem(store, queue, { row, response: row === 1050 ? null : '{}' })
    }
    const rows: number[] = []
    for await (const page of storedItems(store, { key: queue, range: whole })) {
      if (rows.length === 0) {
        await store.pool.query(
          `update queue_item set response = '{}', response_hash = sha256('{}'), done_moment = now(),
             time_stamp = $3 where account_id = $1 and queue_id = $2 and row = 1050`,
          [queue.accountId, queue.queueId, TICKS + 1_000_000n],
        )
      }
      rows.push(...page.map((item) => item.row))
    }
    expect(rows).toEqual(Array.from({ length: 1100 }, (_, index) => index + 1))
  })
})

describe('certificates', () => {
  it('are found by their fingerprint, within the account only', async () => {
    const [mine, other] = [await makeQueue(store), await makeQueue(store)]
    const [der, issuer] = [Buffer.from([0x30, 0, 0xff]), Buffer.from([0x30, 1, 0])]
    const fingerprint = await makeCertificate(store, mine.accountId, { der, chain: [issuer] })
    expect(await findCertificate(store, mine.accountId, fingerprint)).toEqual({
      fingerprint,
      der,
      chain: [issuer],
    })
    expect(await findCertificate(store, other.accountId, fingerprint)).toBeUndefined()
  })

  it('before a range: the newest row that names one', async () => {
    const queue = await makeQueue(store)
    const [old, recent] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
    const named = (timeStamp: bigint, certificateFingerprint: Buffer | null) =>
      makeMarketRow(store, queue, { timeStamp, certificateFingerprint })
    await named(TICKS + 1n, old)
    await named(TICKS + 2n, recent)
    await named(TICKS + 3n, null)
    await named(TICKS + 4n, old)
    expect(await findCertificateBefore(store, queue, TICKS + 4n)).toEqual(recent)
    expect(await findCertificateBefore(store, queue, TICKS + 2n)).toEqual(old)
    expect(await findCertificateBefore(store, queue, TICKS + 1n)).toBeUndefined()
    const foreign = { accountId: randomUUID(), queueId: queue.queueId }
    expect(await findCertificateBefore(store, foreign, TICKS + 9n)).toBeUndefined()
  })
})
