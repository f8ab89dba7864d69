// After an archive receipt: the hashes of its range are made once more from what is stored, and the
// action journal tells what came of it (event 90 of the French technical journal).
import { sha256 } from '../../lib/hash.js'
import type { ExportSource } from '../../model/export-source.js'
import type { StoredItem, StoredMarketRow, StoredReceiptRow } from '../../model/journal.js'
import { chainHash } from '../../model/receipt-chain.js'
import type { OutboxNote, OutboxWorker } from '../contract.js'
import { priority } from '../kit/draft.js'
import { type Link, linkOf, NO_LINK } from './audit.js'
import { archiveAt, STATEMENT_TICKS } from './export/archive.js'
import type { FrState } from './queue.js'
import { actions } from './text.js'

/** Kind of the work; its payload has the row of the archive receipt. */
export const ARCHIVE_CHECK = 'archive-check'

/** An archive holds at most so many days (BOI § 220: it is made once a year at least). */
export const ARCHIVE_DAYS = 365

/** So many places are named; the rest is counted. */
const NAMED = 20

export const checkArchive: OutboxWorker = async ({ payload, source, write, newId }) => {
  const from = BigInt(payload.row ?? 0)
  const { row, rows } = await archiveAt({ ...source, range: { from, to: 0n } })
  const wrong: string[] = []
  const first = await checkReceipts(source, rows, wrong)
  if (first !== undefined) await checkDocuments(source, { first, last: row }, wrong)
  const isRight = wrong.length === 0
  const message = isRight ? actions.archiveRight : actions.archiveWrong(wrong.length)
  const dataJson = isRight ? null : JSON.stringify(wrong.slice(0, NAMED))
  const action = { id: newId(), type: 'JET-90', message, dataJson, dataBase64: null }
  const level = isRight ? priority.information : priority.report
  const note: OutboxNote = {
    ...{ itemId: row.queueItemId, journal: [], actions: [{ ...action, priority: level }] },
  }
  const moment = source.now.getTime()
  const told = { moment, caption: message, data: dataJson ?? '' }
  await write([
    isRight ? note : { ...note, state: (before) => withMessage(before as FrState, told) },
  ])
}

/** What the newest of them say is enough: the action journal has all. */
const MOST_MESSAGES = 10

/** The operator is told by the next zero receipt. */
function withMessage(state: FrState, message: FrState['messages'][number]): FrState {
  return { ...state, messages: [...state.messages, message].slice(-MOST_MESSAGES) }
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
    if (item.receiptNumber === null) continue
    if (!isHash(item.request, item.requestHash)) wrong.push(`request ${item.row}`)
    if (!isHash(item.response, item.responseHash)) wrong.push(`response ${item.row}`)
    first ??= item
    receipts ??= each(source.receiptRows({ from: first.timeStamp - STATEMENT_TICKS, to: 0n }))
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

function isNext(
  previous: Buffer | null,
  { id: receiptJournalId, receiptMoment, receiptNumber, receiptHash }: StoredReceiptRow,
  { requestHash, responseHash }: StoredItem,
): boolean {
  if (responseHash === null) return false
  const link = { previous, receiptJournalId, receiptMoment, requestHash, responseHash }
  return chainHash({ ...link, receiptNumber: Number(receiptNumber) }).equals(receiptHash)
}

/** Letter by letter: numbers without gaps, each document chained to the one before. */
async function checkDocuments(
  source: ExportSource,
  { first, last }: { first: StoredItem; last: StoredMarketRow },
  wrong: string[],
): Promise<void> {
  const chains = new Map<string, Link>()
  const range = { from: first.timeStamp - STATEMENT_TICKS, to: last.timeStamp }
  for await (const row of each(source.marketRows(range))) {
    const { kind, number } = row
    if (kind.length > 1) continue
    const isFirst = number === 1 || first.receiptNumber === 1
    const before = chains.get(kind) ?? (isFirst ? NO_LINK : undefined)
    const link = linkOf(row)
    const isRight =
      before === undefined || (number === before.number + 1 && link.before === before.hash)
    if (!isRight) wrong.push(`document ${kind}${number}`)
    chains.set(kind, link)
  }
}
