// The receipt with which a queue began: the first row of its country's journal.
import type { Store } from '../client.js'
import { marketRowsOf } from '../journal/market-rows.js'

const FIRST = marketRowsOf({ where: () => 'true', order: 'asc', limit: '1' })

export interface StartReceipt {
  queueItemId: string
  moment: Date
  /** As it was answered. */
  response: string
}

/** Undefined: it was not started. */
export async function findStartReceipt(
  { pool }: Store,
  { accountId, queueId }: { accountId: string; queueId: string },
): Promise<StartReceipt | undefined> {
  const { rows } = await pool.query<StartReceipt>({
    name: 'start-receipt',
    text: `select i.id as "queueItemId", i.work_moment as moment, i.response
      from (select queue_item_id from ${FIRST} order by time_stamp limit 1) m
      join queue_item i on i.account_id = $1 and i.id = m.queue_item_id
      where i.response is not null`,
    values: [accountId, queueId],
  })
  return rows[0]
}
