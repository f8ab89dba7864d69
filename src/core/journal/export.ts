// The journal operation: a 64-bit type word and a range become a stream of text or bytes.

import type { CaseRules } from '../../case/rules.js'
import { countryWord, hexWord } from '../../case/word.js'
import { fail } from '../../errors.js'
import { begun } from '../../lib/begun.js'
import { writeJson } from '../../lib/json-write.js'
import type { Export, Market } from '../../market/contract.js'
import { typesOf } from '../../market/index.js'
import { JOURNALLED } from '../../market/named.js'
import type { ExportSource } from '../../model/export-source.js'
import type { Store } from '../../store/client.js'
import { storedItems } from '../../store/journal/journal-items.js'
import type { TickRange } from '../../store/journal/journal-pages.js'
import { findQueue, type StoredQueue } from '../../store/journal/journal-queue.js'
import { zippedExport } from './as-zip.js'
import type { Row } from './cell.js'
import { configuration, type Described, status, versionInformation } from './configuration.js'
import { CSV_TYPE, csvOf, JSON_TYPE, jsonOf, XML_TYPE, xmlOf } from './formats.js'
import { receiptsCsv, receiptsXml } from './receipts.js'
import { exportSource } from './source.js'
import { countryTable, foreignTable, GENERIC_TABLES, type TableOf } from './tables.js'
import { told } from './told.js'
import { commonNumber, isVersion2, ownWord, unzippedType } from './type-word.js'

export interface JournalDeps {
  store: Store
  /** The table of market/index.ts. */
  marketOf(code: string): Market
  now(): Date
}

export type JournalFormat = 'json' | 'csv' | 'xml'

export interface JournalInput {
  accountId: string
  queueId: string
  /** ftJournalType, signed or unsigned. */
  type: bigint
  range: TickRange
  /** Undefined: the form that the type has by itself. */
  format?: JournalFormat
  /** Receipts instead of rows, for queue items as CSV or XML. */
  view?: 'receipts'
  /** Further parameters, which the exporter of a country may know; names in lower case. */
  options?: ReadonlyMap<string, string>
  /** Says that nobody waits for it any more. */
  leaving?: AbortSignal | undefined
}

export interface JournalExport {
  contentType: string
  /** What the export is called as a file; undefined for what programs read and nobody keeps. */
  fileName?: string
  body: AsyncIterable<string | Uint8Array>
}

type Body = AsyncGenerator<string | Uint8Array, void, undefined>

/** What a type word stands for. */
export type Journal =
  | { kind: 'object'; describe(described: Described): Promise<Row> | Row }
  | { kind: 'rows'; table: TableOf }
  | { kind: 'export'; exporter: Export }

/**
 * Throws FiscalError (QUEUE_UNKNOWN, JOURNAL_TYPE_UNKNOWN, JOURNAL_FORMAT, DATABASE_AWAY) before
 * the first piece exists; the body is then read in pages, and whoever stops reading early leaves
 * nothing.
 */
export async function exportJournal(
  deps: JournalDeps,
  input: JournalInput,
): Promise<JournalExport> {
  const { queue, market, journal, type, isZipped } = await lookAt(deps, input)
  const opened = open(deps, { input: { ...input, type }, queue, market, journal })
  const entry = fileNameOf(opened.contentType, { input: { ...input, type }, queue })
  const { contentType, body } = isZipped ? zippedExport(opened, entry, deps.now()) : opened
  const told = { contentType, body: await begun(body) }
  const keeps = isZipped || journal.kind === 'export' || (input.format ?? 'json') !== 'json'
  return keeps ? { ...told, fileName: fileNameOf(contentType, { input, queue }) } : told
}

export interface LookedAt {
  queue: StoredQueue
  market: Market
  journal: Journal
  type: bigint
  isZipped: boolean
}

/** What is asked for, before any of it is read. Throws QUEUE_UNKNOWN, JOURNAL_TYPE_UNKNOWN. */
export async function lookAt(
  { store, marketOf }: Pick<JournalDeps, 'store' | 'marketOf'>,
  { accountId, queueId, type: word }: JournalInput,
): Promise<LookedAt> {
  const queue = await findQueue(store, { accountId, queueId })
  if (queue === undefined) throw fail('QUEUE_UNKNOWN', { queue: queueId })
  const market = marketOf(queue.market)
  const { type, isZipped } = unzippedType(ownWord(word, market.facts.code))
  return { queue, market, journal: journalOf(type, market), type, isZipped }
}

interface Opening {
  input: JournalInput
  queue: StoredQueue
  market: Market
  journal: Journal
}

function open(deps: JournalDeps, opening: Opening): { contentType: string; body: Body } {
  const { input, queue, market, journal } = opening
  const { range, options = new Map<string, string>() } = input
  const source = () => exportSource(deps.store, { market, queue, range, options, now: deps.now() })
  if (journal.kind === 'rows') {
    return openRows(deps.store, { table: journal.table, input, source, cases: market.cases })
  }
  if (input.view !== undefined) throw refusedFormat(input)
  if (journal.kind === 'object') {
    if ((input.format ?? 'json') !== 'json') throw refusedFormat(input)
    const answersV2 = isVersion2(input.type)
    const described = { store: deps.store, market, queue, now: deps.now(), answersV2 }
    return { contentType: JSON_TYPE, body: objectBody(() => journal.describe(described)) }
  }
  const { exporter } = journal
  if ((input.format ?? formOf(exporter)) !== formOf(exporter)) throw refusedFormat(input)
  const given = told(deps, input, { market, body: exporter.run(source()) })
  return { contentType: exporter.contentType, body: piecesOf(given) }
}

const ENDINGS: readonly (readonly [type: RegExp, ending: string])[] = [
  [/json/, 'json'],
  [/csv/, 'csv'],
  [/xml/, 'xml'],
  [/zip/, 'zip'],
  [/tar|octet-stream/, 'tar'],
]

/** `Kassen-ID_0x4154000000000001.json`: one rule for every export of every market. */
function fileNameOf(
  contentType: string,
  { input, queue }: Pick<Opening, 'input' | 'queue'>,
): string {
  const ending = ENDINGS.find(([type]) => type.test(contentType))?.[1] ?? 'bin'
  const register = queue.identification.replace(/[^\p{L}\p{N}.+-]+/gu, '-').replace(/^[.-]+/, '')
  return `${register}_${hexWord(input.type)}.${ending}`
}

/** The format whose name an exporter's content type carries, if any. */
function formOf(exporter: Export): string | undefined {
  return /^\w+\/(?:\w+\+)?(json|csv|xml)\b/.exec(exporter.contentType)?.[1]
}

interface RowsOpening {
  table: TableOf
  input: JournalInput
  source(): ExportSource
  cases: CaseRules
}

function openRows(
  store: Store,
  { table, input, source, cases }: RowsOpening,
): { contentType: string; body: Body } {
  const { accountId, queueId, range, format = 'json' } = input
  const query = { key: { accountId, queueId }, range }
  const head = { type: hexWord(input.type), ...range }
  if (input.view !== undefined) {
    if (table !== GENERIC_TABLES.get(QUEUE_ITEMS) || format === 'json') throw refusedFormat(input)
    const pages = storedItems(store, query)
    if (format === 'csv') return { contentType: CSV_TYPE, body: receiptsCsv({ pages, cases }) }
    return { contentType: XML_TYPE, body: receiptsXml({ pages, cases }, head) }
  }
  const rows = table(store, query, source)
  if (format === 'csv') return { contentType: CSV_TYPE, body: csvOf(rows) }
  if (format === 'xml') return { contentType: XML_TYPE, body: xmlOf(rows, head) }
  return { contentType: JSON_TYPE, body: jsonOf(rows) }
}

function refusedFormat({ type, format = 'json', view }: JournalInput) {
  const asked = view === undefined ? format : `${format} of receipts`
  return fail('JOURNAL_FORMAT', { type: hexWord(type), format: asked })
}

const QUEUE_ITEMS = 0x03n
const CONFIGURATION = 0xffn
/** Raw journals exist under these words in every market (middleware wire, journal types). */
const RAW_MARKETS = new Map(JOURNALLED.map((code) => [countryWord(code), code]))
/** Version 2 numbering: market journal number 000 is the status. */
const STATUS_V2 = 0x2000_0000_1000n

function journalOf(type: bigint, market: Market): Journal {
  if (type < -(1n << 63n) || type >= 1n << 64n) throw unknownType(type, market)
  const word = BigInt.asUintN(64, type)
  const isOwn = typesOf(market).some(
    (one) => 'beforeCommon' in one && one.beforeCommon === true && one.matches(word),
  )
  if (isOwn) return countryJournal(word, market)
  const common = word >> 48n === 0n ? word : commonNumber(word, market.facts.code)
  return common === undefined ? countryJournal(word, market) : commonJournal(common, market)
}

function commonJournal(word: bigint, market: Market): Journal {
  const table = GENERIC_TABLES.get(word)
  if (table !== undefined) return { kind: 'rows', table }
  if (word === CONFIGURATION) return { kind: 'object', describe: configuration }
  const code = RAW_MARKETS.get(word)
  if (code === undefined) return { kind: 'object', describe: versionInformation }
  const own = code === market.facts.code
  return { kind: 'rows', table: own ? countryTable(market) : foreignTable(code) }
}

/** The country's own table first: it also lists other numbers for the same exports. */
function countryJournal(word: bigint, market: Market): Journal {
  const base = countryWord(market.facts.code) << 48n
  if (word >> 48n !== base >> 48n) throw unknownType(word, market)
  const found = typesOf(market).find((one) => one.matches(word))
  if (found !== undefined && !('isStatus' in found)) return { kind: 'export', exporter: found }
  const isStatus = found !== undefined || word === base || word === (base | STATUS_V2)
  if (isStatus) return { kind: 'object', describe: status }
  throw unknownType(word, market)
}

function unknownType(type: bigint, market: Market) {
  return fail('JOURNAL_TYPE_UNKNOWN', { type: hexWord(type), market: market.facts.code })
}

async function* objectBody(describe: () => Promise<Row> | Row): Body {
  yield writeJson(await describe())
}

async function* piecesOf(pieces: AsyncIterable<string | Uint8Array>): Body {
  yield* pieces
}
