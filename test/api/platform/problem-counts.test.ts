// Counts of problems are those of the list and of the table, whatever is asked for.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PROBLEM_KINDS } from '../../../src/model/problem.js'
import { accountHeaders, openPlatform, type PlatformShop } from '../../support/platform.js'

const ROWS = 400
const KINDS = PROBLEM_KINDS.slice(0, 5)

let shop: PlatformShop
beforeAll(async () => {
  shop = await openPlatform()
  const { pool } = shop.deps.store
  // the dealer's own, the merchant's, and those of somebody else
  const accounts = [shop.operatorId, shop.dealer.accountId, randomUUID()]
  const { rowCount } = await pool.query(
    `insert into problem (account_id, id, kind, severity, subject_kind, subject_id, since, details,
       found_at, cleared_at, snoozed_until, cash_box_id)
     select ($1::uuid[])[1 + g % 3], gen_random_uuid(), ($2::text[])[1 + g % 5], 1 + g / 5 % 3, 'x',
       gen_random_uuid(), now(), '{}', now(), case when g % 7 = 0 then now() end,
       case when g % 4 = 0 then now() + interval '1 hour'
         when g % 4 = 1 then now() - interval '1 hour' end,
       case when g % 2 = 0 then $3::uuid end
     from generate_series(1, $4) g`,
    [accounts, KINDS, shop.box.cashBoxId, ROWS],
  )
  expect(rowCount).toBe(ROWS)
})
afterAll(() => shop.close())

async function call(path: string, query: Record<string, string>): Promise<string> {
  const address = `${shop.url}/platform/v1/${path}?${new URLSearchParams(query)}`
  const answer = await fetch(address, { headers: accountHeaders(shop.dealer) })
  expect([address, answer.status]).toEqual([address, 200])
  return answer.text()
}

interface Told {
  kind: string
  severity: number
}

async function listed(query: Record<string, string>): Promise<Told[]> {
  const found: Told[] = []
  for (let after: string | null = ''; after !== null; ) {
    const page = { ...query, limit: '90', ...(after === '' ? {} : { after }) }
    const { items, next } = JSON.parse(await call('problems', page)) as {
      items: Told[]
      next: string | null
    }
    found.push(...items)
    after = next
  }
  return found
}

const nameOf = ({ kind, severity }: Told) => `${kind} ${severity}`

const asked = fc.record(
  {
    kind: fc.constantFrom(...KINDS),
    severity: fc.constantFrom('1', '2', '3'),
    operatorId: fc.constantFrom('merchant', 'dealer', 'nobody'),
    cashBoxId: fc.constant('box'),
    cleared: fc.constantFrom('true', 'false'),
    snoozed: fc.constantFrom('true', 'false'),
  },
  { requiredKeys: [] },
)

it('are as many as the list and the table have, by kind and severity', async () => {
  const ids: Record<string, string> = {
    ...{ merchant: shop.operatorId, dealer: shop.dealer.accountId, nobody: randomUUID() },
    box: shop.box.cashBoxId,
  }
  let most = 0
  await fc.assert(
    fc.asyncProperty(asked, async (wish) => {
      const query = Object.fromEntries(
        Object.entries(wish).map(([name, value]) => [name, ids[value] ?? value]),
      )
      const list = await listed(query)
      const counts = JSON.parse(await call('problem-counts', query)) as (Told & { count: number })[]
      const due = new Map<string, number>()
      for (const one of list) due.set(nameOf(one), (due.get(nameOf(one)) ?? 0) + 1)
      expect(new Map(counts.map((one) => [nameOf(one), one.count]))).toEqual(due)
      const table = (await call('problems.csv', query)).trim().split('\r\n')
      expect(table).toHaveLength(list.length + 1)
      most = Math.max(most, list.length)
    }),
    { numRuns: 40, examples: [[{}], [{ snoozed: 'true' }], [{ cleared: 'true' }]] },
  )
  expect(most).toBeGreaterThan(ROWS / 3)
})
