// An archive of a French queue: its tables are read beside each other, receipt by receipt.
import type { FileVerifier, FindingSink, ReadPart, VerifyOptions } from '../contract.js'
import { openTable, type Table, TableFault, type TableRow } from '../csv-table.js'
import { receiptHash, ticksOf } from '../receipt-chain.js'
import { Reporter } from '../reporter.js'
import { quote } from '../text.js'
import { ZipArchive, ZipFault, type ZipMember } from '../zip-reader.js'
import { Chains, type Document, sha256 } from './chains.js'
import { blockOf, difference, payloadText, readPayload } from './payload.js'
import { type Answer, amountsOf, readAnswer } from './receipt.js'
import { contentCodes, notices, type Report, type RuleCode } from './rules.js'
import { wording } from './words.js'

const ITEMS = /^queueItems\.(.+)\.csv$/
const RECEIPTS = /^receiptJournals\.(.+)\.csv$/
const DOCUMENTS = /^documents\.csv$/
const TOKEN = /^archive\.jws$/
/** The first member of ours: what is left of an archive that was cut. */
const NOTE = /^LISEZMOI\.txt$/
const CERTIFICATE = /^([0-9A-Fa-f]+)\.cer$/

/** The ZIP of an archive receipt. */
export const archiveFile: FileVerifier = {
  wording,
  name: 'French archive',
  recognises: ({ archive }) =>
    archive?.format === 'ZIP' &&
    archive.names.some((name) => [ITEMS, CERTIFICATE, NOTE].some((known) => known.test(name))),
  contentCodes,
  takes: new Set(),
  verify: (read, options, sink) =>
    reported(sink, async (report) => {
      try {
        return await verifyArchive(read, options, report)
      } catch (error) {
        if (error instanceof ZipFault) report('ZIP_BROKEN', '', `expected a ZIP: ${error.message}`)
        else if (error instanceof TableFault) report('TABLE_FORM', '', `expected ${error.message}`)
        else throw error
        return { receipts: 0, documents: 0 }
      }
    }),
}

/** A fault in every receipt does not fill the memory. */
export async function reported<T>(
  sink: FindingSink,
  work: (report: Report) => Promise<T>,
): Promise<T> {
  const reporter = new Reporter<RuleCode>((finding) => sink.add(finding), notices)
  try {
    return await work((...told) => reporter.add(...told))
  } finally {
    reporter.flush()
  }
}

async function verifyArchive(read: ReadPart, options: VerifyOptions, report: Report) {
  const zip = await ZipArchive.open(read)
  const members = await zip.members()
  const one = (pattern: RegExp) => members.find(({ name }) => pattern.test(name))
  const parts = [one(TOKEN), one(DOCUMENTS), one(RECEIPTS), one(ITEMS)]
  const certificates = members.filter(({ name }) => CERTIFICATE.test(name))
  const [token, documents, receipts, items] = parts
  if (!token || !documents || !receipts || !items || certificates.length === 0) {
    report('MEMBER_MISSING', '', 'expected certificate, archive.jws and three tables')
    return { receipts: 0, documents: 0 }
  }
  for (const { name, fault } of [token, documents, receipts, items, ...certificates]) {
    if (fault !== undefined) throw new ZipFault(`${name}: ${fault}`)
  }
  const jws = (await contentOf(zip, token)).toString().trim()
  const signed = readPayload(payloadText(jws))
  const isBeginning = signed?.texts.has('paqiid') !== true
  const chains = new Chains(report, isBeginning)
  for (const member of certificates) {
    const name = CERTIFICATE.exec(member.name)?.[1] ?? ''
    chains.addCertificate(await contentOf(zip, member), name)
  }
  chains.trust(options.certificates, true)
  const open = (member: ZipMember) => openTable(zip.content(member))
  const tables = {
    items: open(items),
    receipts: open(receipts),
    documents: open(documents),
  }
  const walk = new Walk(chains, report, isBeginning)
  try {
    await walk.through(tables)
  } finally {
    for (const { rows } of Object.values(tables)) await rows.return()
  }
  for (const [member, table, pattern] of [
    [items, tables.items, ITEMS],
    [receipts, tables.receipts, RECEIPTS],
  ] as const) {
    const expected = pattern.exec(member.name)?.[1] ?? ''
    const found = table.hash()
    if (found !== expected) report('FILE_HASH', '', `expected ${quote(expected)}, found ${found}`)
  }
  walk.ends(jws)
  report('END_UNPROVEN', '', 'nothing in an archive shows whether receipts follow')
  return { receipts: walk.count, documents: chains.count }
}

/** A certificate or a token; the rest is tables. */
const MOST_BYTES = 1 << 20

async function contentOf(zip: ZipArchive, member: ZipMember): Promise<Buffer> {
  if (member.size > MOST_BYTES) throw new ZipFault(`${member.name} is too large`)
  const pieces: Buffer[] = []
  for await (const piece of zip.content(member)) pieces.push(piece)
  return Buffer.concat(pieces)
}

interface Tables {
  items: Table
  receipts: Table
  documents: Table
}

class Walk {
  count = 0
  private readonly chains: Chains
  private readonly report: Report
  private readonly isBeginning: boolean
  private first = ''
  private last: { itemId: string; receiptId: string } | undefined
  private number = 0
  private hash: Buffer | undefined
  private late = 0
  /** Copies by a hash of their reference. */
  private readonly copies = new Map<string, number>()

  constructor(chains: Chains, report: Report, isBeginning: boolean) {
    this.chains = chains
    this.report = report
    this.isBeginning = isBeginning
    if (isBeginning) this.hash = Buffer.alloc(0)
  }

  async through({ items, receipts, documents }: Tables): Promise<void> {
    const receipt = new Ahead(receipts.rows, (row) => Number(row.ftReceiptNumber))
    const document = new Ahead(documents.rows, (row) => numberOf(ridOf(row.JWT ?? '')))
    for await (const item of items.rows) {
      const answer = readAnswer(item.response ?? '')
      const number = numberOf(answer?.identification ?? '')
      this.item(item, { answer, number })
      for (const row of await receipt.before(number)) this.stray(row)
      for (const row of await document.before(number)) this.add(row, undefined)
      this.row(item, { row: await receipt.at(number), answer, number })
      this.signed(item, { row: await document.at(number), answer })
    }
    for (const row of await receipt.before(Number.POSITIVE_INFINITY)) this.stray(row)
    for (const row of await document.before(Number.POSITIVE_INFINITY)) this.add(row, undefined)
  }

  /** After the last receipt: the document of the archive itself. */
  ends(jws: string): void {
    const number = /#A(\d+)$/.exec(ridOf(jws))?.[1] ?? ''
    const document = this.chains.document({ letter: 'A', number, jws })
    const { texts } = document?.payload ?? { texts: new Map<string, string>() }
    const told = [texts.get('fcrqiid'), texts.get('lcrqiid'), texts.get('lrjid')]
    const found = [this.first, this.last?.itemId, this.last?.receiptId]
    const wrong = told.findIndex((one, at) => one !== found[at])
    if (wrong >= 0) {
      const text = `expected ${quote(told[wrong] ?? '')}, found ${quote(found[wrong] ?? '')}`
      this.report('ARCHIVE_RANGE', document?.rid ?? '', text)
    }
    if (this.late > 0) this.report('FAILURE_OPEN', '', `${this.late} receipts were entered late`)
  }

  private item(item: TableRow, { answer, number }: Read): void {
    this.count += 1
    const place = answer?.identification ?? item.ftQueueItemId ?? ''
    for (const name of ['request', 'response'] as const) {
      if (sha256(item[name] ?? '', 'base64') === item[`${name}Hash`]) continue
      this.report('ITEM_HASH', place, `${name} is not the one of its hash`)
    }
    const isNext =
      this.number === 0 ? !this.isBeginning || number === 1 : number === this.number + 1
    if (!isNext) this.report('RECEIPT_NUMBER', place, `receipt ${number} follows ${this.number}`)
    this.number = number
    if (this.first === '') this.first = item.ftQueueItemId ?? ''
  }

  private stray(row: TableRow): void {
    this.report('RECEIPT_ROW', '', `receipt ${quote(row.ftReceiptNumber ?? '')} has no item`)
  }

  private row(item: TableRow, { row, answer, number }: Read & { row: TableRow | undefined }): void {
    const place = answer?.identification ?? ''
    if (row === undefined || row.ftQueueItemId !== item.ftQueueItemId) {
      this.report('RECEIPT_ROW', place, 'the receipt has no row in receiptJournals')
      this.hash = undefined
      return
    }
    const { requestHash = '', responseHash = '' } = item
    const given = { moment: answer?.moment ?? '', requestHash, responseHash }
    const receipt = { ...given, id: row.ftReceiptJournalId ?? '', number }
    const hash = this.hash && receiptHash(this.hash, receipt)
    if (hash !== undefined && hash !== row.ftReceiptHash) {
      this.report('RECEIPT_HASH', place, 'ftReceiptHash is not chained to the receipt before')
    }
    this.hash = Buffer.from(row.ftReceiptHash ?? '', 'base64')
    this.last = { itemId: item.ftQueueItemId ?? '', receiptId: row.ftReceiptJournalId ?? '' }
  }

  private signed(
    item: TableRow,
    { row, answer }: Partial<Read> & { row: TableRow | undefined },
  ): void {
    const identification = answer?.identification ?? ''
    if (row === undefined) {
      if (/#[A-Z]/.test(identification)) {
        this.report('DOCUMENT_MISSING', identification, 'the receipt has no document')
      }
      return
    }
    const document = this.add(row, item)
    if (answer === undefined || document === undefined) return
    const { texts } = document.payload
    const isSame =
      document.rid === identification &&
      texts.get('qiid') === item.ftQueueItemId &&
      row.ftQueueItemId === item.ftQueueItemId &&
      ticksOf(texts.get('dt')) === ticksOf(answer.moment)
    if (!isSame)
      this.report('DOCUMENT_ITEM', document.rid, `is not that of ${quote(identification)}`)
    if (!answer.shown.includes(row.JWT ?? '')) {
      this.report('DOCUMENT_MISSING', document.rid, 'the answer shows another document')
    }
    this.content(document, { request: item.request ?? '', answer })
  }

  private add(row: TableRow, item: TableRow | undefined): Document | undefined {
    const given = { letter: row.Letter ?? '', number: row.Number ?? '', jws: row.JWT ?? '' }
    const document = this.chains.document(given)
    if (item === undefined) {
      this.report('DOCUMENT_ITEM', document?.rid ?? '', 'the document has no receipt')
    }
    return document
  }

  private content({ rid, payload, word }: Document, { request, answer }: Asked): void {
    const block = blockOf(payload, '')
    const expected = block === undefined ? undefined : amountsOf(request)
    const wrong = expected === undefined ? undefined : difference(expected, block)
    if (wrong !== undefined) this.report('AMOUNT_WRONG', rid, wrong)
    if (word.isLate) this.late += 1
    if (word.code === ZERO && !word.isTraining) this.late = 0
    if (word.code === COPY && !word.isTraining) this.copy({ rid, payload }, answer)
  }

  private copy({ rid, payload }: Pick<Document, 'rid' | 'payload'>, answer: Answer): void {
    const found = answer.shown.map((one) => /^(\d+)\. Duplicata de /.exec(one)?.[1])
    const number = Number(found.find((one) => one !== undefined) ?? 0)
    const key = sha256(payload.texts.get('crr') ?? '', 'base64')
    const before = this.copies.get(key)
    const expected = before === undefined && !this.isBeginning ? number : (before ?? 0) + 1
    if (number !== expected) {
      this.report('COPY_NUMBER', rid, `expected copy ${expected}, found ${number}`)
    }
    this.copies.set(key, number)
  }
}

const ZERO = 0x0f
const COPY = 0x16

interface Read {
  answer: Answer | undefined
  number: number
}

interface Asked {
  request: string
  answer: Answer
}

/** Rows in the order of receipt numbers, looked at before they are taken. */
class Ahead {
  private readonly rows: AsyncGenerator<TableRow, void, undefined>
  private readonly numberOf: (row: TableRow) => number
  private next: TableRow | undefined
  private isDone = false

  constructor(rows: AsyncGenerator<TableRow, void, undefined>, number: (row: TableRow) => number) {
    this.rows = rows
    this.numberOf = number
  }

  /** Rows with a smaller number, or none that can be read. */
  async before(number: number): Promise<TableRow[]> {
    const found: TableRow[] = []
    for (;;) {
      const row = await this.peek()
      if (row === undefined || this.numberOf(row) >= number) return found
      this.next = undefined
      found.push(row)
    }
  }

  async at(number: number): Promise<TableRow | undefined> {
    const row = await this.peek()
    if (row === undefined || this.numberOf(row) !== number) return undefined
    this.next = undefined
    return row
  }

  private async peek(): Promise<TableRow | undefined> {
    if (this.next !== undefined || this.isDone) return this.next
    const { value, done } = await this.rows.next()
    this.isDone = done === true
    this.next = value ?? undefined
    return this.next
  }
}

/** `ft1A#T3` is receipt 27: the number before it is in the identification. 0: it is none. */
function numberOf(identification: string): number {
  const hex = /^ft([0-9A-F]{1,12})#/.exec(identification)?.[1]
  return hex === undefined ? 0 : Number.parseInt(hex, 16) + 1
}

function ridOf(jws: string): string {
  return readPayload(payloadText(jws))?.texts.get('rid') ?? ''
}
