// Rows of the journals as markets make them and as exports read them.
import type { Memo } from '../lib/memo.js'
import type { EventData, EventType } from './event.js'

export interface MarketRow {
  id: string
  kind: string
  number: number
  scuId: string | null
  /** The certificate of the record; `entry` null: known by its fingerprint, stored long since. */
  certificate: { fingerprint: Buffer; entry: CertificateEntry | null } | null
  content: string
}

/** A certificate that a market row refers to; stored once per account. */
export interface CertificateEntry {
  fingerprint: Buffer
  der: Buffer
  chain: Buffer[]
}

export interface ActionRow {
  id: string
  /** < 0: to be reported to the operator. 0 fatal, 0x10 error, 0x20 warning, 0x30 information. */
  priority: number
  type: string
  message: string
  dataJson: string | null
  dataBase64: string | null
  /** What else is told to whoever follows the events of the account; about the queue. */
  event?: { type: EventType; data?: EventData }
}

/** One row of the market journal as exports read it. */
export interface StoredMarketRow {
  timeStamp: bigint
  id: string
  kind: string
  number: number
  scuId: string | null
  queueItemId: string
  certificateFingerprint: Buffer | null
  content: string
}

/** One row of the receipt journal as exports read it. */
export interface StoredReceiptRow {
  timeStamp: bigint
  id: string
  receiptMoment: Date
  receiptNumber: bigint
  /** Plain decimal text; the database may hold more digits than a Decimal does. */
  receiptTotal: string
  queueItemId: string
  receiptHash: Buffer
}

/** One queue item as exports read it. */
export interface StoredItem {
  row: number
  id: string
  queueMoment: Date
  timeoutMs: number
  workMoment: Date | null
  doneMoment: Date | null
  receiptMoment: Date
  terminalId: string | null
  /** ftPosSystemId, of the request or of the header of its call. */
  posSystemId: string | null
  receiptReference: string | null
  country: string
  version: string
  request: string
  requestHash: Buffer
  response: string | null
  responseHash: Buffer | null
  processingVersion: string
  timeStamp: bigint
  /** Its row of the receipt journal; null: it is no receipt, or not yet. */
  receipt: StoredReceiptRow | null
  /** Of that row: the number, and the total without zeros at its end. */
  receiptNumber: number | null
  receiptTotal: string | null
  /** Where several readers go through the same items: what one of them read is not read again. */
  memo?: Memo
}

/** A finished receipt, its texts as they were stored. */
export interface EarlierReceipt {
  id: string
  row: number
  /** Version of the interface. */
  version: string
  request: string
  response: string
  timeStamp: bigint
}
