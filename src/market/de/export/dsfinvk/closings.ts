// Which cash point closings an export contains.

import type { ExportSource } from '../../../../model/export-source.js'
import type { StoredMarketRow } from '../../../../model/journal.js'
import { CLOSING_KIND, type Closing, readClosing } from '../../queue.js'

export interface StoredClosing extends Closing {
  timeStamp: bigint
  /** Z_NR. */
  number: number
}

/** The closings of an export in order; `upTo` ends a second reading where the first one ended. */
export async function* closingsOf(
  source: ExportSource,
  upTo?: bigint,
): AsyncGenerator<StoredClosing, void, undefined> {
  const { from, to } = source.range
  const isInside = await insideOf(source)
  let after = from - 1n
  for (;;) {
    const row = await source.marketRowAfter(CLOSING_KIND, after)
    if (row === undefined || (to > 0n && row.timeStamp > to)) return
    if (upTo !== undefined && row.timeStamp > upTo) return
    const closing = storedClosing(row)
    if (!isInside(closing)) return
    yield closing
    after = row.timeStamp
  }
}

export function storedClosing(row: StoredMarketRow): StoredClosing {
  return { ...readClosing(row.content), timeStamp: row.timeStamp, number: row.number }
}

/** A negative end counts receipts: receipt numbers have no gaps. */
async function insideOf(source: ExportSource): Promise<(closing: Closing) => boolean> {
  const { to } = source.range
  if (to >= 0n) return () => true
  const first = await firstReceiptNumber(source)
  if (first === undefined) return () => false
  return ({ receiptNumber }) => BigInt(receiptNumber - first) < -to
}

async function firstReceiptNumber(source: ExportSource): Promise<number | undefined> {
  for await (const page of source.items()) {
    const found = page.find(({ receiptNumber }) => receiptNumber !== null)
    if (found?.receiptNumber !== undefined) return found.receiptNumber ?? undefined
  }
  return undefined
}
