// The facts of one queue and its surroundings that exports show, without opening any secret: an
// export must be possible where the key to the secrets is lost.
import { reaching, type Store } from '../client.js'
import type { JournalKey } from './journal-pages.js'

/** A queue as exports see it. */
export interface StoredQueue {
  accountId: string
  id: string
  cashBoxId: string
  market: string
  identification: string
  /** JSON text. */
  configuration: string
  /** The market's state, JSON text without secrets. */
  state: string
  timeoutMs: number
  startMoment: Date | null
  stopMoment: Date | null
  currentRow: number
  queuedRow: number
  receiptNumerator: number
  /** Plain decimal text; the database may hold more digits than a Decimal does. */
  receiptTotalizer: string
  receiptHash: Buffer | null
  /** ftReceiptMoment of the newest receipt. */
  lastMoment: Date | null
  timeStamp: bigint
}

interface QueueColumns {
  id: string
  cash_box_id: string
  market: string
  identification: string
  configuration: string
  state: string
  timeout_ms: number
  start_moment: Date | null
  stop_moment: Date | null
  current_row: bigint
  queued_row: bigint
  receipt_numerator: bigint
  receipt_totalizer: string
  receipt_hash: Buffer | null
  last_moment: Date | null
  time_stamp: bigint
}

// of a queue that is in none, the cash box that held it last
const QUEUE = `select id, coalesce(cash_box_id, (select m.cash_box_id from queue_membership m
      where m.account_id = queue.account_id and m.queue_id = queue.id
      order by m.until desc nulls first, m.since desc limit 1)) as cash_box_id,
    market, identification, configuration, state, timeout_ms,
    start_moment, stop_moment, current_row, queued_row, receipt_numerator,
    receipt_totalizer, receipt_hash, last_moment, time_stamp
  from queue where account_id = $1 and id = $2`

export async function findQueue(store: Store, key: JournalKey): Promise<StoredQueue | undefined> {
  const found = await reaching(() =>
    store.pool.query<QueueColumns>({
      name: 'journal-queue',
      text: QUEUE,
      values: [key.accountId, key.queueId],
    }),
  )
  return found.rows.map((row) => ({
    accountId: key.accountId,
    id: row.id,
    cashBoxId: row.cash_box_id,
    market: row.market,
    identification: row.identification,
    configuration: row.configuration,
    state: row.state,
    timeoutMs: row.timeout_ms,
    startMoment: row.start_moment,
    stopMoment: row.stop_moment,
    currentRow: Number(row.current_row),
    queuedRow: Number(row.queued_row),
    receiptNumerator: Number(row.receipt_numerator),
    receiptTotalizer: row.receipt_totalizer,
    receiptHash: row.receipt_hash,
    lastMoment: row.last_moment,
    timeStamp: row.time_stamp,
  }))[0]
}

/** Ticks of the last change of a queue's cash box, and of each of its signing units by id. */
export interface TimeStamps {
  cashBox: bigint
  scus: ReadonlyMap<string, bigint>
}

export async function findTimeStamps(store: Store, queue: StoredQueue): Promise<TimeStamps> {
  const found = await reaching(() =>
    store.pool.query<{ kind: string; id: string; time_stamp: bigint }>({
      name: 'journal-time-stamps',
      text: `select 'cashbox' as kind, id, time_stamp from cash_box
          where account_id = $1 and id = $2
        union all select 'scu', s.id, s.time_stamp from scu s
          join queue_scu qs on qs.account_id = s.account_id and qs.scu_id = s.id
          where qs.account_id = $1 and qs.queue_id = $3`,
      values: [queue.accountId, queue.cashBoxId, queue.id],
    }),
  )
  const scus = found.rows.filter(({ kind }) => kind === 'scu')
  return {
    cashBox: found.rows.find(({ kind }) => kind === 'cashbox')?.time_stamp ?? 0n,
    scus: new Map(scus.map((scu) => [scu.id, scu.time_stamp])),
  }
}
