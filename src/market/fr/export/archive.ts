// An archive (archive des données): everything between two archive receipts, with what is needed to
// verify it.
import { createHash, type Hash } from 'node:crypto'
import { fail } from '../../../errors.js'
import { csvLines } from '../../../lib/csv.js'
import { zipped } from '../../../lib/zip.js'
import type { ExportSource, Spool, Ticks } from '../../../model/export-source.js'
import type { StoredItem, StoredMarketRow, StoredReceiptRow } from '../../../model/journal.js'
import type { Export } from '../../contract.js'
import { isWord } from '../../kit/journal-word.js'
import { payloadOf } from '../payload.js'
import { noteText } from './note.js'
import { tableMoment } from './table-text.js'

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
    const items = new Table(source.spool(), ITEM_COLUMNS)
    const receipts = new Table(source.spool(), RECEIPT_COLUMNS)
    const documents = new Table(source.spool(), DOCUMENT_COLUMNS)
    try {
      const range = await writeItems(source, archive, items)
      await writeReceipts(source, range, receipts)
      const certificates = await writeDocuments(source, range, documents)
      certificates.set(archive.signed.csn, archive.row.certificateFingerprint)
      yield* zipped(
        [
          { name: 'LISEZMOI.txt', content: () => once(noteText(archive.signed)) },
          ...(await certificateFiles(source, certificates)),
          { name: 'archive.jws', content: () => once(archive.row.content) },
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

const ALWAYS: Ticks = { from: 0n, to: 0n }

async function archiveAt(source: ExportSource): Promise<Archive> {
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
    return { name: `${csn}.cer`, content: () => once(found.der) }
  })
  return Promise.all(files)
}

async function* once(content: string | Buffer): AsyncGenerator<Uint8Array, void, undefined> {
  yield Buffer.from(content)
}

// ------------------------------------------------------------------------------------------ tables

interface Columns {
  names: readonly string[]
  quoted: readonly boolean[]
}

/** Waits for its place in the archive: its name is the hash of its content. */
class Table {
  private readonly spool: Spool
  private readonly sum: Hash = createHash('sha256')
  private readonly columns: Columns
  private isBegun = false

  constructor(spool: Spool, columns: Columns) {
    this.spool = spool
    this.columns = columns
  }

  async write(rows: readonly (readonly string[])[]): Promise<void> {
    const form = { delimiter: ',', exact: true }
    const head = this.isBegun ? '' : csvLines([this.columns.names], form)
    this.isBegun = true
    const bytes = Buffer.from(head + csvLines(rows, { ...form, quoted: this.columns.quoted }))
    this.sum.update(bytes)
    await this.spool.write(bytes)
  }

  read(): AsyncIterable<Uint8Array> {
    return this.spool.read()
  }

  hash(): string {
    return this.sum.digest('base64url')
  }

  close(): Promise<void> {
    return this.spool.close()
  }
}

function columns(names: readonly string[], quoted: readonly string[] = []): Columns {
  return { names, quoted: names.map((name) => quoted.includes(name)) }
}

const ITEM_COLUMNS = columns(
  [
    ...['cbReceiptMoment', 'cbReceiptReference', 'cbTerminalID', 'country', 'ftDoneMoment'],
    ...['ftQueueId', 'ftQueueItemId', 'ftQueueMoment', 'ftQueueRow', 'ftQueueTimeout'],
    ...['ftWorkMoment', 'request', 'requestHash', 'response', 'responseHash', 'TimeStamp'],
    'version',
  ],
  ['request', 'response'],
)

const moment = (date: Date | null): string => (date === null ? '' : tableMoment(date))
const base64 = (hash: Buffer | null): string => hash?.toString('base64') ?? ''

function itemCells(item: StoredItem, queueId: string): string[] {
  return [
    moment(item.receiptMoment),
    item.receiptReference ?? '',
    item.terminalId ?? '',
    item.country,
    moment(item.doneMoment),
    queueId,
    item.id,
    moment(item.queueMoment),
    String(item.row),
    String(item.timeoutMs),
    moment(item.workMoment),
    item.request,
    base64(item.requestHash),
    item.response ?? '',
    base64(item.responseHash),
    item.timeStamp.toString(),
    item.version,
  ]
}

/** What the items of the archive say of the other journals. */
interface Range {
  ticks: Ticks
  /** Numbers of the first and the last receipt. */
  first: number
  last: number
}

/** Rows of one receipt are written by one statement, so that their ticks are close together. */
const STATEMENT_TICKS = 10_000_000n

async function writeItems(source: ExportSource, { rows }: Archive, table: Table): Promise<Range> {
  let first: StoredItem | undefined
  let last: StoredItem | undefined
  await table.write([])
  for await (const page of source.itemsBetween(rows)) {
    const receipts = page.filter(({ receiptNumber }) => receiptNumber !== null)
    first ??= receipts[0]
    last = receipts.at(-1) ?? last
    await table.write(receipts.map((item) => itemCells(item, source.queue.id)))
  }
  return {
    ticks: {
      from: (first?.timeStamp ?? 0n) - STATEMENT_TICKS,
      to: (last?.timeStamp ?? 0n) + STATEMENT_TICKS,
    },
    first: first?.receiptNumber ?? 0,
    last: last?.receiptNumber ?? 0,
  }
}

const RECEIPT_COLUMNS = columns([
  ...['ftQueueId', 'ftQueueItemId', 'ftReceiptHash', 'ftReceiptJournalId', 'ftReceiptMoment'],
  ...['ftReceiptNumber', 'ftReceiptTotal', 'TimeStamp'],
])

async function writeReceipts(source: ExportSource, range: Range, table: Table): Promise<void> {
  const isMeant = ({ receiptNumber }: StoredReceiptRow) =>
    receiptNumber >= range.first && receiptNumber <= range.last
  await table.write([])
  for await (const page of source.receiptRows(range.ticks)) {
    await table.write(
      page
        .filter(isMeant)
        .map((row) => [
          source.queue.id,
          row.queueItemId,
          base64(row.receiptHash),
          row.id,
          tableMoment(row.receiptMoment),
          row.receiptNumber.toString(),
          row.receiptTotal,
          row.timeStamp.toString(),
        ]),
    )
  }
}

const DOCUMENT_COLUMNS = columns(['Letter', 'Number', 'ftQueueItemId', 'JWT'])

/** Returns the certificates that were used, by their serial numbers. */
async function writeDocuments(
  source: ExportSource,
  range: Range,
  table: Table,
): Promise<Map<string, Buffer | null>> {
  const certificates = new Map<string, Buffer | null>()
  await table.write([])
  for await (const page of source.marketRows(range.ticks)) {
    const cells: string[][] = []
    for (const { kind, number, queueItemId, content, certificateFingerprint } of page) {
      if (kind.length > 1) continue
      const { rid, csn } = JSON.parse(payloadOf(content)) as { rid: string; csn: string }
      // the receipts of the queue before this one
      const before = Number.parseInt(rid.slice('ft'.length), 16)
      if (before + 1 < range.first || before + 1 > range.last) continue
      certificates.set(csn, certificateFingerprint)
      cells.push([kind, String(number), queueItemId, content])
    }
    await table.write(cells)
  }
  return certificates
}
