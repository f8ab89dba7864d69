// An archive (archive des données): everything between two archive receipts, with what is needed to
// verify it.
import { fail } from '../../../errors.js'
import type { JsonObject } from '../../../lib/json.js'
import { zipped } from '../../../lib/zip.js'
import type { ExportSource, ItemEnds } from '../../../model/export-source.js'
import type { StoredItem, StoredMarketRow } from '../../../model/journal.js'
import {
  ITEM_MEMBERS,
  type Members,
  type MemberValue,
  RECEIPT_MEMBERS,
} from '../../../model/journal-members.js'
import { textIn } from '../../../model/json-members.js'
import type { Export, LegalFile } from '../../contract.js'
import { type Columns, HashedTable } from '../../kit/hashed-table.js'
import { isWord } from '../../kit/journal-word.js'
import { membersIn } from '../../kit/jws.js'
import { each, itemAt, ticksOfRows } from '../../kit/receipt-range.js'
import { filled } from '../../kit/refusal.js'
import { receiptNumberOf } from '../describe.js'
import { tableMoment } from './groups.js'
import note from './note.json' with { type: 'json' }

interface Archive {
  row: StoredMarketRow
  payload: JsonObject
  /** The first and the last item that it has. */
  ends: ItemEnds
}

/** `from`: ftQueueRow of the archive receipt. The same call gives the same bytes. */
export const archiveZip: Export = {
  matches: isWord('0x4652000000010010', '0x4652200000001010'),
  contentType: 'application/zip',
  async *run(source) {
    const { row, payload, ends } = await archiveAt(source)
    const moment = textIn(payload, 'dt')
    const { id } = source.queue
    const written = ['request', 'response']
    const items = new HashedTable(source.spool(), columnsOf(ITEM_MEMBERS, id), written)
    const receipts = new HashedTable(source.spool(), columnsOf(RECEIPT_MEMBERS, id))
    const documents = new HashedTable(source.spool(), DOCUMENT_COLUMNS)
    try {
      let [first, last]: StoredItem[] = []
      for await (const page of source.itemsBetween(ends)) {
        const made = page.filter(({ receipt }) => receipt !== null)
        await items.add(made)
        await receipts.add(made.flatMap(({ receipt }) => receipt ?? []))
        first ??= made[0]
        last = made.at(-1) ?? last
      }
      if (first === undefined || last === undefined)
        throw new Error('the range of an archive is gone')
      // in French as the law wants it (BOI-TVA-DECLA-30-10-30 § 230)
      const explained = `${filled(note.join('\n'), [moment])}\n`
      const certificates = await addDocuments(source, [first, last], documents)
      certificates.set(textIn(payload, 'csn'), row.certificateFingerprint)
      yield* zipped(
        [
          { name: 'LISEZMOI.txt', content: () => [Buffer.from(explained)] },
          ...(await certificateFiles(source, certificates)),
          { name: 'archive.jws', content: () => [Buffer.from(row.content)] },
          { name: 'documents.csv', content: () => documents.read() },
          { name: `receiptJournals.${receipts.hash()}.csv`, content: () => receipts.read() },
          { name: `queueItems.${items.hash()}.csv`, content: () => items.read() },
        ],
        new Date(moment),
      )
    } finally {
      for (const table of [items, receipts, documents]) await table.close()
    }
  },
}

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
  for await (const { queueItemId } of each(source.marketRows({ kind: 'A' }))) {
    const item = await itemAt(source, queueItemId)
    if (item !== undefined) rows.push(String(item.row))
  }
  return rows
}

/** The archive of the range: `from` is the ftQueueRow of its receipt. */
export async function archiveAt(source: ExportSource): Promise<Archive> {
  const asked = Number(source.range.from)
  const item = Number.isSafeInteger(asked) ? await itemAt(source, asked) : undefined
  const row = item && (await documentOf(source, item))
  if (row === undefined) {
    throw fail('FIELD_INVALID', {
      field: 'from',
      expected: 'ftQueueRow of an archive receipt (case 0x4652000000000015) of this queue',
    })
  }
  const payload = membersIn(row.content)
  const [from, to] = [textIn(payload, 'fcrqiid'), textIn(payload, 'lcrqiid')]
  return { row, payload, ends: { from, to } }
}

async function documentOf(
  source: ExportSource,
  item: StoredItem,
): Promise<StoredMarketRow | undefined> {
  const range = ticksOfRows(item, item)
  for await (const row of each(source.marketRows({ kind: 'A', range }))) {
    if (row.queueItemId === item.id) return row
  }
  return undefined
}

/** The documents of these receipts; returns the certificates that they name. */
async function addDocuments(
  source: ExportSource,
  ends: readonly [first: StoredItem, last: StoredItem],
  documents: HashedTable<StoredMarketRow>,
): Promise<Map<string, Buffer | null>> {
  const certificates = new Map<string, Buffer | null>()
  const [from = 0, to = 0] = ends.map(({ receiptNumber }) => receiptNumber ?? 0)
  for await (const page of source.marketRows({ range: ticksOfRows(...ends) })) {
    const meant = page.filter(({ kind, content, certificateFingerprint }) => {
      if (kind.length > 1) return false
      const payload = membersIn(content)
      const number = receiptNumberOf(payload)
      if (number < from || number > to) return false
      certificates.set(textIn(payload, 'csn'), certificateFingerprint)
      return true
    })
    await documents.add(meant)
  }
  return certificates
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

function cell(value: MemberValue): string {
  if (value instanceof Date) return tableMoment(value)
  return value instanceof Buffer ? value.toString('base64') : String(value ?? '')
}

/** In the order of the names; which program of this server it was is nobody's business. */
const columnsOf = <R>(members: Members<R>, queueId: string): Columns<R> =>
  members
    .filter(([name]) => name !== 'ProcessingVersion')
    .toSorted(([one], [other]) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1))
    .map(([name, value]) => [name, (row) => cell(value(row, queueId))])

const DOCUMENT_COLUMNS: Columns<StoredMarketRow> = [
  ['Letter', ({ kind }) => kind],
  ['Number', (row) => String(row.number)],
  ['ftQueueItemId', (row) => row.queueItemId],
  ['JWT', ({ content }) => content],
]
