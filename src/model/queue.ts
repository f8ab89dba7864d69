// The head of a queue: everything the next receipt depends on.
import type { Decimal } from '../lib/decimal.js'
import type { Seller } from './queue-facts.js'
import type { ScuHead } from './scu.js'

export interface QueueHead {
  accountId: string
  id: string
  /** Null: no cash box holds it, and nobody signs with it. */
  cashBoxId: string | null
  market: string
  description: string
  identification: string
  /** JSON text. */
  configuration: string
  /** Opened secrets as JSON text, '' for none. */
  secrets: string
  timeoutMs: number
  startMoment: Date | null
  stopMoment: Date | null
  currentRow: number
  queuedRow: number
  receiptNumerator: number
  receiptTotalizer: Decimal
  receiptHash: Buffer | null
  /** Market state as JSON text. */
  state: string
  lastMoment: Date | null
  timeStamp: bigint
  version: bigint
  /** Ids of the newest rows of its journals; null: there is none yet. */
  lastReceiptId: string | null
  lastMarketId: string | null
  lastActionId: string | null
  /** Who sells; undefined: the account has no record of it. */
  seller: Seller | undefined
  scus: ScuHead[]
}

/** The queue as a receipt or an export finds it. Nothing here may be changed by a market. */
export interface QueueView {
  id: string
  cashBoxId: string
  identification: string
  /** Parameters of the queue, already checked by the market's `configuration` schema. */
  configuration: unknown
  startMoment: Date | null
  stopMoment: Date | null
  /** ftReceiptMoment of the newest receipt; null before the first. */
  lastMoment: Date | null
  /** Receipts so far; the new one is shown with this number and journalled with the next. */
  receiptNumerator: number
}
