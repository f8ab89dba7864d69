// The chain over all receipts of a queue, the same in every market.
import { sha256 } from '../lib/hash.js'
import { putGuid } from '../lib/id.js'
import { putInt64LE, ticksOf } from '../lib/ticks.js'
import type { StoredReceiptRow } from './journal.js'

export interface ChainLink {
  /** Hash of the previous receipt of the queue, or null for its first. */
  previous: Buffer | null
  receiptJournalId: string
  receiptMoment: Date
  receiptNumber: number
  requestHash: Buffer
  responseHash: Buffer
}

const HASH_BYTES = 32
const ID_BYTES = 16

/**
 * SHA-256 over previous hash, id in .NET order, ticks and number as 8 bytes little endian, and the
 * hashes of the stored request and response texts.
 */
export function chainHash(link: ChainLink): Buffer {
  const { previous, requestHash, responseHash } = link
  const start = previous === null ? 0 : HASH_BYTES
  const bytes = Buffer.allocUnsafe(start + ID_BYTES + 16 + 2 * HASH_BYTES)
  if (previous !== null) bytes.set(previous, 0)
  putGuid(bytes, link.receiptJournalId, start)
  const numbers = start + ID_BYTES
  putInt64LE(bytes, ticksOf(link.receiptMoment.getTime()), numbers)
  putInt64LE(bytes, BigInt(link.receiptNumber), numbers + 8)
  bytes.set(requestHash, numbers + 16)
  bytes.set(responseHash, numbers + 16 + HASH_BYTES)
  return sha256(bytes)
}

/** The same of stored rows; an item without answer adds nothing in its place. */
export function storedHash(
  previous: Buffer | null,
  receipt: Pick<StoredReceiptRow, 'id' | 'receiptMoment' | 'receiptNumber'>,
  item: { requestHash: Buffer; responseHash: Buffer | null },
): Buffer {
  return chainHash({
    ...{ previous, receiptJournalId: receipt.id, receiptMoment: receipt.receiptMoment },
    ...{ receiptNumber: Number(receipt.receiptNumber), requestHash: item.requestHash },
    responseHash: item.responseHash ?? Buffer.of(),
  })
}
