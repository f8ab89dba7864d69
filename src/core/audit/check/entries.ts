// Puts the journals of a queue together: each item with the rows that were written for it. Constant
// memory.

import type { StoredMarketRow, StoredReceiptRow } from '../../../model/journal.js'
import type { Store } from '../../../store/client.js'
import {
  actionRows,
  marketRows,
  receiptRows,
  type StoredActionRow,
} from '../../../store/journal/journal.js'
import {
  queueItems,
  rowOfItem,
  type StoredQueueItem,
} from '../../../store/journal/journal-items.js'
import type { JournalKey } from '../../../store/journal/journal-pages.js'

/** An item id, and everything that names it. */
export interface Entry {
  id: string
  item: StoredQueueItem | undefined
  /** Row of an item that lies far before what is here: an authority answered long after it. */
  answers: number | undefined
  receipts: StoredReceiptRow[]
  markets: StoredMarketRow[]
  actions: StoredActionRow[]
}

type Kinds = {
  item: StoredQueueItem
  receipts: StoredReceiptRow
  markets: StoredMarketRow
  actions: StoredActionRow
}
type Tagged = { [K in keyof Kinds]: { kind: K; row: Kinds[K] } }[keyof Kinds]

/**
 * The rows of one receipt are written by one statement with ticks next to each other, so they are
 * close together in the order of ticks. This many items may be open at a time; rows further apart
 * do not belong together.
 */
const WINDOW = 64

/** In the order of ticks. What is written about an item later is an entry without it. */
export async function* entriesOf(store: Store, key: JournalKey): AsyncGenerator<Entry> {
  const open = new Map<string, Entry>()
  for await (const { kind, row } of byTicks(store, key)) {
    const id = kind === 'item' ? row.id : row.queueItemId
    if (id === null) continue
    const entry = open.get(id) ?? emptyEntry(id)
    open.set(id, entry)
    if (kind === 'item') entry.item = row
    else if (kind === 'receipts') entry.receipts.push(row)
    else if (kind === 'markets') entry.markets.push(row)
    else entry.actions.push(row)
    if (open.size > WINDOW) yield await placed(oldest(open))
  }
  while (open.size > 0) yield await placed(oldest(open))

  async function placed(entry: Entry): Promise<Entry> {
    const { item, receipts, markets } = entry
    if (item !== undefined || receipts.length > 0 || markets.length === 0) return entry
    return { ...entry, answers: await rowOfItem(store, key, entry.id) }
  }
}

function emptyEntry(id: string): Entry {
  const nothing = { item: undefined, answers: undefined }
  return { id, ...nothing, receipts: [], markets: [], actions: [] }
}

function oldest(open: Map<string, Entry>): Entry {
  const [first] = open.values()
  if (first === undefined) throw new Error('no entry is open')
  open.delete(first.id)
  return first
}

/** One stream out of four, by ticks; at equal ticks in the order in which they stand here. */
async function* byTicks(store: Store, key: JournalKey): AsyncGenerator<Tagged> {
  const query = { key, range: { from: 0n, to: 0n } }
  const streams = [
    tagged('item', queueItems(store, query)),
    tagged('actions', actionRows(store, query)),
    tagged('receipts', receiptRows(store, query)),
    tagged('markets', marketRows(store, query)),
  ]
  const heads = await Promise.all(streams.map((stream) => stream.next()))
  for (;;) {
    let first = -1
    heads.forEach((head, at) => {
      const best = heads[first]
      if (head.done === true) return
      if (best === undefined || best.done === true) first = at
      else if (head.value.row.timeStamp < best.value.row.timeStamp) first = at
    })
    const head = heads[first]
    if (head === undefined || head.done === true) return
    yield head.value
    heads[first] = (await streams[first]?.next()) ?? head
  }
}

async function* tagged<K extends keyof Kinds>(
  kind: K,
  pages: AsyncIterable<Kinds[K][]>,
): AsyncGenerator<Tagged, void> {
  for await (const page of pages) {
    for (const row of page) yield { kind, row } as unknown as Tagged
  }
}
