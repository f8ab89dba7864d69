// Receipts of a range once more: what was stored of them against its hashes, and the chain over all
// receipts of the queue.
import { sha256 } from '../../lib/hash.js'
import type { ExportSource } from '../../model/export-source.js'
import type { StoredItem, StoredReceiptRow } from '../../model/journal.js'
import { storedHash } from '../../model/receipt-chain.js'

/** Rows of one receipt are written by one statement, so that their ticks are close together. */
export const STATEMENT_TICKS = 10_000_000n

/** Of pages, their rows. */
export async function* each<T>(pages: AsyncIterable<T[]>): AsyncGenerator<T, void, undefined> {
  for await (const page of pages) yield* page
}

const isHash = (text: string | null, hash: Buffer | null): boolean =>
  hash !== null && sha256(text ?? '').equals(hash)

/** Adds the places of what is wrong (`receipt 7`); returns the first receipt of the range. */
export async function checkReceipts(
  source: ExportSource,
  rows: { from: number; to: number },
  wrong: string[],
): Promise<StoredItem | undefined> {
  let first: StoredItem | undefined
  let receipts: AsyncGenerator<StoredReceiptRow, void, undefined> | undefined
  let previous: Buffer | null | undefined
  for await (const item of each(source.itemsBetween(rows))) {
    if (item.receiptNumber === null) continue
    if (!isHash(item.request, item.requestHash)) wrong.push(`request ${item.row}`)
    if (!isHash(item.response, item.responseHash)) wrong.push(`response ${item.row}`)
    first ??= item
    receipts ??= each(source.receiptRows({ from: first.timeStamp - STATEMENT_TICKS, to: 0n }))
    let found = (await receipts.next()).value
    while (found && found.receiptNumber < item.receiptNumber) found = (await receipts.next()).value
    if (item.receiptNumber === 1) previous = null
    const isChained =
      found?.queueItemId === item.id &&
      item.responseHash !== null &&
      (previous === undefined || storedHash(previous, found, item).equals(found.receiptHash))
    if (!isChained) wrong.push(`receipt ${item.receiptNumber}`)
    previous = found?.receiptHash
  }
  await receipts?.return()
  return first
}
