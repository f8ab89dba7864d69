// Every rule that the checker of stored data knows beside those of the markets. Codes are stable.
import type { Finding } from '../../../model/verdict.js'

/** Code → what must hold. */
export const rules = {
  QUEUE_CLOSED: 'the secrets of a queue open with the master key, and its state can be read',

  // queue items
  ROW_GAP: 'the rows of a queue run 1..n without gap',
  ITEM_DOUBLED: 'an item id is used once in an account',
  REQUEST_HASH: 'the stored request is the one that was hashed',
  ANSWER_HASH: 'the stored answer is the one that was hashed',
  ANSWER_FORM: 'a finished item has an answer that can be read',
  ANSWER_OTHER: 'the answer names its own item, row and queue',
  MOMENT_FALLS: 'ftReceiptMoment of a queue never falls',

  // receipts
  ITEM_MISSING: 'for each number there is an item with a receipt of that number',
  ITEM_NUMBER: 'a receipt number is used by one item',
  RECEIPT_MISSING: 'each finished item that is no error has a row in the receipt journal',
  RECEIPT_DOUBLED: 'an item has one row in the receipt journal',
  RECEIPT_OF_ERROR: 'an erroneous or unfinished item has no row in the receipt journal',
  RECEIPT_WITHOUT_ITEM: 'a row of the receipt journal belongs to an item of its queue',
  RECEIPT_NUMBER: 'the number in the receipt journal is the one on the receipt',
  RECEIPT_MOMENT: 'the moment in the receipt journal is the one on the receipt',
  RECEIPT_TOTAL: 'the total in the receipt journal is that of the request',
  RECEIPT_HASH: 'the hash of a receipt is computed over its row, its item and the hash before',
  MARKET_WITHOUT_ITEM: 'a row of the market journal belongs to an item of its queue',

  // the head of the queue
  HEAD_ROWS: 'a queue has counted its accepted and its finished items',
  HEAD_NUMBER: 'a queue has counted its receipts',
  HEAD_TOTAL: 'the totalizer of a queue is the sum of its receipts',
  HEAD_HASH: 'a queue knows the hash of its last receipt',
  HEAD_TIME: 'no row of a queue is newer than the queue',

  // everything
  REFERENCE_LOST: 'every reference leads to a row of the same account',
  MORE: 'at most so many findings are listed',
} as const

export type RuleCode = keyof typeof rules

/** Something that does not hold. */
export interface Violation extends Finding {
  /** The queue, or '' for what belongs to none. */
  queueId: string
}

/** Takes violations; the text says what was expected and what was found. */
export interface Report {
  add(code: string, receipt: string, text: string): void
}

/** `expected 3, found 4` */
export function differs(expected: unknown, found: unknown): string {
  return `expected ${String(expected)}, found ${String(found)}`
}
