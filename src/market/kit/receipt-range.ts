// Receipts of a range once more: what was stored of them against its hashes, and the chain over all
// receipts of the queue.
import { sha256 } from '../../lib/hash.js'
import type { ExportSource, ItemEnds, MarketRowsAsked, Ticks } from '../../model/export-source.js'
import type { StoredItem } from '../../model/journal.js'
import { storedHash } from '../../model/receipt-chain.js'

/** Rows of one receipt are written by one statement, so that their ticks are close together. */
const STATEMENT_TICKS = 10_000_000n

type Stamped = Pick<StoredItem, 'timeStamp'>

/** Where the rows of these receipts lie, with some of their neighbours. */
export const ticksOfRows = (first: Stamped, last: Stamped): Ticks => ({
  from: first.timeStamp - STATEMENT_TICKS,
  to: last.timeStamp + STATEMENT_TICKS,
})

/** Of pages, their rows. */
export async function* each<T>(pages: AsyncIterable<T[]>): AsyncGenerator<T, void, undefined> {
  for await (const page of pages) yield* page
}

/** What rows of the country's journal say. */
export async function* storedIn<T>(source: ExportSource, asked: MarketRowsAsked) {
  for await (const { content } of each(source.marketRows(asked))) yield JSON.parse(content) as T
}

/** `end`: its row, or its id. */
export async function itemAt(
  source: ExportSource,
  end: number | string,
): Promise<StoredItem | undefined> {
  for await (const item of each(source.itemsBetween({ from: end, to: end }))) return item
  return undefined
}

const isHash = (text: string | null, hash: Buffer | null): boolean =>
  hash !== null && sha256(text ?? '').equals(hash)

/**
 * Adds the places of what is wrong (`receipt 7`); returns the first receipt of the range. Throws
 * where there is none.
 */
export async function checkReceipts(
  source: ExportSource,
  ends: ItemEnds,
  wrong: string[],
): Promise<StoredItem> {
  let first: StoredItem | undefined
  let previous: Buffer | null | undefined
  for await (const item of each(source.itemsBetween(ends))) {
    const { row, receipt, receiptNumber } = item
    if (receipt === null) continue
    first ??= item
    if (!isHash(item.request, item.requestHash)) wrong.push(`request ${row}`)
    if (!isHash(item.response, item.responseHash)) wrong.push(`response ${row}`)
    if (receiptNumber === 1) previous = null
    const isChained =
      item.responseHash !== null &&
      (previous === undefined || storedHash(previous, receipt, item).equals(receipt.receiptHash))
    if (!isChained) wrong.push(`receipt ${receiptNumber}`)
    previous = receipt.receiptHash
  }
  if (first === undefined) throw new Error('there are no receipts in the range')
  return first
}
