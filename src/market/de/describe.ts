// The German members of status, configuration and raw journal exports.
import { isoText } from '../../lib/ticks.js'
import type { ExportSource } from '../../model/export-source.js'
import type { StoredMarketRow } from '../../model/journal.js'
import type { QueueView } from '../../model/queue.js'
import { archiveBase64 } from './export/archive.js'
import { ARCHIVE_KIND, readArchive } from './rows.js'
import type { DeState } from './state.js'

const momentText = (value: number | null): string | null =>
  value === null ? null : isoText(new Date(value))

/** The ftQueueDE object. */
export function describeQueue(
  queue: QueueView & { timeStamp: bigint },
  state: DeState,
): Record<string, unknown> {
  return {
    ftQueueDEId: queue.id,
    ftSignaturCreationUnitDEId: state.scuId,
    LastHash: null,
    CashBoxIdentification: queue.identification,
    SSCDFailCount: state.sscdFailCount,
    SSCDFailMoment: momentText(state.sscdFailMoment),
    SSCDFailQueueItemId: state.sscdFailQueueItemId,
    UsedFailedCount: state.usedFailedCount,
    UsedFailedMomentMin: momentText(state.usedFailedMomentMin),
    UsedFailedMomentMax: momentText(state.usedFailedMomentMax),
    UsedFailedQueueItemId: state.usedFailedQueueItemId,
    DailyClosingNumber: state.dailyClosingNumber,
    TimeStamp: queue.timeStamp,
  }
}

/** Only archived exports are rows of ftJournalDE; the rest of the market journal is our own. */
export function isJournalRow(row: Pick<StoredMarketRow, 'kind'>): boolean {
  return row.kind === ARCHIVE_KIND
}

/**
 * The ftJournalDE object of an archive row. FileContentBase64 is empty here: the archive is made
 * from the log messages by whoever may read them. Throws for rows of another kind.
 */
export function describeMarketRow(row: StoredMarketRow, queueId: string): Record<string, unknown> {
  if (!isJournalRow(row)) throw new Error(`market row ${row.number} of ${row.kind} is no archive`)
  return {
    ftJournalDEId: row.id,
    Number: row.number,
    FileName: readArchive(row.content).fileName,
    FileExtension: '.zip',
    FileContentBase64: '',
    ftQueueItemId: row.queueItemId,
    ftQueueId: queueId,
    TimeStamp: row.timeStamp,
  }
}

/** The same with the archive itself; undefined for the rows that are our own. */
export async function describeRaw(
  row: StoredMarketRow,
  source: ExportSource,
): Promise<Record<string, unknown> | undefined> {
  if (!isJournalRow(row) || row.scuId === null) return undefined
  const archive = readArchive(row.content)
  return {
    ...describeMarketRow(row, source.queue.id),
    FileContentBase64: await archiveBase64(source, { scuId: row.scuId, archive }),
  }
}
