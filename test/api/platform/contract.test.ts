// Every operation of the Platform, by its row: who may call, what is refused and in which shape.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BASE } from '../../../src/api/platform/document.js'
import { platformOperations } from '../../../src/api/platform/operations.js'
import { createAccount } from '../../../src/core/accounts/accounts.js'
import { newAccount } from '../../support/dealer.js'
import { accountHeaders, openPlatform, type PlatformShop } from '../../support/platform.js'

let shop: PlatformShop
/** Headers with API keys, by what they are for. */
let keys: Record<'dealer:write' | 'platform:read' | 'platform:write', Record<string, string>>
beforeAll(async () => {
  shop = await openPlatform({ RATE_LIMITS: 'credentials=1000' })
  const made = async (scope: string) => {
    const answer = await fetch(`${shop.url}${BASE}/api-keys`, {
      method: 'POST',
      headers: { ...accountHeaders(shop.dealer), 'content-type': 'application/json' },
      body: JSON.stringify({ name: scope, scopes: [scope] }),
    })
    const { token } = (await answer.json()) as { token: string }
    return { accountid: shop.dealer.accountId, accesstoken: token }
  }
  keys = {
    'dealer:write': await made('dealer:write'),
    'platform:read': await made('platform:read'),
    'platform:write': await made('platform:write'),
  }
})
afterAll(() => shop.close())

const rows = platformOperations.map((row) => [row.id, row] as const)
type Row = (typeof platformOperations)[number]

/** Names of the path filled with ids that nobody has. */
const pathOf = ({ path }: Row) =>
  BASE + path.replace(/:seq/g, '999999').replace(/:\w+/g, randomUUID())

async function ask(
  row: Row,
  {
    headers = {},
    body,
    method = row.method,
    path = pathOf(row),
  }: {
    headers?: Record<string, string>
    body?: string | undefined
    method?: string
    path?: string
  } = {},
) {
  const answer = await fetch(shop.url + path, {
    ...{ method, headers: { 'content-type': 'application/json', ...headers } },
    ...(body === undefined ? {} : { body }),
  })
  const text = await answer.text()
  const json = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
  return { status: answer.status, type: answer.headers.get('content-type') ?? '', json }
}

const PROBLEM = ['type', 'title', 'status', 'detail', 'instance', 'errors', 'code', 'traceId']

function expectProblem(
  answer: Awaited<ReturnType<typeof ask>>,
  status: number,
  code: string,
): void {
  expect([answer.status, answer.json.code, answer.json.status]).toEqual([status, code, status])
  expect(answer.type).toContain('application/problem+json')
  expect(Object.keys(answer.json)).toEqual(expect.arrayContaining(PROBLEM))
}

describe.each(rows)('%s', (_id, row) => {
  it('asks who calls, before it reads anything', async () => {
    // an address with a key of its own: test/api/platform/inspections.test.ts
    if (row.access === 'open') return
    const { accountId, accessToken } = shop.dealer
    for (const headers of [
      {},
      { accountid: accountId },
      { accesstoken: accessToken },
      { accountid: accountId, accesstoken: 'wrong' },
      { accountid: randomUUID(), accesstoken: accessToken },
      { accountid: shop.operatorId, accesstoken: accessToken },
      { cashboxid: shop.box.cashBoxId },
      { cashboxid: shop.box.cashBoxId, accesstoken: accessToken },
      { cashboxid: randomUUID(), accesstoken: shop.box.accessToken },
    ]) {
      expectProblem(
        await ask(row, {
          headers: headers as Record<string, string>,
          body: row.method === 'GET' ? undefined : '{',
        }),
        401,
        'Unauthorized',
      )
    }
  })

  it('refuses keys that are not for it, before it reads anything', async () => {
    if (row.access === 'open') return
    const body = row.method === 'GET' ? undefined : '{'
    const refused = async (headers: Record<string, string>) =>
      expectProblem(await ask(row, { headers, body }), 403, 'ScopeMissing')
    await refused(keys['dealer:write'])
    if (row.method !== 'GET' || row.credentials === true) await refused(keys['platform:read'])
    if (row.credentials === true) await refused(keys['platform:write'])
  })

  it('lets registers ask for themselves alone, or not at all', async () => {
    if (row.access === 'open') return
    const headers = { cashboxid: shop.box.cashBoxId, accesstoken: shop.box.accessToken }
    if (row.till === undefined) {
      expectProblem(await ask(row, { headers }), 403, 'AccountRequired')
    }
    if (row.till === 'queue') expectProblem(await ask(row, { headers }), 404, 'QueueNotFound')
    if (row.till !== 'list') return
    const foreign = `${pathOf(row)}?cashBoxId=${randomUUID()}`
    expectProblem(await ask(row, { headers, path: foreign }), 404, 'CashBoxNotFound')
  })

  it('is there under its own method alone', async () => {
    const own = platformOperations.filter(({ path }) => path === row.path)
    const allowed = new Set(own.map(({ method }) => method as string))
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(
      (one) => !allowed.has(one),
    )) {
      const answer = await ask(row, { method, headers: accountHeaders(shop.dealer) })
      // another path may have this shape: /events/stream is no number of an event
      expect([404, 405]).toContain(answer.status)
    }
  })

  it('refuses a body that is none, and names the fault', async () => {
    // whose merchant comes first: test/api/platform/receipts.test.ts
    if (row.body === undefined || row.path.includes(':posOperatorId')) return
    const headers = accountHeaders(shop.dealer)
    for (const body of [
      '{',
      '[]',
      '"x"',
      '{"url":1,"receipts":"maybe","fromSeq":"a","overlapHours":-1,"mode":7,"kind":0,"form":9}',
    ]) {
      const answer = await ask(row, { headers, body })
      expectProblem(answer, 400, 'RequestInvalid')
      expect(Object.keys(answer.json.errors as object).length).toBeGreaterThan(0)
    }
    const large = JSON.stringify({ description: 'x'.repeat(300_000) })
    expectProblem(await ask(row, { headers, body: large }), 413, 'PayloadTooLarge')
  })

  it('tells its refusals in the language of the caller', async () => {
    if (row.access === 'open') return
    const german = await ask(row, { headers: { 'accept-language': 'de' } })
    expect(german.json.detail).toBe('Die Header accountId und accessToken gehören zu keinem Konto.')
  })
})

it('what does not exist is a problem as well', async () => {
  const [row] = platformOperations
  if (row === undefined) throw new Error('there is no row')
  const answer = await ask(row, { path: `${BASE}/nothing`, headers: accountHeaders(shop.dealer) })
  expectProblem(answer, 404, 'NotFound')
})

it('an account without merchants sees itself alone, everywhere', async () => {
  const accounts = { store: shop.deps.store, now: () => new Date() }
  const nobody = await createAccount(accounts, newAccount('PosOperator'))
  for (const row of platformOperations.filter(
    ({ method, path }) => method === 'GET' && !path.includes(':'),
  )) {
    const others = ['streamEvents', 'problemTable', 'auditTable', 'openInspectionLink']
    if ([...others, 'listActions'].includes(row.id)) continue
    const path = row.id === 'search' ? `${pathOf(row)}?q=Demo` : pathOf(row)
    const { status, json } = await ask(row, { path, headers: accountHeaders(nobody) })
    expect(status).toBe(200)
    expect(JSON.stringify(json)).not.toContain(shop.operatorId)
    expect(JSON.stringify(json)).not.toContain(shop.box.queueId)
  }
})
