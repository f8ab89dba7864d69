// The rows that the sign path writes with one statement, before they are bytes.
// Made by core/sign, written by sign-statement.ts.
import type { Decimal } from '../../lib/decimal.js'
import type { ActionRow, CertificateEntry, MarketRow } from '../../model/journal.js'
import type { QueueHead } from '../../model/queue.js'
import type { OperationRow } from '../operation/operations.js'

/** A head as it was loaded (`version`) and as it shall be. */
export interface HeadMove {
  /** Heads and units of one group are written together or not at all; 0: alone. */
  group: number
  version: bigint
  next: QueueHead
  /** Newly sealed secrets, or null when they stay. */
  secretsSealed: Buffer | null
}

export interface ItemRow {
  queueId: string
  row: number
  id: string
  queueMoment: Date
  timeoutMs: number
  workMoment: Date | null
  doneMoment: Date | null
  receiptMoment: Date
  terminalId: string | null
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
  operationId: string | null
}

/** The record of the operation that asked for an item of the batch. */
export type ItemOperation = Omit<OperationRow, 'request' | 'response' | 'queueId'> & {
  queueId: string
}

export interface ReceiptRow {
  queueId: string
  timeStamp: bigint
  id: string
  receiptMoment: Date
  receiptNumber: number
  receiptTotal: Decimal
  queueItemId: string
  receiptHash: Buffer
}

export interface JournalledMarketRow extends MarketRow {
  queueId: string
  timeStamp: bigint
  queueItemId: string
}

export interface JournalledActionRow extends ActionRow {
  queueId: string
  timeStamp: bigint
  queueItemId: string | null
  moment: Date
}

export interface OutboxRow {
  queueId: string
  kind: string
  key: string
  /** JSON text. */
  payload: string
}

export interface ScuMove {
  group: number
  accountId: string
  id: string
  version: bigint
  state: string
  faultScript: string | null
  timeStamp: bigint
}

export interface SignBatch {
  heads: HeadMove[]
  items: ItemRow[]
  /** Items stored earlier without an answer (remote device) that get it now. */
  completions: ItemRow[]
  receipts: ReceiptRow[]
  markets: JournalledMarketRow[]
  actions: JournalledActionRow[]
  certificates: (CertificateEntry & { queueId: string })[]
  /** New records, with their items. */
  operations: ItemOperation[]
  /** Records stored earlier with their items, which end now. */
  endings: ItemOperation[]
  /** Work that must follow, as jobs. */
  outbox: OutboxRow[]
  /** Second heads, each in the group of the queues that moved it. */
  scus: ScuMove[]
}
