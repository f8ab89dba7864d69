// Stored rows of a German queue as they are checked and described.
import { isoText } from '../../lib/ticks.js'
import type { ExportSource } from '../../model/export-source.js'
import type { StoredMarketRow } from '../../model/journal.js'
import type { QueueView } from '../../model/queue.js'
import type { Finding, Verdict } from '../../model/verdict.js'
import type { AuditedReceipt, Auditor } from '../contract.js'
import { expect, type ShownItem, shownBy } from '../kit/audit.js'
import { describeLate, lateEntriesOf } from '../kit/late-entry.js'
import { archiveBase64 } from './export/archive.js'
import {
  ANSWER_KIND,
  ARCHIVE_KIND,
  CLOSING_KIND,
  type DeState,
  LOG_KIND,
  logMessages,
  readArchive,
  readClosing,
} from './queue.js'
import { captions, itemCaptions } from './text.js'

/** DSFinV-K. */
const EXPORT_TYPE = 0x4445_0000_0000_0002n

/**
 * Master data that nobody has given, and orders that are longer than their column, are no fault of
 * what is stored.
 */
const OUTSIDE = new Set(['FIELD_MANDATORY', 'TSE_CUT'])

/** How the captions begin that carry a moment. */
const RESTORED = captions.restored('').slice(0, -1)
const LATE = captions.lateSigning('')
const LATE_DONE = captions.lateSigningDone('').slice(0, -1)

export class DeAuditor implements Auditor {
  private readonly state: DeState
  /** Last signature counter by unit. */
  private readonly counters = new Map<string, number>()
  /** Counters that receipts of failed mode logged and did not print. */
  private readonly lost = new Set<number>()
  private closings = 0
  private closingRow = 0
  /** Receipts of failed mode since it began, and receipts entered later. */
  private outage = 0
  private late = 0

  constructor(state: DeState) {
    this.state = state
  }

  legalExport(): { type: bigint } {
    return { type: EXPORT_TYPE }
  }

  judge({ findings }: Verdict): Finding[] {
    return findings.filter(({ code }) => !OUTSIDE.has(code))
  }

  receipt(receipt: AuditedReceipt): Finding[] {
    const items = receipt.response === null ? [] : shownBy(receipt.response).items
    const place = String(receipt.row)
    const logs = receipt.journal.filter(({ kind }) => kind === LOG_KIND)
    const proven = receipt.journal.filter(({ kind }) => kind === ANSWER_KIND)
    return [
      ...logs.flatMap((row) => this.judgeLog(row, place)),
      ...this.judgeCounters([...logs, ...proven], { items, place }),
      ...receipt.journal
        .filter(({ kind }) => kind === CLOSING_KIND)
        .flatMap((row) => this.judgeClosing(row, receipt.row)),
      ...items.flatMap((item) => this.judgeItem(item, place)),
    ]
  }

  end(): Finding[] {
    const { state } = this
    return [
      ...expect('STATE_CLOSING', '', [this.closings, state.dailyClosingNumber]),
      ...expect('STATE_CLOSING_ROW', '', [this.closingRow, state.lastClosingRow]),
      ...expect('STATE_OUTAGE', '', [this.outage, state.sscdFailCount]),
      ...expect('STATE_LATE', '', [this.late, state.usedFailedCount]),
    ]
  }

  /** Other queues of the same TSE may lie in between, but nothing is logged twice. */
  private judgeLog(row: StoredMarketRow, place: string): Finding[] {
    const unit = row.scuId ?? ''
    const last = this.counters.get(unit) ?? 0
    this.counters.set(unit, logMessages(row).at(-1)?.signatureCounter ?? last)
    if (row.number > last) return []
    const text = `the log of ${unit} begins with ${row.number} after ${last}`
    return [{ code: 'LOG_ORDER', receipt: place, text }]
  }

  /**
   * A counter that is printed on an answer has to lie in the log that was journalled with it, or
   * with a receipt of failed mode whose answer of the TSE was lost.
   */
  private judgeCounters(
    logs: readonly StoredMarketRow[],
    { items, place }: { items: readonly ShownItem[]; place: string },
  ): Finding[] {
    const logged = new Set(
      logs.flatMap((row) => logMessages(row).map(({ signatureCounter }) => signatureCounter)),
    )
    if (items.some(({ caption }) => caption === captions.tseFailed)) {
      for (const counter of logged) this.lost.add(counter)
    }
    return items
      .filter(({ caption }) => caption === itemCaptions.counter)
      .filter(({ data }) => !logged.has(Number(data)) && !this.lost.delete(Number(data)))
      .map(({ data }) => ({
        code: 'ANSWER_COUNTER',
        receipt: place,
        text: `the signature counter ${data} is not in the log of this receipt`,
      }))
  }

  private judgeClosing(row: StoredMarketRow, itemRow: number): Finding[] {
    const place = String(itemRow)
    const closing = readClosing(row.content)
    const findings = [
      ...expect('CLOSING_NUMBER', place, [this.closings + 1, row.number]),
      ...expect('CLOSING_ROW', place, [itemRow, closing.row]),
      ...expect('CLOSING_BEFORE', place, [this.closingRow, closing.previousRow]),
    ]
    this.closings = row.number
    this.closingRow = closing.row
    return findings
  }

  private judgeItem({ caption, data }: ShownItem, place: string): Finding[] {
    if (caption === captions.tseFailed) {
      this.outage += 1
      return expect('OUTAGE_COUNT', place, [String(this.outage), data.split(': ').at(-1)])
    }
    if (caption.startsWith(RESTORED)) {
      const told = expect('OUTAGE_END', place, [String(this.outage), data.split(' ')[0]])
      this.outage = 0
      return told
    }
    if (caption.startsWith(LATE_DONE)) {
      const told = expect('LATE_END', place, [String(this.late), data.split(' ')[0]])
      this.late = 0
      return told
    }
    if (caption.startsWith(LATE)) this.late += 1
    return []
  }
}

// ------------------------------------------------------------------------------------ descriptions

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
    ...describeLate(lateEntriesOf(state), momentText),
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
