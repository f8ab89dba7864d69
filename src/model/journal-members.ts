// Members of queue items and of receipts as the interface names them: the raw journals of every
// country have them in this order, archives in the order of their names.
import type { StoredItem, StoredReceiptRow } from './journal.js'

export type MemberValue = string | number | bigint | Date | Buffer | null

/** `amount`: a decimal as the database wrote it. */
export type Members<R> = readonly (readonly [
  name: string,
  value: (row: R, queueId: string) => MemberValue,
  kind?: 'amount',
])[]

export const RECEIPT_MEMBERS: Members<StoredReceiptRow> = [
  ['ftReceiptJournalId', (row) => row.id],
  ['ftReceiptMoment', (row) => row.receiptMoment],
  ['ftReceiptNumber', (row) => row.receiptNumber],
  ['ftReceiptTotal', (row) => row.receiptTotal, 'amount'],
  ['ftQueueId', (_, queueId) => queueId],
  ['ftQueueItemId', (row) => row.queueItemId],
  ['ftReceiptHash', (row) => row.receiptHash],
  ['TimeStamp', (row) => row.timeStamp],
]

export const ITEM_MEMBERS: Members<Omit<StoredItem, 'receipt' | 'receiptNumber' | 'receiptTotal'>> =
  [
    ['ftQueueItemId', (row) => row.id],
    ['ftQueueId', (_, queueId) => queueId],
    ['ftQueueRow', (row) => row.row],
    ['ftQueueMoment', (row) => row.queueMoment],
    ['ftQueueTimeout', (row) => row.timeoutMs],
    ['ftWorkMoment', (row) => row.workMoment],
    ['ftDoneMoment', (row) => row.doneMoment],
    ['cbReceiptMoment', (row) => row.receiptMoment],
    ['cbTerminalID', (row) => row.terminalId],
    ['cbReceiptReference', (row) => row.receiptReference],
    ['country', (row) => row.country],
    ['version', (row) => row.version],
    ['request', (row) => row.request],
    ['requestHash', (row) => row.requestHash],
    ['response', (row) => row.response],
    ['responseHash', (row) => row.responseHash],
    ['TimeStamp', (row) => row.timeStamp],
    ['ProcessingVersion', (row) => row.processingVersion],
  ]
