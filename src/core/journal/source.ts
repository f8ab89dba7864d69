// What a country's exporter may read: one queue of one account, within one range.
// Called by export.ts.
import type { ExportSource, Market } from '../../market/market.js'
import type { Store } from '../../store/client.js'
import { findCertificate, findCertificateBefore, marketRows } from '../../store/journal.js'
import { storedItems } from '../../store/journal-items.js'
import type { TickRange } from '../../store/journal-pages.js'
import type { StoredQueue } from '../../store/journal-queue.js'
import { viewOf } from './configuration.js'

export interface SourceInput {
  market: Market
  queue: StoredQueue
  range: TickRange
  now: Date
}

export function exportSource(store: Store, input: SourceInput): ExportSource {
  const { market, queue, range, now } = input
  const { accountId } = queue
  const key = { accountId, queueId: queue.id }
  return {
    queue: { ...viewOf(market, queue), accountId },
    range,
    now,
    marketRows: () => marketRows(store, { key, range }),
    items: () => storedItems(store, { key, range }),
    certificate: (fingerprint) => findCertificate(store, accountId, fingerprint),
    certificateBefore: () => findCertificateBefore(store, key, range.from),
  }
}
