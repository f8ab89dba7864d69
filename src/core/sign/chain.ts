// The next row of the receipt journal, the same in every market.

import { type Decimal, totalOf } from '../../lib/decimal.js'
import { orderedId } from '../../lib/id.js'
import type { QueueHead } from '../../model/queue.js'
import type { ReceiptRequest } from '../../model/receipt.js'
import { chainHash } from '../../model/receipt-chain.js'
import type { ItemRow, ReceiptRow } from '../../store/sign/sign-batch.js'

interface Journalled {
  job: { request: ReceiptRequest }
  item: ItemRow
  moment: Date
  answered: { hash: Buffer }
  timeStamp: bigint
}

/** The next row of a queue. */
export function receiptRow(
  head: Pick<QueueHead, 'id' | 'receiptNumerator' | 'receiptHash'>,
  { job, item, moment, answered, timeStamp }: Journalled,
): ReceiptRow {
  const id = orderedId(moment.getTime())
  const receiptNumber = head.receiptNumerator + 1
  return {
    queueId: head.id,
    timeStamp,
    id,
    receiptMoment: moment,
    receiptNumber,
    receiptTotal: receiptTotal(job.request),
    queueItemId: item.id,
    receiptHash: chainHash({
      previous: head.receiptHash,
      receiptJournalId: id,
      receiptMoment: moment,
      receiptNumber,
      requestHash: item.requestHash,
      responseHash: answered.hash,
    }),
  }
}

/** cbReceiptAmount when given, else the sum of the charge items. */
function receiptTotal({ receiptAmount, chargeItems }: ReceiptRequest): Decimal {
  return receiptAmount ?? totalOf(chargeItems)
}
