// After an archive receipt: the hashes of its range are made once more from what is stored, and the
// action journal tells what came of it (event 90 of the French technical journal).
import { sha256 } from '../../lib/hash.js'
import { objectIn } from '../../lib/json.js'
import type { ExportSource } from '../../model/export-source.js'
import type { StoredItem, StoredMarketRow, StoredReceiptRow } from '../../model/journal.js'
import { chainHash } from '../../model/receipt-chain.js'
import type { OutboxWorker } from '../contract.js'
import { priority } from '../kit/draft.js'
import { payloadOf } from '../kit/jws.js'
import { archiveAt, STATEMENT_TICKS } from './export/archive.js'
import { chainValue } from './payload.js'
import { actions } from './text.js'

/** Kind of the work; its payload has the row of the archive receipt. */
export const ARCHIVE_CHECK = 'archive-check'

/** So many places are named; the rest is counted. */
const NAMED = 20

export const checkArchive: OutboxWorker = async ({ payload, source, write, newId }) => {
  const from = BigInt(payload.row ?? 0)
  const { row, rows } = await archiveAt({ ...source, range: { from, to: 0n } })
  const wrong: string[] = []
  const first = await checkReceipts(source, rows, wrong)
  if (first !== undefined) await checkDocuments(source, { first, last: row }, wrong)
  const told = wrong.length === 0 ? actions.archiveRight : actions.archiveWrong(wrong.length)
  const dataJson = wrong.length === 0 ? null : JSON.stringify(wrong.slice(0, NAMED))
  const level = wrong.length === 0 ? priority.information : priority.report
  const action = { id: newId(), priority: level, type: 'JET-90', message: told }
  const actionRow = { ...action, dataJson, dataBase64: null }
  await write([{ itemId: row.queueItemId, journal: [], actions: [actionRow] }])
}

async function* each<T>(pages: AsyncIterable<T[]>): AsyncGenerator<T, void, undefined> {
  for await (const page of pages) yield* page
}

const isHash = (text: string | null, hash: Buffer | null): boolean =>
  hash !== null && sha256(text ?? '').equals(hash)

/** Texts against their hashes, and the chain over all receipts; returns the first of them. */
async function checkReceipts(
  source: ExportSource,
  rows: { from: number; to: number },
  wrong: string[],
): Promise<StoredItem | undefined> {
  let first: StoredItem | undefined
  let receipts: AsyncGenerator<StoredReceiptRow, void, undefined> | undefined
  let previous: Buffer | null | undefined
  for await (const item of each(source.itemsBetween(rows))) {
    const { requestHash, responseHash } = item
    if (item.receiptNumber === null) continue
    if (!isHash(item.request, requestHash)) wrong.push(`request ${item.row}`)
    if (!isHash(item.response, responseHash)) wrong.push(`response ${item.row}`)
    first ??= item
    const range = { from: first.timeStamp - STATEMENT_TICKS, to: 0n }
    receipts ??= each(source.receiptRows(range))
    let found = (await receipts.next()).value
    while (found && found.receiptNumber < item.receiptNumber) found = (await receipts.next()).value
    if (item.receiptNumber === 1) previous = null
    const isChained =
      found?.queueItemId === item.id && (previous === undefined || isNext(previous, found, item))
    if (!isChained) wrong.push(`receipt ${item.receiptNumber}`)
    previous = found?.receiptHash
  }
  await receipts?.return()
  return first
}

function isNext(previous: Buffer | null, found: StoredReceiptRow, item: StoredItem): boolean {
  const { requestHash, responseHash } = item
  if (responseHash === null) return false
  const hash = chainHash({
    previous,
    receiptJournalId: found.id,
    receiptMoment: found.receiptMoment,
    receiptNumber: Number(found.receiptNumber),
    requestHash,
    responseHash,
  })
  return hash.equals(found.receiptHash)
}

/** Letter by letter: numbers without gaps, each document chained to the one before. */
async function checkDocuments(
  source: ExportSource,
  { first, last }: { first: StoredItem; last: StoredMarketRow },
  wrong: string[],
): Promise<void> {
  const before = new Map<string, { number: number; hash: string }>()
  const range = { from: first.timeStamp - STATEMENT_TICKS, to: last.timeStamp }
  for await (const { kind, number, content } of each(source.marketRows(range))) {
    if (kind.length > 1) continue
    const isFirst = number === 1 || first.receiptNumber === 1
    const known = before.get(kind) ?? (isFirst ? { number: 0, hash: '' } : undefined)
    const hash = objectIn(payloadOf(content))?.get('hash') ?? ''
    const isRight = known === undefined || (number === known.number + 1 && hash === known.hash)
    if (!isRight) wrong.push(`document ${kind}${number}`)
    before.set(kind, { number, hash: chainValue(content.slice(0, content.lastIndexOf('.'))) })
  }
}
