// Who has changed what: every line once, newest first, and nothing of others.
import { randomUUID } from 'node:crypto'
import papaparse from 'papaparse'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAccount, resetToken } from '../../../src/core/accounts/accounts.js'
import { insertAuditOn } from '../../../src/store/account/audit.js'
import { newAccount } from '../../support/dealer.js'
import { accountHeaders, openPlatform, type PlatformShop } from '../../support/platform.js'

interface Line {
  id: string
  at: string
  operation: string
  accountId: string
  accountName: string
  personName: string | null
  apiKeyId: string | null
  onBehalfOf: string | null
  subjects: Record<string, unknown>
  before: unknown
  after: unknown
}

let shop: PlatformShop
/** Whoever does something for the merchant, and his own lines. */
let operator: { accountId: string; accessToken: string }
const START = Date.UTC(2026, 0, 1)
const COUNT = 1_234

beforeAll(async () => {
  shop = await openPlatform({ RATE_LIMITS: 'dealer=100000' })
  operator = await resetToken({ store: shop.deps.store, now: () => new Date() }, shop.operatorId)
  for (let at = 0; at < COUNT; at += 1) await write(at)
})
afterAll(() => shop.close())

/** Every third one is of the merchant himself; of the others every second one is for him. */
async function write(at: number) {
  const moment = new Date(START + at * 60_000)
  const own = at % 3 === 0
  const time = moment.getTime().toString(16).padStart(12, '0')
  await insertAuditOn(shop.deps.store.pool, {
    ...{ accountId: own ? operator.accountId : shop.dealer.accountId },
    onBehalfOf: !own && at % 2 === 0 ? operator.accountId : null,
    ...{ concerns: null, personId: randomUUID(), apiKeyId: randomUUID() },
    id: `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`,
    ...{ operation: at % 5 === 0 ? 'fifth' : 'other', subjects: JSON.stringify({ at }) },
    ...{ before: null, after: JSON.stringify({ text: '=1+1', more: at }), moment },
    traceId: 'trace',
  })
}

const mine = (at: number) => at % 3 === 0 || at % 2 === 0
const all = Array.from({ length: COUNT }, (_, at) => at)

async function ask(path: string, as = operator) {
  const answer = await fetch(`${shop.url}/platform/v1${path}`, { headers: accountHeaders(as) })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

async function whole(query: string, as = operator): Promise<Line[]> {
  const found: Line[] = []
  for (let after = ''; ; ) {
    const { status, text } = await ask(`/audit?${query}${after && `&after=${after}`}`, as)
    expect(status, text).toBe(200)
    const page = JSON.parse(text) as { items: Line[]; next: string | null }
    found.push(...page.items)
    if (page.next === null) return found
    after = page.next
  }
}

const numbers = (lines: readonly Line[]) =>
  lines.map(({ subjects }) => subjects.at).filter((at) => at !== undefined)

it('shows what is his, done for him or about him, newest first and each once', async () => {
  const wanted = all.filter(mine).reverse()
  for (const limit of [7, 200]) {
    const lines = await whole(`limit=${limit}&from=2026-01-01&to=2026-01-08`)
    expect(numbers(lines)).toEqual(wanted)
  }
})

it('by operation and period', async () => {
  const from = new Date(START + 100 * 60_000).toISOString()
  const to = new Date(START + 400 * 60_000).toISOString()
  const lines = await whole(`operation=fifth&from=${from}&to=${to}&limit=10`)
  const wanted = all.filter((at) => mine(at) && at % 5 === 0 && at >= 100 && at < 400)
  expect(numbers(lines)).toEqual(wanted.reverse())
})

it('names people and keys of the own account alone', async () => {
  const lines = await whole('from=2026-01-01&to=2026-01-08&limit=200')
  const others = lines.filter(({ accountId }) => accountId !== operator.accountId)
  expect(others.length).toBeGreaterThan(300)
  for (const line of others) expect(line).toMatchObject({ personId: null, apiKeyId: null })
  expect(new Set(others.map(({ accountName }) => accountName)).size).toBe(1)
})

it('strangers see nothing of it', async () => {
  const deps = { store: shop.deps.store, now: () => new Date() }
  const stranger = await createAccount(deps, newAccount('PosDealer'))
  expect(await whole('limit=200', stranger)).toEqual([])
  expect((await ask('/audit.csv', stranger)).text.trim().split('\r\n')).toHaveLength(1)
})

it('is a table as a whole, without formulas that run', async () => {
  const { headers, text } = await ask('/audit.csv?from=2026-01-01&to=2026-01-08')
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const { data } = papaparse.parse<Record<string, string>>(text.replace(/^\uFEFF/, '').trimEnd(), {
    header: true,
    delimiter: ';',
  })
  expect(data.map((row) => JSON.parse(row.subjects ?? '').at)).toEqual(all.filter(mine).reverse())
  expect(JSON.parse(data[0]?.after ?? '')).toEqual({ text: '=1+1', more: COUNT - 1 })
})

it('refuses places that no page has named, and periods that are none', async () => {
  for (const query of ['after=abc', 'from=yesterday', 'limit=0', 'limit=201']) {
    expect((await ask(`/audit?${query}`)).status, query).toBe(400)
  }
})

it('reads a few rows of each index, however many there are', async () => {
  await shop.deps.store.pool.query('analyze audit_entry')
  const { rows } = await shop.deps.store.pool.query<{ 'QUERY PLAN': string }>(
    `explain (select * from audit_entry where on_behalf_of = $1 and id < $2
       order by id desc limit 5)`,
    [operator.accountId, 'ffffffff-ffff-7fff-bfff-ffffffffffff'],
  )
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toContain('audit_entry_on_behalf_of_id_idx')
})
