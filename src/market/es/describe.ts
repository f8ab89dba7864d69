// The Spanish members of status, configuration and raw journal exports.
import type { ExportSource } from '../../model/export-source.js'
import type { StoredMarketRow } from '../../model/journal.js'
import type { QueueView } from '../../model/queue.js'
import type { EsState } from './queue.js'
import { RECORDS, type StoredRecord } from './rows.js'
import { requestOf } from './transmit.js'

/** The ftQueueES object. */
export function describeQueue(
  queue: QueueView & { timeStamp: bigint },
  { simplified, full, last, records, transmission, scuId, kind }: EsState,
): Record<string, unknown> {
  return {
    ...{ ftQueueESId: queue.id, ftSignaturCreationUnitESId: scuId },
    ...{ CashBoxIdentification: queue.identification, Kind: kind },
    ...{ SimplifiedInvoiceSeries: simplified.name, InvoiceSeries: full.name },
    SimplifiedInvoiceNumerator: simplified.number,
    InvoiceNumerator: full.number,
    ...{ LastSimplifiedInvoiceMoment: simplified.moment, LastInvoiceMoment: full.moment },
    LastSimplifiedInvoiceQueueItemId: simplified.itemId,
    LastInvoiceQueueItemId: full.itemId,
    ...{ LastHash: last?.mark ?? null, RecordCount: records, SentCount: transmission.sent },
    SSCDFailCount: transmission.since === null ? 0 : records - transmission.sent,
    SSCDFailMoment: transmission.since === null ? null : new Date(transmission.since),
    StoppedReason: transmission.stopped === '' ? null : transmission.stopped,
    TimeStamp: queue.timeStamp,
  }
}

/** The ftJournalES object: a record as it is sent; its answer stands in the export. */
export function describeRow(
  row: StoredMarketRow,
  { queue }: ExportSource,
): Record<string, unknown> | undefined {
  if (row.kind !== RECORDS) return undefined
  const record = JSON.parse(row.content) as StoredRecord
  const data = { Request: requestOf(record, false), Response: '', Version: 'V0' }
  return {
    ...{ ftJournalESId: row.id, Number: row.number, Data: JSON.stringify(data) },
    JournalType: record.kind === 'VeriFactu' ? 'VeriFactu' : 'TicketBAI',
    ...{ ftQueueItemId: row.queueItemId, ftQueueId: queue.id, TimeStamp: row.timeStamp },
  }
}
