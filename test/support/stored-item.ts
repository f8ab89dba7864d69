// A queue item as the journals keep it, for export tests: hashes fit the texts.
import { createHash } from 'node:crypto'
import type { StoredItem } from '../../src/model/journal.js'

const sha256 = (text: string) => createHash('sha256').update(text).digest()

const idOf = (row: number) => `00000000-0000-7000-8000-${String(row).padStart(12, '0')}`

export function storedItem(changes: Partial<StoredItem> & { row: number }): StoredItem {
  const request = changes.request ?? '{}'
  const response = changes.response === undefined ? '{}' : changes.response
  const moment = new Date('2025-01-05T07:15:30.250Z')
  return {
    id: idOf(changes.row),
    queueMoment: moment,
    timeoutMs: 15_000,
    workMoment: moment,
    doneMoment: response === null ? null : moment,
    receiptMoment: new Date('2025-01-05T07:15:00Z'),
    terminalId: 'T1',
    posSystemId: null,
    receiptReference: 'R-1',
    country: 'AT',
    version: 'v1',
    processingVersion: '0.1.0',
    timeStamp: 638716572000000000n + BigInt(changes.row),
    receipt: {
      timeStamp: 638716572000000001n + BigInt(changes.row),
      id: `00000000-0000-7000-8001-${String(changes.row).padStart(12, '0')}`,
      receiptMoment: moment,
      receiptNumber: 1n,
      receiptTotal: '0',
      queueItemId: changes.id ?? idOf(changes.row),
      receiptHash: sha256(`receipt ${changes.row}`),
    },
    receiptNumber: 1,
    receiptTotal: '0',
    ...changes,
    request,
    requestHash: sha256(request),
    response,
    responseHash: response === null ? null : sha256(response),
  }
}
