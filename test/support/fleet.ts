// Merchants of one dealer with everything that lists over all merchants ask for, and how many rows
// of each table PostgreSQL reads for a page of one.
import pg from 'pg'
import { expect } from 'vitest'
import { fleetStock } from '../../bench/stand/fleet-stock.js'
import { createAccount } from '../../src/core/accounts/accounts.js'
import type { Store } from '../../src/store/client.js'
import { forgetSpare } from '../../src/store/event/fleet/spare.js'
import { createTestDatabase, type TestDatabase } from './db.js'
import { newAccount } from './dealer.js'
import { openStand, type Stand } from './stand.js'

const MERCHANTS = 100
const TILLS = 50
/** Of a page. */
export const LIMIT = 20
/** Of each table: a merchant takes a few looks, or all of his rows where most of them fit. */
const MOST_ROWS = 1_500
const TABLES = [
  ...['queue', 'cash_box', 'scu', 'unit_fact', 'queue_scu', 'cash_box_scu', 'problem'],
  'queue_watch',
]

/** Of one of a hundred: what few have. */
const RARE = [
  // a merchant of his own for each
  ...['queue set start_moment = null, stop_moment = null', 'queue set stop_moment = now()'].map(
    (change, at) => `update ${change} where account_id = (
       select id from account where kind = 'PosOperator' order by id offset ${3 + at} limit 1)
     and right(id::text, 1) < '4'`,
  ),
  `update cash_box set outlet_number = 7 where account_id = (select id from account
     where kind = 'PosOperator' order by id offset 5 limit 1) and right(id::text, 1) < '4'`,
  `insert into outlet (account_id, id, number, name, details, created_at)
     select id, gen_random_uuid(), 7, 'Seventh', '{}', now() from account
     where kind = 'PosOperator' order by id offset 6 limit 1`,
  `update cash_box c set outlet_id = o.id from outlet o where o.number = 7
     and o.account_id = c.account_id and right(c.id::text, 1) < '4'`,
  `update scu s set outlet_id = o.id from outlet o where o.number = 7
     and o.account_id = s.account_id and right(s.id::text, 1) > 'c'`,
  `update unit_fact set module_state = 2 where account_id = (select id from account
     where kind = 'PosOperator' order by id offset 7 limit 1) and right(scu_id::text, 1) < '4'`,
  `delete from queue_scu where account_id = (select id from account
     where kind = 'PosOperator' order by id offset 8 limit 1) and right(scu_id::text, 1) < '4'`,
  `update queue set cash_box_id = null where account_id = (select id from account
     where kind = 'PosOperator' order by id offset 9 limit 1) and right(id::text, 1) < '4'`,
  `update queue set identification = 'K-1' where id = (select id from queue limit 1)`,
  `insert into problem (account_id, id, kind, severity, subject_kind, subject_id, since, due,
     details, found_at, cleared_at)
   select account_id, gen_random_uuid(), 'report', 1 + (random() < 0.01)::int, 'queue', id,
     now() - random() * interval '30 days',
     case when random() < 0.5 then now() + random() * interval '30 days' end, '{}', now(),
     case when random() < 0.01 then now() end from queue`,
]

export type Row = { id: string; accountId: string }

export async function openFleet(): Promise<Fleet> {
  const database = await createTestDatabase()
  const stand = openStand(database.config)
  const dealer = await createAccount(
    { store: stand.store, now: () => new Date() },
    newAccount('PosDealer'),
  )
  const fleet = new Fleet(database, stand, dealer.accountId)
  await fleet.connected(async (client) => {
    const size = { merchants: MERCHANTS, tills: TILLS, dealerId: dealer.accountId }
    for (const text of [...fleetStock(size), ...RARE]) await client.query(text)
    await client.query('update unit_fact set described_at = now()')
  })
  await forgetSpare(stand.store)
  await fleet.sql('analyze')
  return fleet
}

interface Node {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Node[]
}

export class Fleet {
  readonly stand: Stand
  readonly accountId: string
  /** Rows of each table that were read since it was emptied. */
  readonly counted = new Map<string, number>()
  private readonly database: TestDatabase

  constructor(database: TestDatabase, stand: Stand, accountId: string) {
    this.database = database
    this.stand = stand
    this.accountId = accountId
  }

  sql(text: string, values: unknown[] = []) {
    return this.stand.store.pool.query(text, values)
  }

  async plain(text: string, values: unknown[] = []): Promise<string[]> {
    return (await this.sql(text, values)).rows.map(({ id }) => String(id))
  }

  /** On a connection of its own. */
  async connected<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client(this.database.config)
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  }

  /** Counts what each statement reads, and answers it. */
  get counting(): Store {
    const query = async (asked: string | pg.QueryConfig, given: unknown[] = []) => {
      const { text, values = [] } =
        typeof asked === 'string' ? { text: asked, values: given } : asked
      const { rows } = await this.sql(`explain (analyze, format json) ${text}`, values)
      this.note((rows[0] as { 'QUERY PLAN': [{ Plan: Node }] })['QUERY PLAN'][0].Plan)
      return this.sql(text, values)
    }
    return { pool: { query } } as unknown as Store
  }

  private note(node: Node): void {
    const name = node['Relation Name'] ?? ''
    const { 'Rows Removed by Filter': filtered = 0, 'Rows Removed by Index Recheck': other = 0 } =
      node
    const read = (node['Actual Rows'] + filtered + other) * node['Actual Loops']
    this.counted.set(name, (this.counted.get(name) ?? 0) + read)
    for (const below of node.Plans ?? []) this.note(below)
  }

  /** Ids of all pages, in their order. What the first and the last page read is looked at. */
  async pages<Asked extends object, One extends Row>(
    list: (store: Store, asked: Asked) => Promise<One[]>,
    asked: Omit<Asked, 'accountId' | 'limit' | 'after'>,
    placeOf: (row: One) => unknown = ({ accountId, id }) => ({ accountId, id }),
  ): Promise<string[]> {
    const ids: string[] = []
    for (let after: unknown; ; ) {
      const wish = { ...asked, accountId: this.accountId, limit: LIMIT, after }
      const rows = await list(this.stand.store, wish as unknown as Asked)
      if (ids.length === 0 || rows.length < LIMIT) {
        this.counted.clear()
        await list(this.counting, wish as unknown as Asked)
        for (const table of TABLES) {
          const read = this.counted.get(table) ?? 0
          expect([table, Math.max(read, MOST_ROWS)]).toEqual([table, MOST_ROWS])
        }
      }
      ids.push(...rows.map(({ id }) => id))
      const last = rows.at(-1)
      if (rows.length < LIMIT || last === undefined) return ids
      after = placeOf(last)
    }
  }

  async close(): Promise<void> {
    await this.stand.close()
    await this.database.drop()
  }
}
