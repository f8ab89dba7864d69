// An archive of a French queue: its tables are read beside each other, receipt by receipt.
import { openTable, type TableRow } from '../csv-table.js'
import { sha256 } from '../digest.js'
import { Certificates, payloadText, readJws, readPayload } from '../jws.js'
import { ticksOf } from '../receipt-chain.js'
import { receiptNumber, receiptsOf, type TableReceipt } from '../receipt-tables.js'
import { quote } from '../text.js'
import { ZipArchive } from '../zip-reader.js'
import { receiptCases } from './cases.js'
import { type Document, Documents } from './documents.js'
import lists from './lists.json' with { type: 'json' }
import { fileKind, type Report } from './rules.js'
import { amountsOf, blockOf, difference } from './totals.js'

const CERTIFICATE = /^([0-9A-Fa-f]+)\.cer$/
/** The document of the archive itself, and its tables. */
const MEMBERS = lists.archive.map((name) => new RegExp(name))
/** The note is the first member of ours: what is left of an archive that was cut. */
const SPEAKING = /^(?:queueItems\..+\.csv|[0-9A-Fa-f]+\.cer|LISEZMOI\.txt)$/

/** The ZIP of an archive receipt. */
export const archiveFile = fileKind({
  name: 'French archive',
  recognises: ({ archive }) =>
    archive?.format === 'ZIP' && archive.names.some((name) => SPEAKING.test(name)),
  counted: { receipts: 0, documents: 0 },
  async judge(read, { report, counted, options }) {
    const zip = await ZipArchive.open(read)
    const members = await zip.members()
    const own = members.filter(({ name }) => CERTIFICATE.test(name))
    const found = MEMBERS.map((known) => members.find(({ name }) => known.test(name)))
    const [token, items, receipts, documents] = found
    if (!token || !items || !receipts || !documents || own.length === 0) {
      report('MEMBER_MISSING', '', 'expected certificate, archive.jws and three tables')
      return
    }
    const certificates = new Certificates(report)
    for (const one of own) certificates.add(await zip.bytes(one), one.name.slice(0, -4))
    certificates.trust(options.certificates)
    const jws = (await zip.bytes(token)).toString().trim()
    const archive = new Archive(report, certificates, jws)
    const open = (one: typeof items) => openTable(zip.content(one))
    const tables = { items: open(items), receipts: open(receipts), documents: open(documents) }
    const numberOf = ({ JWT = '' }: TableRow) => receiptNumber(ridOf(JWT))
    const pairs = receiptsOf({ ...tables, numberOf }, archive.isBeginning, report)
    for await (const { receipt, document } of pairs) {
      archive.pair(receipt, document)
      if (receipt !== undefined) counted.receipts += 1
    }
    const named = [[items, tables.items] as const, [receipts, tables.receipts] as const]
    for (const [{ name }, { hash }] of named) {
      const [expected = '', found] = [name.split('.')[1], hash()]
      if (found === expected) continue
      report('FILE_HASH', '', `expected ${quote(expected)}, found ${quote(found)}`)
    }
    archive.end(jws)
    counted.documents = archive.documents.count
  },
})

const ridOf = (jws: string): string => readPayload(payloadText(jws))?.get('rid') ?? ''

class Archive {
  readonly isBeginning: boolean
  readonly documents: Documents
  private readonly report: Report
  private first: TableReceipt | undefined
  private last: TableReceipt | undefined
  private late = 0
  /** Copies by a hash of their reference. */
  private readonly copies = new Map<string, number>()

  constructor(report: Report, certificates: Certificates, jws: string) {
    this.report = report
    this.isBeginning = readJws(jws)?.payload.has('paqiid') !== true
    this.documents = new Documents(report, certificates, this.isBeginning)
  }

  pair(receipt: TableReceipt | undefined, row: TableRow | undefined): void {
    const { Letter: letter = '', Number: number = '', JWT = '' } = row ?? {}
    const document = row && this.documents.take({ letter, number }, JWT)
    const rid = document?.rid ?? ''
    if (receipt === undefined) {
      this.report('DOCUMENT_ITEM', rid, 'the document has no receipt')
      return
    }
    this.first ??= receipt
    this.last = receipt
    const { identification } = receipt
    if (row === undefined && /#[A-Z]/.test(identification)) {
      this.report('DOCUMENT_MISSING', identification, 'the receipt has no document')
    }
    if (row === undefined || document === undefined) return
    if (row.ftQueueItemId !== receipt.itemId || !isOf(document, receipt)) {
      this.report('DOCUMENT_ITEM', rid, `is not that of ${quote(identification)}`)
    }
    if (!receipt.shown.includes(JWT)) {
      this.report('DOCUMENT_MISSING', rid, 'the answer shows another document')
    }
    this.content(document, receipt)
  }

  private content(document: Document, { request, shown }: TableReceipt): void {
    const { rid, payload, code, isLate, isTraining } = document
    const [block, expected] = [blockOf(payload, ''), amountsOf(request)]
    const wrong = block && expected && difference(expected, block)
    if (wrong !== undefined) this.report('AMOUNT_WRONG', rid, wrong)
    if (isLate) this.late += 1
    if (code === receiptCases.zero && !isTraining) this.late = 0
    if (code === receiptCases.copy && !isTraining) this.copy(document, shown)
  }

  private copy({ rid, payload }: Document, shown: string[]): void {
    const told = shown.map((one) => Number(/^(\d+)\. Duplicata de /.exec(one)?.[1] ?? 0))
    const number = Math.max(0, ...told)
    const key = sha256(payload.get('crr') ?? '', 'base64')
    const before = this.copies.get(key)
    const expected = before === undefined && !this.isBeginning ? number : (before ?? 0) + 1
    this.copies.set(key, number)
    if (number === expected) return
    this.report('COPY_NUMBER', rid, `expected copy ${expected}, found ${number}`)
  }

  /** After the last receipt: the document of the archive itself. */
  end(jws: string): void {
    const [, number = ''] = ridOf(jws).split('#A')
    const { rid = '', payload } = this.documents.take({ letter: 'A', number }, jws) ?? {}
    const range = [this.first?.itemId, this.last?.itemId, this.last?.journalId]
    const told = ['fcrqiid', 'lcrqiid', 'lrjid'].map((name) => payload?.get(name))
    const at = told.findIndex((one, place) => one !== range[place])
    if (at >= 0) {
      const [expected, found] = [told, range].map((list) => quote(list[at] ?? ''))
      this.report('ARCHIVE_RANGE', rid, `expected ${expected}, found ${found}`)
    }
    if (this.late > 0) this.report('FAILURE_OPEN', '', `${this.late} receipts were entered late`)
    this.report('END_UNPROVEN', '', 'nothing in an archive shows whether receipts follow')
  }
}

/** The document tells of this receipt. */
const isOf = ({ rid, payload }: Document, { identification, itemId, moment }: TableReceipt) =>
  rid === identification &&
  payload.get('qiid') === itemId &&
  ticksOf(payload.get('dt')) === ticksOf(moment)
