// The Greek members of status, configuration and raw journal exports, and the books.

import { invoicesDoc } from '../../device/gr/mydata.js'
import type { ExportSource } from '../../model/export-source.js'
import type { StoredMarketRow } from '../../model/journal.js'
import type { QueueView } from '../../model/queue.js'
import type { Export } from '../contract.js'
import { isWord } from '../kit/journal-word.js'
import { exchangesOf } from '../kit/outcomes.js'
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
const CHAINS = { records: RECORDS, outcomes: OUTCOMES }

/** Documents of the range with their MARKs. */
export const books: Export = {
  matches: isWord('0x4752200000000001', '0x4752200000001001'),
  beforeCommon: true,
  contentType: 'application/xml; charset=utf-8',
  async *run(source) {
    const [begin = '', end = ''] = invoicesDoc([MARKER]).split(MARKER)
    yield `<?xml version="1.0" encoding="utf-8"?>${begin}`
    const all = exchangesOf<StoredRecord, StoredOutcome>(source, CHAINS)
    for await (const { record, outcome } of all) {
      const { mark = '', authenticationCode = '', instead } = outcome ?? {}
      for (const one of instead ?? [{ record, mark, authenticationCode }]) {
        yield invoiceOf(one.record, one)
      }
    }
    yield end
  },
}
