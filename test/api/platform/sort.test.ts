// Lists that go both ways: each the other one turned round, in pages of any size, by an index.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { platformOperations } from '../../../src/api/platform/operations.js'
import { SORTS } from '../../../src/api/platform/place.js'
import { insertAuditOn } from '../../../src/store/account/audit.js'
import { accountHeaders, openPlatform, type PlatformShop } from '../../support/platform.js'

const COUNT = 7
let shop: PlatformShop

const sql = (text: string, ...values: unknown[]) => shop.deps.store.pool.query(text, values)

beforeAll(async () => {
  shop = await openPlatform()
  const { operatorId, box, deps } = shop
  for (let at = 0; at < COUNT; at += 1) {
    // two of each moment: the id decides
    const hours = Math.floor(at / 2)
    await sql(
      `insert into outage (account_id, id, queue_id, cause, began_at, ended_at) values ($1, $2, $3,
         'device', now() - $4 * interval '1 hour', now())`,
      ...[operatorId, randomUUID(), box.queueId, hours + 1],
    )
    await sql(
      `insert into submission (account_id, id, market, kind, subject, occasion, moment, due,
         state, is_ready, created_at, changed_at)
       values ($1, $2, 'AT', 'register_end', 'queue/1', $3, now(),
         date_trunc('day', now()) + $4 * interval '1 day', 'ready', true, now(), now())`,
      ...[operatorId, randomUUID(), String(at), hours],
    )
    await sql(
      `insert into job (account_id, id, asked_by, kind, state, args, created_at)
       values ($1, $2, $1, 'inspection', 'canceled', '{}', now() - $3 * interval '1 hour')`,
      ...[shop.dealer.accountId, randomUUID(), hours],
    )
    // moments of microseconds: a page ends between two that a Date would make one
    await sql(
      `insert into problem (account_id, id, kind, severity, subject_kind, subject_id, since, due,
         details, found_at) values ($1, $2, 'outage', 1 + $4::int % 3, 'queue', $3,
         date_trunc('hour', now()) + $4::int * interval '1 microsecond',
         case when $4::int < 3 then null else now() + $4::int * interval '1 microsecond' end,
         '{}', now())`,
      ...[operatorId, randomUUID(), randomUUID(), at],
    )
    await insertAuditOn(deps.store.pool, {
      ...{ accountId: shop.dealer.accountId, onBehalfOf: null, concerns: null, personId: null },
      ...{ id: `01a20000-000${at}-7${randomUUID().slice(15)}`, apiKeyId: null, operation: 'x' },
      ...{ subjects: '{}', before: null, after: null, moment: new Date(), traceId: 't' },
    })
  }
})
afterAll(() => shop.close())

interface Page {
  items: { id: string }[]
  next: string | null
}

const pathOf = (id: string): string =>
  platformOperations.find((one) => one.id === id)?.path.slice(1) ?? ''

async function list(path: string): Promise<Page> {
  const headers = accountHeaders(shop.dealer)
  const answer = await fetch(`${shop.url}/platform/v1/${path}`, { headers })
  expect(answer.status, await answer.clone().text()).toBe(200)
  return (await answer.json()) as Page
}

async function pages(path: string, sort: string, limit: number): Promise<string[]> {
  const found: string[] = []
  for (let after: string | null = ''; after !== null; ) {
    const from = after === '' ? '' : `&after=${after}`
    const page: Page = await list(`${path}?sort=${sort}&limit=${limit}${from}`)
    found.push(...page.items.map(({ id }) => id))
    after = page.next
  }
  return found
}

/** Each with its ways of sorting, two and two. */
const WAYS = Object.entries(SORTS).flatMap(([id, sorts]) =>
  sorts.flatMap((sort, at) => (at % 2 === 0 ? [[id, sort, sorts[at + 1] ?? ''] as const] : [])),
)

describe.each(WAYS)('%s by %s', (id, usual, other) => {
  it('goes both ways, in pages of any size', async () => {
    const path = pathOf(id)
    const first = (await list(`${path}?sort=${usual}`)).items.map((one) => one.id)
    expect(first.length).toBeGreaterThanOrEqual(COUNT)
    const isUsual = Object.entries(SORTS).some(([name, sorts]) => name === id && sorts[0] === usual)
    if (isUsual) expect((await list(path)).items.map((one) => one.id)).toEqual(first)
    expect(await pages(path, usual, 200)).toEqual(first)
    expect(await pages(path, usual, 3)).toEqual(first)
    expect(await pages(path, other, 200)).toEqual(first.toReversed())
    expect(await pages(path, other, 3)).toEqual(first.toReversed())
  })

  it('by nothing else', async () => {
    const headers = accountHeaders(shop.dealer)
    const answer = await fetch(`${shop.url}/platform/v1/${pathOf(id)}?sort=id`, { headers })
    expect(answer.status).toBe(400)
  })
})

/** What each of them goes along. */
const INDEXES: Readonly<Record<keyof typeof SORTS, string>> = {
  listProblems:
    'problem (account_id, (((cleared_at IS NULL))::integer), ((- severity)), since, id)',
  listOutages: 'outage (account_id, began_at, id)',
  listAudit: 'audit_entry (account_id, id)',
  listJobs: 'job (account_id, created_at, id)',
  listSubmissions: 'submission (account_id, due, id)',
}

it('each key has its index', async () => {
  const { rows } = await sql(`select indexdef from pg_indexes where schemaname = 'public'`)
  const known = rows.map(({ indexdef }) =>
    String(indexdef).replace(/.* ON (?:public\.)?(\w+) USING btree (\(.*\)).*/, '$1 $2'),
  )
  for (const index of Object.values(INDEXES)) expect(known).toContain(index)
})
