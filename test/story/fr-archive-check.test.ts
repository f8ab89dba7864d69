// After an archive receipt its hashes are made once more: the action journal says that all are
// right, or which are not.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { exportSource } from '../../src/core/journal/source.js'
import { checkArchive } from '../../src/market/fr/archive-check.js'
import { france } from '../../src/market/fr/index.js'
import { marketOf } from '../../src/market/index.js'
import type { ExportSource } from '../../src/model/export-source.js'
import type { ActionRow } from '../../src/model/journal.js'
import { findQueue } from '../../src/store/journal/journal-queue.js'
import { createTestDatabase, type TestDatabase } from '../support/db.js'
import {
  answer,
  createTill,
  job,
  member,
  openStand,
  type Stand,
  type Till,
} from '../support/stand.js'

let database: TestDatabase
let stand: Stand
let till: Till
/** ftQueueRow of the first and the second archive. */
const rows: number[] = []

const word = (code: number): bigint => 0x4652_0000_0000_0000n | BigInt(code)

beforeAll(async () => {
  database = await createTestDatabase()
  stand = openStand(database.config)
  till = await createTill(stand, { market: 'FR' })
  const sign = (code?: number) => {
    const wanted = code === undefined ? {} : { receiptCase: word(code), cents: null }
    return answer(stand.signing.sign(job(till, wanted)))
  }
  for (const code of [undefined, undefined, 0x05, 0x15, undefined, 0x06, 0x15]) {
    const text = await sign(code)
    if (code === 0x15) rows.push(Number(member(text, 'ftQueueRow')))
  }
})
afterAll(async () => {
  await stand.close()
  await database.drop()
})

/** What the work writes into the action journal when it reads the stored rows in this way. */
async function checked(
  row = 0,
  change: (source: ExportSource) => Partial<ExportSource> = () => ({}),
) {
  const { accountId, queueId } = till
  const queue = await findQueue(stand.store, { accountId, queueId })
  if (queue === undefined) throw new Error('there is no queue')
  const market = marketOf('FR')
  const range = { from: 0n, to: 0n }
  const options = new Map<string, string>()
  const source = exportSource(stand.store, { market, queue, range, options, now: new Date() })
  const written: ActionRow[] = []
  let state: unknown = france.queue.initial()
  await checkArchive({
    ...{ key: 'k', payload: { row }, units: [], last: false, newId: () => 'id' },
    source: { ...source, ...change(source) },
    write: async (notes, change) => {
      written.push(...notes.flatMap(({ actions }) => actions))
      state = change?.(state as never) ?? state
    },
    tools: stand.deps.tools,
    signal: new AbortController().signal,
  })
  // what is wrong waits for the operator, what is right does not
  const { messages } = france.queue.state.parse(state)
  const bad = written.filter(({ priority }) => priority < 0)
  expect(messages.map(({ caption, data }) => [caption, data])).toEqual(
    bad.map(({ message, dataJson }) => [message, dataJson]),
  )
  return written.map(({ priority, type, message, dataJson }) => ({
    ...{ priority, type, isWrong: message.startsWith('Code 90: ') },
    places: dataJson === null ? [] : JSON.parse(dataJson),
  }))
}

/** Pages in which one row is another. */
async function* changed<T>(pages: AsyncIterable<T[]>, how: (row: T) => T): AsyncGenerator<T[]> {
  for await (const page of pages) yield page.map(how)
}

it('finds both archives right, the second from the first on', async () => {
  const right = [{ priority: 0x30, type: 'JET-90', isWrong: false, places: [] }]
  for (const row of rows) expect(await checked(row)).toEqual(right)
})

it.each<[string, string[], (source: ExportSource) => Partial<ExportSource>]>([
  [
    'a request that was changed',
    ['request 2'],
    ({ itemsBetween }) => ({
      itemsBetween: (range) =>
        changed(itemsBetween(range), (item) =>
          item.row === 2 ? { ...item, request: `${item.request} ` } : item,
        ),
    }),
  ],
  [
    'an answer that was changed with its hash',
    ['response 3', 'receipt 3'],
    ({ itemsBetween }) => ({
      itemsBetween: (range) =>
        changed(itemsBetween(range), (item) =>
          item.row === 3 ? { ...item, responseHash: Buffer.alloc(32) } : item,
        ),
    }),
  ],
  [
    'a document that is gone',
    ['document T2'],
    ({ marketRows }) => ({
      marketRows: async function* (asked) {
        for await (const page of marketRows(asked)) {
          yield page.filter(({ kind, number }) => kind !== 'T' || number !== 1)
        }
      },
    }),
  ],
  [
    'a receipt that lost its row',
    ['receipt 2', 'receipt 3'],
    ({ itemsBetween }) => ({
      itemsBetween: (range) =>
        changed(itemsBetween(range), (item) => {
          const { receipt } = item
          if (receipt?.receiptNumber !== 2n) return item
          return { ...item, receipt: { ...receipt, receiptHash: Buffer.alloc(32) } }
        }),
    }),
  ],
])('tells of %s', async (_what, places, change) => {
  expect(await checked(rows[0], change)).toEqual([
    { priority: -1, type: 'JET-90', isWrong: true, places },
  ])
})
