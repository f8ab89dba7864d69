// A page of a list reads its own rows and no others, however long the list is and however far
// behind the page begins. PostgreSQL itself counts the rows.
import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Ask,
  asking,
  listStockBoxes,
  listStockQueues,
  listStockUnits,
} from '../../src/store/rollout/inventory.js'
import { listVisible } from '../../src/store/rollout/templates.js'
import { sumEntitlements } from '../../src/store/sales/entitlements.js'
import { listPlans } from '../../src/store/sales/plans.js'
import { type DealerStand, openDealer } from '../support/dealer.js'
import { type Box, rollOut } from '../support/dealer-stock.js'

const MANY = 4_000
const MOST = 10

let stand: DealerStand
let box: Box
beforeAll(async () => {
  stand = await openDealer()
  box = await rollOut(stand, await stand.operator(), 'AT')
  for (const table of ['queue', 'scu', 'cash_box']) await copies(table, box.accountId)
  await stand.rows(
    `insert into template select $1::uuid, gen_random_uuid(), 'AT', '4154-028000', 'T' ||
       lpad(n::text, 6, '0'), '', '', '', 0, false, 0, '{}', now(), now()
     from generate_series(1, $2::int) n`,
    [stand.dealer.accountId, MANY],
  )
  await stand.rows(
    `insert into entitlement_lot select $1::uuid, gen_random_uuid(), 'E' || lpad(n::text, 6, '0'),
       'AT', 5, 5, now() - interval '1 day', null, now() from generate_series(1, $2::int) n`,
    [stand.dealer.accountId, MANY],
  )
  await stand.rows(
    `insert into rollout_plan select gen_random_uuid(), 'P' || lpad(n::text, 6, '0'), 'AT', 'Plan',
       '', '{}', false, false, '', null, 'None', 'Outlet', false, '{}', '[]', now()
     from generate_series(1, $1::int) n`,
    [MANY],
  )
  await stand.rows('analyze')
}, 60_000)
afterAll(() => stand.close())

/** Members of a copy that are its own. */
const OWN: Readonly<Record<string, string>> = {
  queue: `, 'identification', 'K' || n`,
  scu: `, 'secrets_sealed', null`,
}

/** The one row of the table for this account, many times and at different moments. */
async function copies(table: string, accountId: string): Promise<void> {
  const own = OWN[table] ?? ''
  await stand.rows(
    `insert into "${table}" select (jsonb_populate_record(t, jsonb_build_object(
       'id', gen_random_uuid(), 'created_at', t.created_at + n * interval '1 us'${own}))).*
     from "${table}" t, generate_series(1, $2::int) n where t.account_id = $1`,
    [accountId, MANY],
  )
}

interface Node {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Node[]
}

/** Rows of the table that were touched, shown or thrown away. */
function readOf(node: Node, table: string): number {
  const below = (node.Plans ?? []).reduce((sum, one) => sum + readOf(one, table), 0)
  if (node['Relation Name'] !== table) return below
  const each = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)
  return below + each * node['Actual Loops']
}

let counted = 0

async function explained(text: string, values: readonly unknown[], table: string): Promise<void> {
  const sql = `explain (analyze, format json) ${text}`
  const { rows } = await stand.deps.store.pool.query(sql, [...values])
  const [{ Plan }] = (rows[0] as { 'QUERY PLAN': [{ Plan: Node }] })['QUERY PLAN']
  counted = readOf(Plan, table)
}

/** Counts what a statement reads, and answers it. */
const counting =
  (table: string): Ask =>
  async <T>(text: string, values: readonly unknown[]) => {
    await explained(text, values, table)
    return asking(stand.deps.store)<T>(text, values)
  }

const countingPool = (table: string) => ({
  pool: {
    query: async ({ text, values }: { text: string; values: unknown[] }) => {
      await explained(text, values, table)
      return stand.deps.store.pool.query(text, values)
    },
  } as unknown as Pool,
})

type Page = { after?: readonly string[] | undefined; most: number }
type Keyed = readonly (readonly string[])[]

const LISTS: Record<string, { table: string; keys: (page: Page) => Promise<Keyed> }> = {
  queues: {
    table: 'queue',
    keys: async (page) =>
      (await listStockQueues(counting('queue'), { accountId: box.accountId, page })).map(
        ({ at, id }) => [at, id],
      ),
  },
  scus: {
    table: 'scu',
    keys: async (page) => {
      const filter = { accountId: box.accountId, page }
      const units = await listStockUnits(counting('scu'), stand.deps.store, filter)
      return units.map(({ at, head }) => [at, head.id])
    },
  },
  cashboxes: {
    table: 'cash_box',
    keys: async (page) =>
      (await listStockBoxes(counting('cash_box'), { accountId: box.accountId, page })).map(
        ({ at, cashBoxId }) => [at, cashBoxId],
      ),
  },
  templates: {
    table: 'template',
    keys: async (page) => {
      const viewer = { accountId: stand.dealer.accountId, market: 'AT', ...page }
      const found = await listVisible(countingPool('template'), viewer)
      return found.map(({ name, id }) => [name, id])
    },
  },
  entitlements: {
    table: 'entitlement_lot',
    keys: async ({ after, most }) => {
      const asked = { accountId: stand.dealer.accountId, market: 'AT', now: new Date() }
      const wanted = { ...asked, after: after?.[0], most }
      const sums = await sumEntitlements(countingPool('entitlement_lot'), wanted)
      return sums.map(({ name }) => [name])
    },
  },
  plans: {
    table: 'rollout_plan',
    keys: async (page) =>
      (await listPlans(countingPool('rollout_plan'), 'AT', page)).map(({ number }) => [number]),
  },
}

describe.each(Object.keys(LISTS))('a page of %s', (name) => {
  it('reads no more rows than it has, at the beginning and at the end', async () => {
    const list = LISTS[name]
    if (list === undefined) throw new Error(name)
    const all = await list.keys({ most: MANY * 2 })
    expect(all.length).toBeGreaterThanOrEqual(MANY)
    const first = await list.keys({ most: MOST })
    expect(first).toEqual(all.slice(0, MOST))
    expect(counted).toBeLessThanOrEqual(MOST + 2)
    const late = await list.keys({ after: all.at(-MOST - 1), most: MOST })
    expect(late).toEqual(all.slice(-MOST))
    expect(counted).toBeLessThanOrEqual(MOST + 2)
    expect(counted).toBeGreaterThan(0)
  })
})
