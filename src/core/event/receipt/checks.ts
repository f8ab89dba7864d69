// What is checked of one receipt while somebody looks at it: that its texts are those that were
// hashed, its place in the chain, and its signature by a verifier that shares nothing with what
// signed it.
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { sha256 } from '../../../lib/hash.js'
import type { Auditor, LegalFile, Market } from '../../../market/contract.js'
import { filesOf } from '../../../market/index.js'
import type { StoredItem, StoredMarketRow, StoredReceiptRow } from '../../../model/journal.js'
import { storedHash } from '../../../model/receipt-chain.js'
import type { Store } from '../../../store/client.js'
import { endsBefore, ticksAround } from '../../../store/event/fleet/receipts.js'
import { marketRows, receiptRows } from '../../../store/journal/journal.js'
import type { JournalKey, TickRange } from '../../../store/journal/journal-pages.js'
import { findQueue } from '../../../store/journal/journal-queue.js'
import { loadHead } from '../../../store/sign/queues.js'
import type { OtherLanguage } from '../../../verify/contract.js'
import { certificatesOf } from '../../audit/check/legal-export.js'
import { verifyFile } from '../../audit/verify/file.js'
import { viewOf } from '../../journal/configuration.js'
import { exportJournal } from '../../journal/export.js'
import { exportSource } from '../../journal/source.js'

export const CHECKS = ['request', 'answer', 'chain', 'signature'] as const

export interface Check {
  check: (typeof CHECKS)[number]
  /** null: there is nothing to check, or nobody can say. */
  ok: boolean | null
  /** What was found, or what it was compared with. */
  text: string
}

export interface CheckDeps {
  store: Store
  marketOf(code: string): Market
  now(): Date
}

/** In a form that another thread can be given. */
export interface CheckedPlace {
  key: JournalKey
  /** Its code. */
  market: string
  item: StoredItem
  language: OtherLanguage | 'en'
}

type CheckedItem = Omit<CheckedPlace, 'market'> & { market: Market }

/** In the order of CHECKS. */
export async function checksOf(deps: CheckDeps, place: CheckedPlace): Promise<Check[]> {
  const { key, item } = place
  const checked = { ...place, market: deps.marketOf(place.market) }
  const { before, after } = await ticksAround(deps.store, key, item.timeStamp)
  const asked = { key, range: { from: before + 1n, to: after - 1n } }
  const receipt = await rowOf(receiptRows(deps.store, asked), item.id)
  const rows = await rowsOf(marketRows(deps.store, asked), item.id)
  return [
    hashed('request', item.request, item.requestHash),
    hashed('answer', item.response, item.responseHash),
    await chained(deps, checked, receipt),
    await signed(deps, checked, rows),
  ]
}

function hashed(check: 'request' | 'answer', text: string | null, hash: Buffer | null): Check {
  if (text === null || hash === null) return { check, ok: null, text: '' }
  const computed = sha256(text)
  return { check, ok: computed.equals(hash), text: `SHA-256 ${computed.toString('hex')}` }
}

async function chained(
  { store }: CheckDeps,
  { key, item }: CheckedItem,
  receipt: StoredReceiptRow | undefined,
): Promise<Check> {
  const check = 'chain'
  if (receipt === undefined || item.responseHash === null) return { check, ok: null, text: '' }
  const { receiptHash: previous } = await endsBefore(store, key, receipt.timeStamp)
  const computed = storedHash(previous, receipt, item)
  const text = `SHA-256 ${computed.toString('hex')}`
  return { check, ok: computed.equals(receipt.receiptHash), text }
}

interface Signed extends CheckedItem {
  rows: readonly StoredMarketRow[]
  /** First and last tick of the rows. */
  range: TickRange
  wanted: NonNullable<ReturnType<Auditor['legalExport']>>
}

const NOTHING: Check = { check: 'signature', ok: null, text: '' }

/** The export of this receipt alone, behind the one before it, as its verifier sees it. */
async function signed(
  deps: CheckDeps,
  checked: CheckedItem,
  rows: readonly StoredMarketRow[],
): Promise<Check> {
  const { key, market, item } = checked
  const auditor = await auditorOf(deps, key, market)
  auditor?.receipt({ row: item.row, response: item.response, journal: [...rows], actionTypes: [] })
  const wanted = auditor?.legalExport()
  const [first] = rows
  const last = rows.at(-1)
  if (wanted === undefined || first === undefined || last === undefined) return NOTHING
  const range = { from: first.timeStamp, to: last.timeStamp }
  const folder = await mkdtemp(join(tmpdir(), 'fiskalwerk-receipt-'))
  try {
    return await judged(deps, { ...checked, rows, range, wanted }, folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function judged(deps: CheckDeps, signed: Signed, folder: string): Promise<Check> {
  const { key, market, range, wanted, language } = signed
  const file = filesOf(market).find((one) => one.verified === 'chained' || one.verified === 'part')
  const write = async (name: string, ticks: TickRange): Promise<string | undefined> => {
    const path = join(folder, name)
    const pieces = await piecesOf(deps, signed, { file, ticks })
    await pipeline(pieces, createWriteStream(path, { mode: 0o600 }))
    return (await stat(path)).size === 0 ? undefined : path
  }
  const path = await write('receipt', range)
  if (path === undefined) return NOTHING
  const { marketTick } = await endsBefore(deps.store, key, range.from)
  const isChained = file?.verified === 'chained' && marketTick !== null
  const after = isChained ? await write('before', { from: marketTick, to: marketTick }) : undefined
  const { kind, findings } = await verifyFile(path, {
    ...{ language, now: deps.now() },
    ...(file?.verified === 'part' ? { partial: true } : {}),
    ...(after === undefined ? {} : { after: { path: after } }),
    ...(wanted.key === undefined ? {} : { key: wanted.key }),
    ...(wanted.certificates === undefined
      ? {}
      : { certificates: await certificatesOf(deps.store, key, wanted.certificates) }),
  })
  const text = findings.map((one) => `${one.code}: ${one.text}`).join('\n')
  const ok = findings.length === 0
  return { check: 'signature', ok, text: ok ? (kind ?? '') : text }
}

interface Wanted {
  /** Of an inspection; left out: the legal export of the queue. */
  file: LegalFile | undefined
  ticks: TickRange
}

async function piecesOf(
  deps: CheckDeps,
  { key, market, wanted, rows }: Signed,
  { file, ticks: range }: Wanted,
): Promise<AsyncIterable<string | Uint8Array>> {
  const queue = await findQueue(deps.store, key)
  if (file === undefined || queue === undefined) {
    return (await exportJournal(deps, { ...key, type: wanted.type, range })).body
  }
  const each = rows.find(({ scuId }) => scuId !== null)?.scuId ?? ''
  const options = new Map(file.each === undefined ? [] : [['each', each]])
  return file.run(exportSource(deps.store, { market, queue, range, options, now: deps.now() }))
}

async function auditorOf(
  { store }: CheckDeps,
  key: JournalKey,
  market: Market,
): Promise<Auditor | undefined> {
  const queue = await findQueue(store, key)
  const head = await loadHead(store, { accountId: key.accountId, id: key.queueId })
  if (queue === undefined || head === undefined) return undefined
  const state = market.queue.state.parse(JSON.parse(head.state))
  return market.audit?.(viewOf(market, queue), state, head.secrets)
}

async function rowOf(
  pages: AsyncIterable<StoredReceiptRow[]>,
  id: string,
): Promise<StoredReceiptRow | undefined> {
  for await (const page of pages) {
    const found = page.find(({ queueItemId }) => queueItemId === id)
    if (found !== undefined) return found
  }
  return undefined
}

async function rowsOf(
  pages: AsyncIterable<StoredMarketRow[]>,
  id: string,
): Promise<StoredMarketRow[]> {
  const found: StoredMarketRow[] = []
  for await (const page of pages)
    found.push(...page.filter(({ queueItemId }) => queueItemId === id))
  return found
}
