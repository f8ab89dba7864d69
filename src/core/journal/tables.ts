// The journals that come as rows: members, their order, and where the rows come from.
// Member names are those of the Middleware interface (middleware wire, row members).
import { isoText } from '../../lib/ticks.js'
import type { Market } from '../../market/contract.js'
import type { ExportSource } from '../../model/export-source.js'
import type { StoredMarketRow } from '../../model/journal.js'
import {
  ITEM_MEMBERS,
  type Members,
  type MemberValue,
  RECEIPT_MEMBERS,
} from '../../model/journal-members.js'
import type { Store } from '../../store/client.js'
import type { StoredActionRow } from '../../store/journal/journal.js'
import { actionRows, marketRows, receiptRows } from '../../store/journal/journal.js'
import { queueItems } from '../../store/journal/journal-items.js'
import type { JournalQuery } from '../../store/journal/journal-pages.js'
import { amountOf, base64Of, type Row } from './cell.js'

/** A journal as pages of rows. */
export interface RowTable {
  /** Element of a row in XML. */
  element: string
  /** Names of the members where they are known before the first row. */
  columns: readonly string[] | undefined
  pages(): AsyncIterable<Row[]>
}

const ACTION: Members<StoredActionRow> = [
  ['ftActionJournalId', (row) => row.id],
  ['ftQueueId', (_, queueId) => queueId],
  ['ftQueueItemId', (row) => row.queueItemId],
  ['Moment', (row) => row.moment],
  ['Priority', (row) => row.priority],
  ['Type', (row) => row.type],
  ['Message', (row) => row.message],
  ['DataBase64', (row) => row.dataBase64],
  ['DataJson', (row) => row.dataJson],
  ['TimeStamp', (row) => row.timeStamp],
]

interface Source<R> {
  element: string
  members: Members<R>
  read(store: Store, query: JournalQuery): AsyncIterable<R[]>
}

function tableOf<R>({ element, members, read }: Source<R>) {
  return (store: Store, query: JournalQuery): RowTable => ({
    element,
    columns: members.map(([name]) => name),
    pages: async function* () {
      for await (const page of read(store, query)) {
        yield page.map((row) => rowOf(row, members, query.key.queueId))
      }
    },
  })
}

function rowOf<R>(row: R, members: Members<R>, queueId: string): Row {
  const result: Row = {}
  for (const [name, value, kind] of members) {
    const found = value(row, queueId)
    result[name] = kind === 'amount' ? amountOf(String(found)) : shown(found)
  }
  return result
}

function shown(value: MemberValue): unknown {
  if (value instanceof Date) return isoText(value)
  return value instanceof Buffer ? base64Of(value) : value
}

/** `source`: for countries whose rows show more than they hold. */
export type TableOf = (store: Store, query: JournalQuery, source: () => ExportSource) => RowTable

/** The journals that every market has, by their type. */
export const GENERIC_TABLES: ReadonlyMap<bigint, TableOf> = new Map([
  [0x01n, tableOf({ element: 'ftActionJournal', members: ACTION, read: actionRows })],
  [0x02n, tableOf({ element: 'ftReceiptJournal', members: RECEIPT_MEMBERS, read: receiptRows })],
  [0x03n, tableOf({ element: 'ftQueueItem', members: ITEM_MEMBERS, read: queueItems })],
])

/** The queue's own country journal as raw rows, in the members that the country gives them. */
export function countryTable(market: Market): TableOf {
  return (store, query, source) => ({
    element: `ftJournal${market.facts.code}`,
    columns: undefined,
    pages: async function* () {
      const all = source()
      for await (const page of marketRows(store, query)) {
        yield* shownRows(page, (row) => market.describe.row(row, all))
      }
    },
  })
}

type Described = ReturnType<Market['describe']['row']>

/** What is at hand as one page; one by one what has to be waited for, which may be large. */
async function* shownRows(
  page: readonly StoredMarketRow[],
  describe: (row: StoredMarketRow) => Described,
): AsyncGenerator<Row[], void, undefined> {
  const small: Row[] = []
  for (const row of page) {
    const described = describe(row)
    const isWaited = described instanceof Promise
    const shown = isWaited ? await described : described
    if (shown === undefined) continue
    if (isWaited) yield [shown]
    else small.push(shown)
  }
  if (small.length > 0) yield small
}

/** The raw journal of a country that this queue does not belong to: no rows. */
export function foreignTable(code: string): TableOf {
  return () => ({
    element: `ftJournal${code}`,
    columns: undefined,
    pages: async function* () {},
  })
}
