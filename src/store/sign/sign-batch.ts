// The rows that the sign path writes with one statement, before they are bytes.
import type { Decimal } from '../../lib/decimal.js'
import type { EventType, NewEvent } from '../../model/event.js'
import type { ActionRow, CertificateEntry, MarketRow } from '../../model/journal.js'
import type { QueueHead } from '../../model/queue.js'
import type { OperationRow } from '../operation/operations.js'

/** A head as it was loaded (`version`) and as it shall be. */
export interface HeadMove {
  /** Heads and units of one group are written together or not at all; 0: alone. */
  readonly group: number
  readonly version: bigint
  readonly next: Readonly<Omit<QueueHead, 'state'>>
  /** The market's state as JSON text. */
  readonly state: string
  /** Newly sealed secrets, or null when they stay. */
  readonly secretsSealed: Buffer | null
}

export interface ItemRow {
  readonly queueId: string
  readonly row: number
  readonly id: string
  readonly queueMoment: Date
  readonly timeoutMs: number
  readonly workMoment: Date | null
  readonly doneMoment: Date | null
  readonly receiptMoment: Date
  readonly terminalId: string | null
  readonly posSystemId: string | null
  readonly receiptReference: string | null
  readonly country: string
  readonly version: string
  readonly request: string
  /** UTF-8 of a text, where it is at hand: else it is made of the text. */
  readonly requestBytes?: Buffer | undefined
  readonly requestHash: Buffer
  /** A text, or its UTF-8. */
  readonly response: Buffer | string | null
  readonly responseHash: Buffer | null
  readonly processingVersion: string
  readonly timeStamp: bigint
  readonly operationId: string | null
}

/** The record of the operation that asked for an item of the batch. */
export type ItemOperation = Omit<OperationRow, 'request' | 'response' | 'queueId'> & {
  queueId: string
}

export interface ReceiptRow {
  readonly queueId: string
  readonly timeStamp: bigint
  readonly id: string
  readonly receiptMoment: Date
  readonly receiptNumber: number
  readonly receiptTotal: Decimal
  readonly queueItemId: string
  readonly receiptHash: Buffer
}

export interface JournalledMarketRow extends MarketRow {
  queueId: string
  timeStamp: bigint
  queueItemId: string
}

/** A receipt and the first record of its country, which are one row. */
export interface RecordedRow {
  readonly receipt: ReceiptRow
  readonly market: JournalledMarketRow
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

/** An event of a queue; with ticks: one for each receipt between them, both inclusive. */
export interface QueueEvent {
  queueId: string
  id: string
  type: EventType
  cashBoxId: string | null
  subject: NewEvent['subject']
  ticks: { from: bigint; to: bigint } | undefined
  /** JSON object. */
  data: string
  at: Date
}

export interface ScuMove {
  readonly group: number
  readonly accountId: string
  readonly id: string
  readonly version: bigint
  readonly state: string
  readonly faultScript: string | null
  readonly timeStamp: bigint
}

/** A certificate that the first row of a queue refers to. */
export interface QueueCertificate extends CertificateEntry {
  queueId: string
}

/** A value: made of entries, and never changed. */
export interface SignBatch {
  readonly heads: readonly HeadMove[]
  readonly items: readonly ItemRow[]
  /** Items stored earlier without an answer (remote device) that get it now. */
  readonly completions: readonly ItemRow[]
  /** Receipts of which a record of the country is a part. */
  readonly recorded: readonly RecordedRow[]
  readonly receipts: readonly ReceiptRow[]
  readonly markets: readonly JournalledMarketRow[]
  readonly actions: readonly JournalledActionRow[]
  readonly certificates: readonly QueueCertificate[]
  /** New records, with their items. */
  readonly operations: readonly ItemOperation[]
  /** Records stored earlier with their items, which end now. */
  readonly endings: readonly ItemOperation[]
  /** Work that must follow, as jobs. */
  readonly outbox: readonly OutboxRow[]
  /** What is told, in the order in which it happened. */
  readonly events: readonly QueueEvent[]
  /** Second heads, each in the group of the queues that moved it. */
  readonly scus: readonly ScuMove[]
}
