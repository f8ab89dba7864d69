// An archive (archive des données): everything between two archive receipts, with what is needed to
// verify it.
import { fail } from '../../../errors.js'
import { zipped } from '../../../lib/zip.js'
import type { ExportSource, Ticks } from '../../../model/export-source.js'
import type { StoredItem, StoredMarketRow, StoredReceiptRow } from '../../../model/journal.js'
import type { Export, LegalFile } from '../../contract.js'
import { type Columns, HashedTable } from '../../kit/hashed-table.js'
import { isWord } from '../../kit/journal-word.js'
import { payloadOf } from '../../kit/jws.js'
import { STATEMENT_TICKS } from '../../kit/receipt-range.js'
import { filled } from '../../kit/refusal.js'
import { receiptNumberOf } from '../describe.js'
import { tableMoment } from './groups.js'
import note from './note.json' with { type: 'json' }

/** Members of an archive's payload that its export needs. */
interface Signed {
  csn: string
  dt: string
  fcrqiid: string
  lcrqiid: string
}

interface Archive {
  row: StoredMarketRow
  signed: Signed
  /** Of the queue items, both inclusive. */
  rows: { from: number; to: number }
}

/** `from`: ftQueueRow of the archive receipt. The same call gives the same bytes. */
export const archiveZip: Export = {
  matches: isWord('0x4652000000010010', '0x4652200000001010'),
  contentType: 'application/zip',
  async *run(source) {
    const archive = await archiveAt(source)
    const items = new HashedTable(source.spool(), itemColumns(source.queue.id))
    const receipts = new HashedTable(source.spool(), receiptColumns(source.queue.id))
    const documents = new HashedTable(source.spool(), DOCUMENT_COLUMNS)
    try {
      const range = await writeItems(source, archive, items)
      const isMeant = (number: bigint | number) => number >= range.first && number <= range.last
      await receipts.fill(source.receiptRows(range.ticks), ({ receiptNumber }) =>
        isMeant(receiptNumber),
      )
      const certificates = new Map<string, Buffer | null>()
      await documents.fill(source.marketRows(range.ticks), ({ kind, content, ...row }) => {
        const payload = payloadOf(content)
        if (kind.length > 1 || !isMeant(receiptNumberOf(payload))) return false
        certificates.set((JSON.parse(payload) as Signed).csn, row.certificateFingerprint)
        return true
      })
      certificates.set(archive.signed.csn, archive.row.certificateFingerprint)
      yield* zipped(
        [
          { name: 'LISEZMOI.txt', content: () => [Buffer.from(noteText(archive.signed.dt))] },
          ...(await certificateFiles(source, certificates)),
          { name: 'archive.jws', content: () => [Buffer.from(archive.row.content)] },
          { name: 'documents.csv', content: () => documents.read() },
          { name: `receiptJournals.${receipts.hash()}.csv`, content: () => receipts.read() },
          { name: `queueItems.${items.hash()}.csv`, content: () => items.read() },
        ],
        new Date(archive.signed.dt),
      )
    } finally {
      for (const table of [items, receipts, documents]) await table.close()
    }
  },
}

/** The explanatory note, in French as the law wants it (BOI-TVA-DECLA-30-10-30 § 230). */
const noteText = (moment: string): string => `${filled(note.join('\n'), [moment])}\n`

/** Each in the bundle of an auditor, by the ftQueueRow of its receipt. */
export const archives: LegalFile = {
  name: 'archives/{each}.zip',
  each: archiveRows,
  run: (source) => {
    const from = BigInt(source.options.get('each') ?? '')
    return archiveZip.run({ ...source, range: { from, to: 0n } })
  },
  verified: 'alone',
}

async function archiveRows(source: ExportSource): Promise<string[]> {
  const rows: string[] = []
  for await (const page of source.chainRows('A')) {
    const found = await Promise.all(page.map((row) => source.rowOfItem(row.queueItemId)))
    rows.push(...found.filter((row) => row !== undefined).map(String))
  }
  return rows
}

const ALWAYS: Ticks = { from: 0n, to: 0n }

/** The archive of the range: `from` is the ftQueueRow of its receipt. */
export async function archiveAt(source: ExportSource): Promise<Archive> {
  const asked = Number(source.range.from)
  if (!Number.isSafeInteger(asked)) throw notThere()
  const item = await itemAt(source, asked)
  for await (const page of source.chainRows('A', ALWAYS)) {
    const row = page.find(({ queueItemId }) => queueItemId === item?.id)
    if (row === undefined) continue
    const signed = JSON.parse(payloadOf(row.content)) as Signed
    const [from, to] = await Promise.all([
      source.rowOfItem(signed.fcrqiid),
      source.rowOfItem(signed.lcrqiid),
    ])
    if (from === undefined || to === undefined) throw new Error('the range of an archive is gone')
    return { row, signed, rows: { from, to } }
  }
  throw notThere()
}

async function itemAt(source: ExportSource, row: number): Promise<StoredItem | undefined> {
  for await (const [item] of source.itemsBetween({ from: row, to: row })) return item
  return undefined
}

function notThere() {
  return fail('FIELD_INVALID', {
    field: 'from',
    expected: 'ftQueueRow of an archive receipt (case 0x4652000000000015) of this queue',
  })
}

async function certificateFiles(
  source: ExportSource,
  fingerprints: ReadonlyMap<string, Buffer | null>,
) {
  const files = [...fingerprints].map(async ([csn, fingerprint]) => {
    const found = fingerprint === null ? undefined : await source.certificate(fingerprint)
    if (found === undefined) throw new Error(`certificate ${csn} of an archive is gone`)
    return { name: `${csn}.cer`, content: () => [found.der] }
  })
  return Promise.all(files)
}

// ------------------------------------------------------------------------------------------ tables

const moment = (date: Date | null): string => (date === null ? '' : tableMoment(date))
const base64 = (hash: Buffer | null): string => hash?.toString('base64') ?? ''

const itemColumns = (queueId: string): Columns<StoredItem> => [
  ['cbReceiptMoment', (item) => moment(item.receiptMoment)],
  ['cbReceiptReference', (item) => item.receiptReference ?? ''],
  ['cbTerminalID', (item) => item.terminalId ?? ''],
  ['country', (item) => item.country],
  ['ftDoneMoment', (item) => moment(item.doneMoment)],
  ['ftQueueId', () => queueId],
  ['ftQueueItemId', (item) => item.id],
  ['ftQueueMoment', (item) => moment(item.queueMoment)],
  ['ftQueueRow', (item) => String(item.row)],
  ['ftQueueTimeout', (item) => String(item.timeoutMs)],
  ['ftWorkMoment', (item) => moment(item.workMoment)],
  ['request', (item) => item.request, 'quoted'],
  ['requestHash', (item) => base64(item.requestHash)],
  ['response', (item) => item.response ?? '', 'quoted'],
  ['responseHash', (item) => base64(item.responseHash)],
  ['TimeStamp', (item) => item.timeStamp.toString()],
  ['version', (item) => item.version],
]

const receiptColumns = (queueId: string): Columns<StoredReceiptRow> => [
  ['ftQueueId', () => queueId],
  ['ftQueueItemId', (row) => row.queueItemId],
  ['ftReceiptHash', (row) => base64(row.receiptHash)],
  ['ftReceiptJournalId', (row) => row.id],
  ['ftReceiptMoment', (row) => tableMoment(row.receiptMoment)],
  ['ftReceiptNumber', (row) => row.receiptNumber.toString()],
  ['ftReceiptTotal', (row) => row.receiptTotal],
  ['TimeStamp', (row) => row.timeStamp.toString()],
]

const DOCUMENT_COLUMNS: Columns<StoredMarketRow> = [
  ['Letter', ({ kind }) => kind],
  ['Number', (row) => String(row.number)],
  ['ftQueueItemId', (row) => row.queueItemId],
  ['JWT', ({ content }) => content],
]

/** What the items of the archive say of the other journals. */
interface Range {
  ticks: Ticks
  /** Numbers of the first and the last receipt. */
  first: number
  last: number
}

async function writeItems(
  source: ExportSource,
  { rows }: Archive,
  table: HashedTable<StoredItem>,
): Promise<Range> {
  let first: StoredItem | undefined
  let last: StoredItem | undefined
  await table.fill(source.itemsBetween(rows), (item) => {
    if (item.receiptNumber === null) return false
    first ??= item
    last = item
    return true
  })
  const [from, to] = [first?.timeStamp ?? 0n, last?.timeStamp ?? 0n]
  return {
    ticks: { from: from - STATEMENT_TICKS, to: to + STATEMENT_TICKS },
    first: first?.receiptNumber ?? 0,
    last: last?.receiptNumber ?? 0,
  }
}
