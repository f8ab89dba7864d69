// The head of a queue: everything the next receipt depends on.
import type { Decimal } from '../lib/decimal.js'
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
  scus: ScuHead[]
}
