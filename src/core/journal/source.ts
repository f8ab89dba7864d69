// What a country's exporter may read: one queue of one account, within one range.
import type { Market } from '../../market/contract.js'
import type { ExportSource } from '../../model/export-source.js'
import type { StoredMarketRow } from '../../model/journal.js'
import type { ExportUnit } from '../../model/scu.js'
import { listPosSystems } from '../../store/account/pos-systems.js'
import type { Store } from '../../store/client.js'
import { findCertificate, findCertificateBefore, marketRows } from '../../store/journal/journal.js'
import { chainRows } from '../../store/journal/journal-chains.js'
import { itemsBetween, receiptsBefore, storedItems } from '../../store/journal/journal-items.js'
import { type JournalQuery, type TickRange, windowOf } from '../../store/journal/journal-pages.js'
import type { StoredQueue } from '../../store/journal/journal-queue.js'
import {
  lateRows,
  logRows,
  marketRowAfter,
  type SharedRow,
  type SharedRows,
  sharedRows,
  unitsOf,
} from '../../store/journal/journal-units.js'
import { readTar } from '../unit-tars.js'
import { viewOf } from './configuration.js'
import { openSpool } from './spool.js'

export interface SourceInput {
  market: Market
  queue: StoredQueue
  range: TickRange
  now: Date
  /** Further parameters of the call, names in lower case. */
  options: ReadonlyMap<string, string>
}

export function exportSource(store: Store, input: SourceInput): ExportSource {
  const { market, queue, range, now, options } = input
  const { accountId } = queue
  const key = { accountId, queueId: queue.id }
  const units = async (): Promise<ExportUnit[]> =>
    (await unitsOf(store, key)).map((unit) => ({
      ...unit,
      memory: () => market.drivers[unit.package]?.memory?.(unit),
    }))
  return {
    queue: { ...viewOf(market, queue), accountId },
    state: queue.state,
    options,
    range,
    now,
    marketRows: ({ kind, range: ticks = range } = {}) =>
      marketRowsOf(store, { key, range: ticks }, kind),
    items: () => storedItems(store, { key, range }),
    units,
    unit: async (id) => (await units()).find((unit) => unit.id === id),
    logRows: (unitId, numbers) => logOf({ store, units, accountId }, unitId, numbers),
    unitRows: (unitId, asked) => sharedOf({ store, units, accountId }, unitId, asked),
    rangeEnd: async () => {
      if (range.to >= 0n) return range.to === 0n ? LARGEST : range.to
      return (await windowOf(store, 'market_journal', { key, range }))?.upTo ?? -1n
    },
    lateRows: (numbers) => lateRows(store, key, numbers),
    posSystems: () => listPosSystems(store, accountId),
    marketRowAfter: (kind, timeStamp) => marketRowAfter(store, key, { kind, timeStamp }),
    itemsBetween: (ends) => itemsBetween(store, key, ends),
    receiptsBefore: (asked) => receiptsBefore(store, key, asked),
    keptTar: (kept) => wholeBytes(readTar(store, { accountId, id: kept.id }), kept),
    spool: () => openSpool(),
    certificate: (fingerprint) => findCertificate(store, accountId, fingerprint),
    certificateBefore: () => findCertificateBefore(store, key, range.from),
  }
}

function marketRowsOf(
  store: Store,
  query: JournalQuery,
  kind: string | undefined,
): AsyncIterable<StoredMarketRow[]> {
  if (kind === undefined) return marketRows(store, query)
  return kind.length === 1 ? chainRows(store, query, kind) : rowsOfKind(store, query, kind)
}

async function* rowsOfKind(
  store: Store,
  query: JournalQuery,
  kind: string,
): AsyncGenerator<StoredMarketRow[], void, undefined> {
  for await (const page of marketRows(store, query)) yield page.filter((row) => row.kind === kind)
}

async function* wholeBytes(
  parts: AsyncIterable<Buffer>,
  { id, bytes }: { id: string; bytes: number },
): AsyncGenerator<Buffer, void, undefined> {
  let length = 0
  for await (const part of parts) {
    length += part.length
    yield part
  }
  if (length !== bytes)
    throw new Error(`export ${id} of a device has ${length} bytes, not ${bytes}`)
}

/** Ticks beyond every row. */
const LARGEST = 2n ** 63n - 1n

interface LogInput {
  store: Store
  units(): Promise<ExportUnit[]>
  accountId: string
}

/** The log of a device is for the queues that it belongs to, and for nobody else. */
async function* logOf(
  { store, units, accountId }: LogInput,
  scuId: string,
  numbers: { from: number; to: number },
): AsyncGenerator<StoredMarketRow[], void, undefined> {
  const own = (await units()).some((unit) => unit.id === scuId)
  if (own) yield* logRows(store, { accountId, scuId }, numbers)
}

/** As its log. */
async function* sharedOf(
  { store, units, accountId }: LogInput,
  scuId: string,
  asked: Pick<SharedRows, 'kind' | 'after' | 'upTo'>,
): AsyncGenerator<SharedRow[], void, undefined> {
  const own = (await units()).some((unit) => unit.id === scuId)
  if (own) yield* sharedRows(store, { accountId, scuId, ...asked })
}
