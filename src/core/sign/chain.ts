// The hash chain of the receipt journal, the same in every market. Called by step.ts and verifiers.

import { sha256 } from '../../lib/hash.js'
import { guidBytes } from '../../lib/id.js'
import { ticksOf } from '../../lib/ticks.js'

export interface ChainLink {
  /** Hash of the previous receipt of the queue, or null for its first. */
  previous: Buffer | null
  receiptJournalId: string
  receiptMoment: Date
  receiptNumber: number
  requestHash: Buffer
  responseHash: Buffer
}

/**
 * SHA-256 over previous hash, id in .NET order, ticks and number as 8 bytes little endian, and the
 * hashes of the stored request and response texts.
 */
export function chainHash(link: ChainLink): Buffer {
  const numbers = Buffer.allocUnsafe(16)
  numbers.writeBigInt64LE(ticksOf(link.receiptMoment.getTime()), 0)
  numbers.writeBigInt64LE(BigInt(link.receiptNumber), 8)
  const parts = [guidBytes(link.receiptJournalId), numbers, link.requestHash, link.responseHash]
  if (link.previous !== null) parts.unshift(link.previous)
  return sha256(Buffer.concat(parts))
}
