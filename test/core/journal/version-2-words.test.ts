// The words of version 2 that mean a journal of every market, with and without country, as they
// are and as ZIP; what they give is what the plain numbers give.
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { initial } from '../../../src/market/at/queue.js'
import type { Store } from '../../../src/store/client.js'
import { createTestDatabase, type TestDatabase } from '../../support/db.js'
import { unzipped } from '../../support/dsfinvk-zip.js'
import { journalText, openJournal } from '../../support/journal.js'
import {
  type MadeQueue,
  makeAction,
  makeItem,
  makeQueue,
  makeReceipt,
  testStore,
} from '../../support/make.js'

let database: TestDatabase
let store: Store
let queue: MadeQueue

beforeAll(async () => {
  database = await createTestDatabase()
  store = testStore(database.config)
  queue = await makeQueue(store, { state: JSON.stringify(initial()) })
  await makeItem(store, queue, { row: 1 })
  await makeReceipt(store, queue, { timeStamp: 1n })
  await makeAction(store, queue, { timeStamp: 1n })
})

afterAll(async () => {
  await store.close()
  await database.drop()
})

const AUSTRIA = 0x4154_0000_0000_0000n
const VERSION_2 = 0x2000_0000_0000n
const ZIP = 0x0001_0000n

async function bytesOf(type: bigint): Promise<Buffer> {
  const { body } = await openJournal({ store, queue }, type)
  const parts: Buffer[] = []
  for await (const piece of body) parts.push(Buffer.from(piece))
  return Buffer.concat(parts)
}

describe.each([
  ['version information', 0n],
  ['actions', 1n],
  ['receipts', 2n],
  ['queue items', 3n],
  ['configuration', 0xffn],
])('the journal of %s', (_, number) => {
  it.each([
    ['of the country', AUSTRIA],
    ['without country, which is that of the queue', 0n],
  ])('has a word of version 2 %s', async (_name, country) => {
    const plain = await journalText({ store, queue }, number)
    const word = country | VERSION_2 | number
    expect(await journalText({ store, queue }, word)).toBe(plain)
    const members = [...(await unzipped(await bytesOf(word | ZIP)))]
    expect(members.map(([name]) => /\.json$/.test(name))).toEqual([true])
    expect(crc32(members[0]?.[1] ?? '')).toBe(crc32(plain))
  })
})

it('the exports of a market have words without country as well', async () => {
  for (const number of [0x1001n, 0x1002n]) {
    const own = await journalText({ store, queue }, AUSTRIA | VERSION_2 | number)
    expect(await journalText({ store, queue }, VERSION_2 | number)).toBe(own)
  }
})

it.each([
  ['a number that no journal has', AUSTRIA | VERSION_2 | 0x04n],
  ['the same without country', VERSION_2 | 0x04n],
  ['flags that are not known', AUSTRIA | VERSION_2 | (ZIP << 1n) | 1n],
  ['a common journal of another country', 0x4445_2000_0000_0001n],
])('%s is refused', async (_, type) => {
  const refused = openJournal({ store, queue }, type)
  await expect(refused).rejects.toMatchObject({ code: 'JOURNAL_TYPE_UNKNOWN' })
})
