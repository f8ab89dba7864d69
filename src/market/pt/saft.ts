// The books of a queue (SAF-T, Portaria 302/2016), made from the rows of its documents.
import type { BookDocument, DocumentStatus, Table } from '../../device/pt/document.js'
import { fileOf } from '../../device/pt/saft.js'
import { encode } from '../../lib/windows-1252.js'
import type { ExportSource, Ticks } from '../../model/export-source.js'
import type { Export } from '../contract.js'
import { inPieces } from '../kit/csv-table.js'
import { each, storedIn } from '../kit/receipt-range.js'
import * as c from './cases.js'
import { localDay } from './draft.js'
import { ptState, type QueueConfiguration } from './queue.js'
import { STATUS_ROWS } from './rows.js'

const COUNTRY = 0x5054n
const COUNTRY_BITS = 48n
const STATUS_WORD = 0x1000n
const PIECE = 64 * 1024

/** Any word of the country but that of its status. */
export const saft: Export = {
  matches: (word) => word >> COUNTRY_BITS === COUNTRY && (word & 0xffffn) !== STATUS_WORD,
  contentType: 'application/xml',
  async *run(source) {
    for await (const piece of inPieces(partsOf(source), PIECE)) yield encode(piece)
  },
}

export const isStatus = (word: bigint): boolean =>
  word >> COUNTRY_BITS === COUNTRY && (word & 0xffffn) === STATUS_WORD

async function* partsOf(source: ExportSource): AsyncGenerator<string, void, undefined> {
  const { issuer, keys } = ptState.parse(JSON.parse(source.state))
  if (issuer === null) return
  const range = await rangeOf(source)
  yield* fileOf({
    ...{ issuer, lists: c, statuses: await statusesOf(source) },
    key: keys.length === 1 ? keys[0] : undefined,
    today: localDay(source.now, source.queue.configuration as QueueConfiguration),
    documents: (table) => documentsOf(source, range, table),
  })
}

/** The range of the call; a negative end takes so many documents of all series. */
async function rangeOf(source: ExportSource): Promise<Ticks> {
  const { from, to } = source.range
  if (to >= 0n) return source.range
  let left = -to
  for await (const { kind, timeStamp } of each(source.marketRows({ range: { from, to: 0n } }))) {
    if (c.SLOTS.includes(kind as c.Slot)) left -= 1n
    if (left === 0n) return { from, to: timeStamp }
  }
  return { from, to: 0n }
}

const ALWAYS: Ticks = { from: 0n, to: 0n }

/** Whatever the range: an annulled document is told as such. */
async function statusesOf(source: ExportSource): Promise<Map<string, DocumentStatus>> {
  const found = new Map<string, DocumentStatus>()
  const all = storedIn<DocumentStatus>(source, { kind: STATUS_ROWS, range: ALWAYS })
  for await (const status of all) found.set(status.number, status)
  return found
}

async function* documentsOf(
  source: ExportSource,
  range: Ticks,
  table: Table,
): AsyncGenerator<BookDocument, void, undefined> {
  for (const slot of c.SLOTS) {
    const isOf = c.documents[slot].table === table
    if (isOf) yield* storedIn<BookDocument>(source, { kind: slot, range })
  }
}
