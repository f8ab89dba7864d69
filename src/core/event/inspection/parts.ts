// Files of one queue in a bundle: each by itself, or several in one pass over its items.
import { setImmediate as turn } from 'node:timers/promises'
import { Memo } from '../../../lib/memo.js'
import type { Market } from '../../../market/contract.js'
import { filesOf, marketOf } from '../../../market/index.js'
import type { StoredItem } from '../../../model/journal.js'
import type { Store } from '../../../store/client.js'
import { storedItems } from '../../../store/journal/journal-items.js'
import { findQueue, type StoredQueue } from '../../../store/journal/journal-queue.js'
import { pacedStore } from '../../../store/paced.js'
import { exportJournal } from '../../journal/export.js'
import { receiptsCsv } from '../../journal/receipts.js'
import { exportSource } from '../../journal/source.js'
import { type Gauge, type Written, writePacked, writePart } from './part-file.js'
import type { PartContent } from './plan.js'
import { SharedPages } from './shared-pages.js'
import { type Sums, Turnover } from './sums.js'

export interface PartTask {
  do: 'parts'
  /** Several: those that go through the items of the queue, which are then read once. */
  files: readonly PartFile[]
  connection: Store['connection']
  keys: readonly Uint8Array[]
  accountId: string
  queueId: string
  /** Ticks. */
  from: bigint
  upTo: bigint
  moment: number
}

export interface PartFile {
  path: string
  content: PartContent
  /** Nobody reads it before it is in the archive: it is written as it will be there. */
  isPacked: boolean
}

export type PartDone = Written & { sums?: Sums }

interface Making {
  store: Store
  task: PartTask
  gauge: Gauge
  queue: StoredQueue
  market: Market
  /** Of the queue in the range of the task. */
  items(): AsyncIterable<StoredItem[]>
}

/** In the order in which they were asked for. */
export async function makeParts(kept: Store, task: PartTask, gauge: Gauge): Promise<PartDone[]> {
  // what is made of an answer is a piece of work: some exports read for seconds before they write
  const store = pacedStore(kept, () => gauge.goOn())
  const { accountId, queueId, from, upTo: to } = task
  const key = { accountId, queueId }
  const queue = await findQueue(store, key)
  if (queue === undefined) throw new Error(`the queue ${queueId} is gone`)
  const market = marketOf(queue.market)
  const items = () => storedItems(store, { key, range: { from, to } })
  const making = { store, task, gauge, queue, market, items }
  const [first, ...more] = task.files
  if (first !== undefined && more.length === 0) return [await makePart(making, first)]
  return inOnePass(making)
}

/** The first failure is thrown when all of them have ended. */
async function inOnePass(making: Making): Promise<PartDone[]> {
  const pages = new SharedPages(remembered(making.items()))
  const all = making.task.files.map((file) => ({ file, reader: pages.reader() }))
  try {
    const made = all.map(async ({ file, reader }) => {
      try {
        return await makePart({ ...making, items: () => reader.pages }, file)
      } finally {
        // one that leaves early must not keep the others waiting
        reader.close()
      }
    })
    await Promise.allSettled(made)
    return await Promise.all(made)
  } finally {
    await pages.end()
  }
}

/**
 * Items that all files are done with before the next ones come: what they remember of an item is
 * some fifty kilobytes, and what does not live long costs V8 nothing.
 */
const AT_ONCE = 8

/** What one file reads in a text, the others have as well. */
async function* remembered(
  pages: AsyncIterable<StoredItem[]>,
): AsyncGenerator<StoredItem[], void, undefined> {
  for await (const page of pages) {
    for (let at = 0; at < page.length; at += AT_ONCE) {
      const items = page.slice(at, at + AT_ONCE)
      for (const item of items) item.memo = new Memo()
      yield items
      for (const item of items) delete item.memo
      // the next page comes in meanwhile: a socket holds less than one of them
      await turn()
    }
  }
}

async function makePart(making: Making, { path, content, isPacked }: PartFile): Promise<PartDone> {
  const { market, gauge } = making
  const write = isPacked ? writePacked : writePart
  if (!('journal' in content) || content.journal !== 'journal') {
    return write(path, await piecesOf(making, content), gauge)
  }
  const counted = new Turnover(market)
  const pages = counted.through(making.items())
  const written = await write(path, receiptsCsv({ pages, cases: market.cases }), gauge)
  return { ...written, sums: counted.sums }
}

const JOURNAL_TYPES = { 'receipt-journal': 0x02n, 'action-journal': 0x01n } as const

async function piecesOf(
  making: Making,
  content: PartContent,
): Promise<AsyncIterable<string | Uint8Array>> {
  const { store, task, queue, market } = making
  const { accountId, queueId } = task
  const now = new Date(task.moment)
  const range = { from: task.from, to: task.upTo }
  if ('journal' in content) {
    if (content.journal === 'journal') throw new Error('receipts are counted on their way')
    const type = JOURNAL_TYPES[content.journal]
    const asked = { accountId, queueId, type, range, format: 'csv' } as const
    return (await exportJournal({ store, marketOf, now: () => now }, asked)).body
  }
  const options = new Map(content.each === undefined ? [] : [['each', content.each]])
  const file = filesOf(market)[content.legal]
  if (file === undefined) throw new Error(`${queue.market} has no file ${content.legal}`)
  const source = exportSource(store, { market, queue, range, options, now })
  return file.run({ ...source, items: making.items })
}
