// Looks up finished receipts of a queue by their reference.
import type { EarlierReceipt } from '../../model/journal.js'
import type { Store } from '../client.js'
import { withTexts } from '../receipt/receipt-texts.js'

/** A finished receipt as it is looked up by its reference. */
export type StoredAnswer = EarlierReceipt

export interface AnswerQuery {
  accountId: string
  queueId: string
  receiptReference: string | null
  /** Blank or null: any terminal. */
  terminalId: string | null
  /** Only older ones than this tick; null: from the newest on. */
  before: bigint | null
  limit: number
}

/** Finished items with this reference, the newest first; served by the index over the reference. */
export async function findAnswers(store: Store, query: AnswerQuery): Promise<StoredAnswer[]> {
  const anyTerminal = query.terminalId === null || query.terminalId.trim() === ''
  const found = await store.pool.query<Omit<StoredAnswer, 'row'> & { row: bigint }>({
    name: 'find-answers',
    text: `select id, row, version, request, response, time_stamp as "timeStamp" from queue_item
      where account_id = $1 and queue_id = $2 and receipt_reference = $3
        and time_stamp < coalesce($7, 9223372036854775807)
        and ($4 or terminal_id = $5) and done_moment is not null and response is not null
      order by time_stamp desc limit $6`,
    values: [
      query.accountId,
      query.queueId,
      query.receiptReference ?? '',
      anyTerminal,
      query.terminalId,
      query.limit,
      query.before,
    ],
  })
  return found.rows.map((row) => ({ ...withTexts(row), row: Number(row.row) }))
}

export interface MentionQuery {
  accountId: string
  queueId: string
  /** JSON text of what the request must contain. */
  text: string
  /** Only later ones than this tick. */
  after: bigint
}

const MOST_MENTIONS = 50

/** Finished items after a tick whose request contains a text, the oldest first. */
export async function findMentions(store: Store, query: MentionQuery): Promise<StoredAnswer[]> {
  const found = await store.pool.query<Omit<StoredAnswer, 'row'> & { row: bigint }>({
    name: 'find-mentions',
    text: `select id, row, version, request, response, time_stamp as "timeStamp" from queue_item
      where account_id = $1 and queue_id = $2 and time_stamp > $3
        and position($4 in request) > 0 and done_moment is not null and response is not null
      order by time_stamp limit $5`,
    values: [query.accountId, query.queueId, query.after, query.text, MOST_MENTIONS],
  })
  return found.rows.map((row) => ({ ...withTexts(row), row: Number(row.row) }))
}
