// A journal of many rows over SOAP: one element, and no more memory than for few.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { initial } from '../../../src/market/at/queue.js'
import type { Store } from '../../../src/store/client.js'
import { Child, FIXED_HEAP } from '../../support/child.js'
import { createTestDatabase, type TestDatabase } from '../../support/db.js'
import { type MadeQueue, makeManyMarketRows, makeQueue, testStore } from '../../support/make.js'

let database: TestDatabase
let store: Store
let queue: MadeQueue
beforeAll(async () => {
  database = await createTestDatabase()
  store = testStore(database.config)
  queue = await makeQueue(store, { state: JSON.stringify(initial()) })
  await store.pool.query(
    `insert into directory (id, kind, account_id) values ($1, 'cashbox', $3), ($2, 'queue', $3)`,
    [queue.cashBoxId, queue.queueId, queue.accountId],
  )
  await makeManyMarketRows(store, queue, 100_000)
})
afterAll(async () => {
  await store.close()
  await database.drop()
})

it('100,000 rows in constant memory, after eight readers who left early', {
  timeout: 120_000,
}, async () => {
  const args = [JSON.stringify(database.config), queue.queueId, String(0x4154)]
  const child = new Child('soap-memory.ts', args, FIXED_HEAP)
  const told = JSON.parse(await child.line()) as Record<string, string | number>
  expect(await child.ended).toBe(0)
  expect(told.status, String(told.start)).toBe(200)
  expect(told.start).toMatch(/<JournalResult>W3s/)
  expect(told.end).toMatch(
    /[A-Za-z0-9+/]=*<\/JournalResult><\/JournalResponse><\/s:Body><\/s:Envelope>$/,
  )
  expect(told.mebibytes).toBeGreaterThan(70)
  // scatters by some 20 MiB on a busy machine; all that was sent would be 70 and more
  expect(told.growth).toBeLessThan(50)
})
