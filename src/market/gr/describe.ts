// The Greek members of status, configuration and raw journal exports, and the books.

import { invoicesDoc } from '../../device/gr/mydata.js'
import type { ExportSource } from '../../model/export-source.js'
import type { StoredMarketRow } from '../../model/journal.js'
import type { QueueView } from '../../model/queue.js'
import type { Export } from '../contract.js'
import { isWord } from '../kit/journal-word.js'
import type { GrState } from './queue.js'
import { invoiceOf, OUTCOMES, RECORDS, type StoredOutcome, type StoredRecord } from './rows.js'

/** The ftQueueGR object. */
export function describeQueue(
  queue: QueueView & { timeStamp: bigint },
  state: GrState,
): Record<string, unknown> {
  const { transmission } = state
  return {
    ...{ ftQueueGRId: queue.id, ftSignaturCreationUnitGRId: state.scuId },
    ...{ CashBoxIdentification: queue.identification, InvoiceSeries: state.series },
    ...{ InvoiceNumerator: state.number, LastInvoiceMoment: state.lastMoment },
    LastInvoiceQueueItemId: state.lastItemId,
    LastInvoiceMark: state.lastMark === '' ? null : state.lastMark,
    SSCDFailCount: transmission.since === null ? 0 : state.records - transmission.sent,
    SSCDFailMoment: transmission.since === null ? null : new Date(transmission.since),
    TimeStamp: queue.timeStamp,
  }
}

/** The ftJournalGR object: a document as it is sent. */
export function describeRow(
  row: StoredMarketRow,
  { queue }: ExportSource,
): Record<string, unknown> | undefined {
  if (row.kind !== RECORDS) return undefined
  const record = JSON.parse(row.content) as StoredRecord
  return {
    ...{ ftJournalGRId: row.id, Number: row.number, Uid: record.uid },
    Data: invoicesDoc([invoiceOf(record)]),
    ...{ ftQueueItemId: row.queueItemId, ftQueueId: queue.id, TimeStamp: row.timeStamp },
  }
}

const MARKER = '<!---->'

/** Documents of the range with their MARKs; both chains are in the order of their numbers. */
export const books: Export = {
  matches: isWord('0x4752200000000001', '0x4752200000001001'),
  beforeCommon: true,
  contentType: 'application/xml; charset=utf-8',
  async *run(source) {
    const [begin = '', end = ''] = invoicesDoc([MARKER]).split(MARKER)
    yield `<?xml version="1.0" encoding="utf-8"?>${begin}`
    let waiting: StoredMarketRow[] = []
    let outcomes: AsyncIterator<StoredMarketRow[]> | undefined
    const outcomeOf = async (row: StoredMarketRow): Promise<StoredOutcome | undefined> => {
      // an outcome is never older than its document
      outcomes ??= source
        .chainRows(OUTCOMES, { from: row.timeStamp, to: 0n })
        [Symbol.asyncIterator]()
      for (;;) {
        const [next] = waiting
        if (next === undefined) {
          const { value, done } = await outcomes.next()
          if (done === true) return undefined
          waiting = [...value]
        } else if (next.number > row.number) return undefined
        else {
          waiting.shift()
          if (next.number === row.number) return JSON.parse(next.content) as StoredOutcome
        }
      }
    }
    for await (const page of source.chainRows(RECORDS)) {
      for (const row of page) {
        const { mark = '', authenticationCode = '', instead } = (await outcomeOf(row)) ?? {}
        const record = JSON.parse(row.content) as StoredRecord
        for (const one of instead ?? [{ record, mark, authenticationCode }]) {
          yield invoiceOf(one.record, one)
        }
      }
    }
    yield end
  },
}
