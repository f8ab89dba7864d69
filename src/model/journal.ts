// Journal rows as they are read back: written by the sign path, read by exports of every country.
// The store hands them out; market/market.ts names them again for the countries.

/** A certificate that a market row refers to; stored once per account. */
export interface CertificateEntry {
  fingerprint: Buffer
  der: Buffer
  chain: Buffer[]
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

/** One queue item as exports read it, with its receipt journal row where it has one. */
export interface StoredItem {
  row: number
  id: string
  queueMoment: Date
  timeoutMs: number
  workMoment: Date | null
  doneMoment: Date | null
  receiptMoment: Date
  terminalId: string | null
  receiptReference: string | null
  country: string
  version: string
  request: string
  requestHash: Buffer
  response: string | null
  responseHash: Buffer | null
  processingVersion: string
  timeStamp: bigint
  receiptNumber: number | null
  receiptHash: Buffer | null
  receiptTotal: string | null
}
