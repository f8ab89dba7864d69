// Rows of one chain of a queue, and rows that are counted: the parts of the market journal that
// have indexes of their own.
import type { StoredMarketRow } from '../../model/journal.js'
import { reaching, type Store } from '../client.js'
import {
  boundedPage,
  type JournalKey,
  type JournalQuery,
  PAGE,
  pagesFrom,
  turned,
  windowOf,
} from './journal-pages.js'
import { MARKET_COLUMNS, type MarketColumns, marketRowOf } from './market-rows.js'

const CHAIN_PAGE = boundedPage({
  columns: MARKET_COLUMNS,
  bytes: '200 + octet_length(content)',
  from: 'market_journal',
  // the planner proves the index by the length only
  where: `account_id = $1 and queue_id = $2 and kind = $5 and length(kind) = 1
    and time_stamp > $3 and time_stamp <= $4`,
  order: 'time_stamp',
  first: 6,
})

/**
 * Documents of one chain, `kind` its letter, in the order of their ticks; a negative end of the
 * range counts documents of this chain.
 */
export async function* chainRows(
  store: Store,
  query: JournalQuery,
  kind: string,
): AsyncGenerator<StoredMarketRow[], void, undefined> {
  const window = await windowOf(store, 'market_journal', { ...query, chain: kind })
  if (window === undefined) return
  const { accountId, queueId } = query.key
  yield* pagesFrom(window.from - 1n, async (after) => {
    const { rows } = await reaching(() =>
      store.pool.query<MarketColumns>({
        name: 'page-of-chain',
        text: CHAIN_PAGE,
        values: [accountId, queueId, after, window.upTo, kind, PAGE.rows, PAGE.bytes],
      }),
    )
    const last = rows.at(-1)?.time_stamp ?? window.upTo
    const next = last < window.upTo ? last : undefined
    return { rows: turned(rows, marketRowOf), next }
  })
}

/** How many rows of kind `counted` the queue has with this number, and what the newest one says. */
export async function countRows(
  store: Store,
  key: JournalKey,
  number: number,
): Promise<{ counted: number; newest: string | undefined }> {
  const found = await reaching(() =>
    store.pool.query<{ count: bigint; newest: string | null }>({
      name: 'counted-rows',
      text: `select count(*) as count, (array_agg(content order by time_stamp desc))[1] as newest
        from market_journal
        where account_id = $1 and queue_id = $2 and number = $3 and kind = 'counted'`,
      values: [key.accountId, key.queueId, number],
    }),
  )
  const [row] = found.rows
  return { counted: Number(row?.count ?? 0n), newest: row?.newest ?? undefined }
}
