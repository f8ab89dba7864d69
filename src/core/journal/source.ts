// What a country's exporter may read: one queue of one account, within one range.
// Called by export.ts.
import type { ExportSource, ExportUnit, Market, StoredMarketRow } from '../../market/market.js'
import type { Store } from '../../store/client.js'
import { findCertificate, findCertificateBefore, marketRows } from '../../store/journal.js'
import { itemsBetween, receiptsBefore, storedItems } from '../../store/journal-items.js'
import type { TickRange } from '../../store/journal-pages.js'
import type { StoredQueue } from '../../store/journal-queue.js'
import { logRows, marketRowAfter, unitsOf } from '../../store/journal-units.js'
import { listPosSystems } from '../../store/pos-systems.js'
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
  const units = () => unitsOf(store, key)
  return {
    queue: { ...viewOf(market, queue), accountId },
    state: queue.state,
    options,
    range,
    now,
    marketRows: () => marketRows(store, { key, range }),
    items: () => storedItems(store, { key, range }),
    units,
    unit: async (id) => (await units()).find((unit) => unit.id === id),
    logRows: (unitId, numbers) => logOf({ store, units, accountId }, unitId, numbers),
    posSystems: () => listPosSystems(store, accountId),
    marketRowAfter: (kind, timeStamp) => marketRowAfter(store, key, { kind, timeStamp }),
    itemsBetween: (rows) => itemsBetween(store, key, rows),
    receiptsBefore: (asked) => receiptsBefore(store, key, asked),
    spool: () => openSpool(),
    certificate: (fingerprint) => findCertificate(store, accountId, fingerprint),
    certificateBefore: () => findCertificateBefore(store, key, range.from),
  }
}

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
