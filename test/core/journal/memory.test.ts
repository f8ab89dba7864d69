import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { initial } from '../../../src/market/at/queue.js'
import type { Store } from '../../../src/store/client.js'
import { Child, FIXED_HEAP } from '../../support/child.js'
import { createTestDatabase, type TestDatabase } from '../../support/db.js'
import {
  type MadeQueue,
  makeManyMarketRows,
  makeQueue,
  TICKS,
  testStore,
} from '../../support/make.js'

let database: TestDatabase
let store: Store
let queue: MadeQueue

const ROWS = 200_000
const LARGE_ITEMS = 2000

beforeAll(async () => {
  database = await createTestDatabase()
  store = testStore(database.config)
  queue = await makeQueue(store, { state: JSON.stringify(initial()) })
  await makeManyMarketRows(store, queue, ROWS)
  // 60 kB of request each; hexadecimal, so that nothing in it compresses to nothing
  await store.pool.query(
    `insert into queue_item (account_id, queue_id, row, id, queue_moment, timeout_ms,
       receipt_moment, country, version, request, request_hash, processing_version, time_stamp)
     select $1, $2, n, gen_random_uuid(), now(), 0, now(), 'AT', 'v1', text, sha256(text::bytea),
       '1', $3::int8 + n
     from generate_series(1, $4::int) n,
       lateral (select '{"cbReceiptMoment":"2026-01-01T00:00:00Z","ftReceiptCase":1,"cbUser":"' ||
         repeat(md5(n::text), 1870) || '"}') t(text)`,
    [queue.accountId, queue.queueId, TICKS, LARGE_ITEMS],
  )
})

afterAll(async () => {
  await store.close()
  await database.drop()
})

async function exported(type: bigint, more = {}): Promise<{ mebibytes: number; growth: number }> {
  const key = JSON.stringify({ accountId: queue.accountId, queueId: queue.queueId })
  const config = JSON.stringify(database.config)
  const args = [config, key, String(type), JSON.stringify(more)]
  const child = new Child('export-memory.ts', args, FIXED_HEAP)
  const line = await child.line()
  expect(await child.ended).toBe(0)
  return JSON.parse(line)
}

describe('memory stays flat', { timeout: 120_000 }, () => {
  it.each([
    ['RKSV-DEP of 200,000 receipts', (0x4154n << 48n) + 1n, {}],
    ['the raw journal of 200,000 receipts as CSV', 0x4154n, { format: 'csv' }],
    ['queue items of 60 kB each', 3n, {}],
    ['receipts of 60 kB each as XML', 3n, { format: 'xml', view: 'receipts' }],
  ] as const)('while it exports %s', async (_, type, more) => {
    const { mebibytes, growth } = await exported(type, more)
    expect(mebibytes).toBeGreaterThan(55)
    expect(growth).toBeLessThan(25)
  })
})
