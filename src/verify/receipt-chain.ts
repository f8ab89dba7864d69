// The chain over all receipts of a Queue, which every country has: a receipt's hash takes in the
// hash before it, and the hashes of request and answer.
import { createHash } from 'node:crypto'

export interface ChainedReceipt {
  /** ftReceiptJournalId. */
  id: string
  number: number
  /** ftReceiptMoment as it was answered. */
  moment: string
  /** SHA-256 of the texts, base64. */
  requestHash: string
  responseHash: string
}

/** ftReceiptHash in base64; undefined: the moment cannot be read. */
export function receiptHash(before: Buffer, receipt: ChainedReceipt): string | undefined {
  const ticks = ticksOf(receipt.moment)
  if (ticks === undefined) return undefined
  const numbers = Buffer.alloc(16)
  numbers.writeBigInt64LE(ticks, 0)
  numbers.writeBigInt64LE(BigInt(receipt.number), 8)
  return createHash('sha256')
    .update(before)
    .update(dotnetBytes(receipt.id))
    .update(numbers)
    .update(Buffer.from(receipt.requestHash, 'base64'))
    .update(Buffer.from(receipt.responseHash, 'base64'))
    .digest('base64')
}

/** The first three groups of an id have their bytes the other way round. */
function dotnetBytes(id: string): Buffer {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex')
  bytes.subarray(0, 4).reverse()
  bytes.subarray(4, 6).reverse()
  bytes.subarray(6, 8).reverse()
  return bytes
}

const EPOCH_TICKS = 621_355_968_000_000_000n
const MOMENT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,7}))?Z$/

/** 100 ns since the year 1. */
export function ticksOf(text = ''): bigint | undefined {
  const found = MOMENT.exec(text)
  if (found === null) return undefined
  const seconds = BigInt(Date.parse(`${found[1]}Z`)) * 10_000n
  return EPOCH_TICKS + seconds + BigInt((found[2] ?? '').padEnd(7, '0'))
}
