// Receipts and records of their country in the sign statement: two rows, or one where one belongs
// to the other.
import { byteaArray, int8Array, textArray, timestamptzArray, uuidArray } from '../binary-array.js'
import type { JournalledMarketRow, ReceiptRow, RecordedRow } from './sign-batch.js'
import { type Part, source, types } from './sign-part.js'

/** Kinds by which rows of the market journal are looked up; their indexes know that table alone. */
const LOOKED_UP: ReadonlySet<string> = new Set([
  'archive',
  'counted',
  'device-log',
  'ended',
  'late',
])

/** The record that can be stored in the row of its receipt, or undefined. */
export function recordOf(
  receipt: ReceiptRow,
  [first]: readonly JournalledMarketRow[],
): JournalledMarketRow | undefined {
  if (first === undefined || first.timeStamp !== receipt.timeStamp + 1n) return undefined
  // kinds of one letter are chains
  return first.kind.length === 1 || LOOKED_UP.has(first.kind) ? undefined : first
}

const RECORDED_TYPES = types(
  'uuid int8 uuid timestamptz int8 text uuid bytea uuid text int8 uuid bytea text',
)
const RECORDED_COLUMNS = `queue_id, time_stamp, id, receipt_moment, receipt_number, receipt_total,
    queue_item_id, receipt_hash, market_id, kind, number, scu_id, certificate_fingerprint, content`

export function recordedPart(rows: readonly RecordedRow[]): Part | undefined {
  if (rows.length === 0) return undefined
  const receipts = rows.map((row) => row.receipt)
  const markets = rows.map((row) => row.market)
  return {
    letter: 'k',
    text: (first, one) => `k as (
  insert into recorded_receipt (account_id, ${RECORDED_COLUMNS})
  select h.account_id, u.queue_id, u.time_stamp, u.id, u.receipt_moment, u.receipt_number,
    u.receipt_total::numeric, u.queue_item_id, u.receipt_hash, u.market_id, u.kind, u.number,
    u.scu_id, u.certificate_fingerprint, u.content
  from ${source(first, RECORDED_TYPES, one)} u(${RECORDED_COLUMNS})
  join h on h.id = u.queue_id)`,
    values: [
      ...receiptValues(receipts),
      uuidArray(markets, (row) => row.id),
      textArray(markets, (row) => row.kind),
      int8Array(markets, (row) => row.number),
      uuidArray(markets, (row) => row.scuId),
      byteaArray(markets, (row) => row.certificate?.fingerprint ?? null),
      textArray(markets, (row) => row.content),
    ],
  }
}

const RECEIPT_TYPES = types('uuid int8 uuid timestamptz int8 text uuid bytea')

export function receiptPart(rows: readonly ReceiptRow[]): Part | undefined {
  if (rows.length === 0) return undefined
  return {
    letter: 'r',
    text: (first, one) => `r as (
  insert into receipt_journal (account_id, queue_id, time_stamp, id, receipt_moment,
    receipt_number, receipt_total, queue_item_id, receipt_hash)
  select h.account_id, u.queue_id, u.time_stamp, u.id, u.receipt_moment, u.receipt_number,
    u.receipt_total::numeric, u.queue_item_id, u.receipt_hash
  from ${source(first, RECEIPT_TYPES, one)} u(queue_id, time_stamp, id, receipt_moment,
    receipt_number, receipt_total, queue_item_id, receipt_hash)
  join h on h.id = u.queue_id)`,
    values: receiptValues(rows),
  }
}

function receiptValues(rows: readonly ReceiptRow[]): Buffer[] {
  return [
    uuidArray(rows, (row) => row.queueId),
    int8Array(rows, (row) => row.timeStamp),
    uuidArray(rows, (row) => row.id),
    timestamptzArray(rows, (row) => row.receiptMoment),
    int8Array(rows, (row) => row.receiptNumber),
    textArray(rows.map((row) => row.receiptTotal.toString())),
    uuidArray(rows, (row) => row.queueItemId),
    byteaArray(rows, (row) => row.receiptHash),
  ]
}

const MARKET_TYPES = types('uuid int8 uuid text int8 uuid uuid bytea text')

export function marketPart(rows: readonly JournalledMarketRow[]): Part | undefined {
  if (rows.length === 0) return undefined
  return {
    letter: 'm',
    text: (first, one) => `m as (
  insert into market_journal (account_id, queue_id, time_stamp, id, kind, number, scu_id,
    queue_item_id, certificate_fingerprint, content)
  select h.account_id, u.* from ${source(first, MARKET_TYPES, one)} u(queue_id, time_stamp, id,
    kind, number, scu_id, queue_item_id, certificate_fingerprint, content)
  join h on h.id = u.queue_id)`,
    values: [
      uuidArray(rows, (row) => row.queueId),
      int8Array(rows, (row) => row.timeStamp),
      uuidArray(rows, (row) => row.id),
      textArray(rows, (row) => row.kind),
      int8Array(rows, (row) => row.number),
      uuidArray(rows, (row) => row.scuId),
      uuidArray(rows, (row) => row.queueItemId),
      byteaArray(rows, (row) => row.certificate?.fingerprint ?? null),
      textArray(rows, (row) => row.content),
    ],
  }
}
