// The Italian members of status, configuration and raw journal exports.
import type { ExportSource } from '../../model/export-source.js'
import type { StoredMarketRow } from '../../model/journal.js'
import type { QueueView } from '../../model/queue.js'
import type { ItState } from './queue.js'
import { RECORDS, type StoredRecord } from './rows.js'

/** The ftQueueIT object. */
export function describeQueue(
  queue: QueueView & { timeStamp: bigint },
  { serial, z, doc, records, failures, failedAt, openSince }: ItState,
): Record<string, unknown> {
  return {
    ...{ ftQueueITId: queue.id, CashBoxIdentification: queue.identification },
    ...{ RTSerialNumber: serial, LastZNumber: z, LastDocumentNumber: doc, RecordCount: records },
    DayOpenSince: openSince === null ? null : new Date(openSince),
    SSCDFailCount: failures,
    SSCDFailMoment: failedAt === null ? null : new Date(failedAt),
    TimeStamp: queue.timeStamp,
  }
}

/** The ftJournalIT object. */
export function describeRow(
  row: StoredMarketRow,
  { queue }: ExportSource,
): Record<string, unknown> | undefined {
  if (row.kind !== RECORDS) return undefined
  const record = JSON.parse(row.content) as StoredRecord
  return {
    ...{ ftJournalITId: row.id, ftQueueItemId: row.queueItemId, ftQueueId: queue.id },
    ...{ ftSignaturCreationUnitITId: row.scuId, cbReceiptReference: record.receiptReference },
    ...{ JournalType: record.receiptCase, ReceiptDateTime: record.receiptMoment },
    ...{ ReceiptNumber: record.doc, ZRepNumber: record.z, DataJson: row.content },
    TimeStamp: row.timeStamp,
  }
}
