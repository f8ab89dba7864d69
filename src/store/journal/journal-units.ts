// Signing units as exports see them, and the logs that they keep in the market journal, whichever
// queue wrote them.
import type { StoredMarketRow } from '../../model/journal.js'
import type { StoredUnit } from '../../model/scu.js'
import { reaching, type Store } from '../client.js'
import { boundedPage, type JournalKey, PAGE, pagesFrom, turned } from './journal-pages.js'
import { MARKET_COLUMNS, type MarketColumns, marketRowOf, marketRowsOf } from './market-rows.js'

/** The units of a queue in configured order, those that it no longer uses included. */
export async function unitsOf(store: Store, key: JournalKey): Promise<StoredUnit[]> {
  const found = await reaching(() =>
    store.pool.query<StoredUnit>({
      name: 'units-of-queue',
      text: `select s.id, s.package, s.configuration, s.state from queue_scu qs
        join scu s on s.account_id = qs.account_id and s.id = qs.scu_id
        where qs.account_id = $1 and qs.queue_id = $2 order by qs.position, s.id`,
      values: [key.accountId, key.queueId],
    }),
  )
  return found.rows
}

const LOG = `account_id = $1 and scu_id = $2 and kind = 'device-log'`
const LOG_PAGE = boundedPage({
  columns: MARKET_COLUMNS,
  bytes: '200 + octet_length(content)',
  from: 'market_journal',
  where: `${LOG} and number > $3 and number <= $4`,
  order: 'number',
  first: 5,
})
// a row holds the messages from its number on: the one that holds the first may begin before it
const LOG_START = `select max(number) as start from market_journal where ${LOG} and number <= $3`

/** The log of a unit in the order of its counter, in pages; both bounds are inclusive. */
export async function* logRows(
  store: Store,
  unit: { accountId: string; scuId: string },
  numbers: { from: number; to: number },
): AsyncGenerator<StoredMarketRow[], void, undefined> {
  const { accountId, scuId } = unit
  const found = await reaching(() =>
    store.pool.query<{ start: bigint | null }>({
      name: 'start-of-log',
      text: LOG_START,
      values: [accountId, scuId, numbers.from],
    }),
  )
  const start = found.rows[0]?.start ?? BigInt(numbers.from)
  yield* pagesFrom(start - 1n, async (after) => {
    const { rows } = await reaching(() =>
      store.pool.query<MarketColumns>({
        name: 'page-of-log',
        text: LOG_PAGE,
        values: [accountId, scuId, after, numbers.to, PAGE.rows, PAGE.bytes],
      }),
    )
    const next = rows.at(-1)?.number
    return { rows: turned(rows, marketRowOf), next }
  })
}

/** What every queue of a unit shares; there is an index of these. */
export type SharedKind = 'archive' | 'ended'

const SHARED_PAGE = boundedPage({
  columns: `${MARKET_COLUMNS}, queue_id`,
  bytes: '200 + octet_length(content)',
  from: 'market_journal',
  // the planner proves the index by the list only
  where: `account_id = $1 and scu_id = $2 and kind = $3 and kind in ('archive', 'ended')
    and (time_stamp, id) > ($4, $5) and time_stamp <= $6`,
  order: 'time_stamp, id',
  first: 7,
})
const NO_ID = '00000000-0000-0000-0000-000000000000'

export interface SharedRows {
  accountId: string
  scuId: string
  kind: SharedKind
  /** Ticks; rows behind `after` and up to `upTo`. */
  after: bigint
  upTo: bigint
}

export interface SharedRow extends StoredMarketRow {
  /** Whose receipt wrote it. */
  queueId: string
}

/** Rows of a unit in the order of their ticks, whichever queue of the account wrote them. */
export async function* sharedRows(
  store: Store,
  { accountId, scuId, kind, after, upTo }: SharedRows,
): AsyncGenerator<SharedRow[], void, undefined> {
  // ids are larger than this one: the first tick counts in whole
  let last = { timeStamp: after + 1n, id: NO_ID }
  for (;;) {
    const { timeStamp, id } = last
    const { rows } = await reaching(() =>
      store.pool.query<MarketColumns & { queue_id: string }>({
        name: 'page-of-unit-rows',
        text: SHARED_PAGE,
        values: [accountId, scuId, kind, timeStamp, id, upTo, PAGE.rows, PAGE.bytes],
      }),
    )
    const page = turned(rows, (row) => ({ ...marketRowOf(row), queueId: row.queue_id }))
    const end = page.at(-1)
    if (end === undefined) return
    last = { timeStamp: end.timeStamp, id: end.id }
    yield page
  }
}

/** Rows of kind `late` about items of these rows, both bounds inclusive. */
export async function lateRows(
  store: Store,
  key: JournalKey,
  rows: { from: number; to: number },
): Promise<StoredMarketRow[]> {
  const found = await reaching(() =>
    store.pool.query<MarketColumns>({
      name: 'late-rows',
      text: `select ${MARKET_COLUMNS} from market_journal
        where account_id = $1 and queue_id = $2 and number >= $3 and number <= $4
          and kind = 'late' order by number`,
      values: [key.accountId, key.queueId, rows.from, rows.to],
    }),
  )
  return found.rows.map(marketRowOf)
}

/** The first row of this kind behind these ticks. */
export async function marketRowAfter(
  store: Store,
  key: JournalKey,
  { kind, timeStamp }: { kind: string; timeStamp: bigint },
): Promise<StoredMarketRow | undefined> {
  const found = await reaching(() =>
    store.pool.query<MarketColumns>({
      name: 'market-row-after',
      text: `select ${MARKET_COLUMNS} from ${marketRowsOf({
        where: (less) => `j.time_stamp > $3::int8${less} and j.kind = $4`,
        ...{ order: 'asc', limit: '1' },
      })} order by time_stamp limit 1`,
      values: [key.accountId, key.queueId, timeStamp, kind],
    }),
  )
  return found.rows.map(marketRowOf)[0]
}
