// Several keys of an account: each opens what its scopes say, ends alone, and is named by what it
// changes.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dealerOperations } from '../../../src/api/dealer/operations.js'
import { platformOperations } from '../../../src/api/platform/operations.js'
import { API_KEY_SCOPES } from '../../../src/store/account/api-keys.js'
import { openPlatform, type PlatformShop } from '../../support/platform.js'

let shop: PlatformShop
beforeAll(async () => {
  shop = await openPlatform({ RATE_LIMITS: 'credentials=100000,dealer=100000' })
})
afterAll(() => shop.close())

interface Answer {
  status: number
  json: Record<string, unknown>
}

async function call(
  line: string,
  { body, token = shop.dealer.accessToken, account = shop.dealer.accountId, key }: Asked = {},
): Promise<Answer> {
  const [method = '', path = ''] = line.split(' ')
  const answer = await fetch(shop.url + path, {
    method,
    headers: {
      ...{ accountid: account, accesstoken: token, 'content-type': 'application/json' },
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.includes('json') === true
  return { status: answer.status, json: isJson ? JSON.parse(text) : {} }
}

interface Asked {
  body?: unknown
  token?: string
  account?: string
  key?: string
}

interface Key {
  id: string
  name: string
  scopes: string[]
  expiresAt: string | null
  lastUsedAt: string | null
}

async function make(scopes: string[], more: Record<string, unknown> = {}) {
  const body = { name: scopes.join(' '), scopes, ...more }
  const made = await call('POST /platform/v1/api-keys', { body })
  expect(made.status, JSON.stringify(made.json)).toBe(201)
  return made.json as unknown as { key: Key; token: string }
}

const keys = async () =>
  (await call('GET /platform/v1/api-keys')).json as unknown as (Key & { oldUntil: string | null })[]

const PROBE = 'GET /platform/v1/problem-counts'

/** With ids that nobody has: whoever is let in gets 400, 404 or an answer. */
const addressOf = (base: string, path: string) =>
  base + path.replace(/:seq/g, '999999').replace(/:\w+/g, randomUUID())

const OPERATIONS = [
  ...dealerOperations.map((row) => ({ row, base: '/api', group: 'dealer' })),
  ...platformOperations.map((row) => ({ row, base: '/platform/v1', group: 'platform' })),
].filter(({ row }) => row.access !== 'open' && row.id !== 'streamEvents')

describe('the scopes of a key', () => {
  it.each(API_KEY_SCOPES)('%s opens just what it says, of every operation', async (scope) => {
    const { token } = await make([scope])
    const wrong: string[] = []
    for (const { row, base, group } of OPERATIONS) {
      const reads = row.method === 'GET'
      const own = scope === `${group}:write` || (reads && scope === `${group}:read`)
      const opens = scope === 'all' || (own && row.credentials !== true)
      const line = `${row.method} ${addressOf(base, row.path)}`
      const { status, json } = await call(line, { token, body: reads ? undefined : [] })
      const refused = status === 403 && (json.code ?? json.Code) === 'ScopeMissing'
      if (refused === opens || status === 401) wrong.push(`${row.id} ${status}`)
    }
    expect(wrong).toEqual([])
  })

  it('of a refusal are named, with the one that is needed', async () => {
    const { token } = await make(['dealer:read', 'platform:read'])
    const { status, json } = await call('POST /platform/v1/webhooks', { token, body: {} })
    expect([status, json.code]).toEqual([403, 'ScopeMissing'])
    expect(json.detail).toContain('dealer:read, platform:read')
    expect(json.detail).toContain('platform:write')
  })

  it('cannot be widened: no key but one for everything makes or ends keys', async () => {
    const { key, token } = await make(['dealer:write', 'platform:write'])
    const before = await keys()
    for (const [line, body] of [
      ['POST /platform/v1/api-keys', { name: 'more', scopes: ['all'] }],
      [`POST /platform/v1/api-keys/${key.id}/rotate`, {}],
      [`DELETE /platform/v1/api-keys/${key.id}`, undefined],
      ['GET /platform/v1/api-keys', undefined],
    ] as const) {
      expect((await call(line, { token, body })).status, line).toBe(403)
    }
    // used by now, otherwise as they were
    const plain = (list: Key[]) => list.map((one) => ({ ...one, lastUsedAt: null }))
    expect(plain(await keys())).toEqual(plain(before))
  })
})

describe('a key', () => {
  it('is shown without its token, and when it was used', async () => {
    const { key, token } = await make(['platform:read'], { name: 'Kassen-Import' })
    expect(key).toMatchObject({ name: 'Kassen-Import', expiresAt: null, lastUsedAt: null })
    expect((await call(PROBE, { token })).status).toBe(200)
    const text = JSON.stringify(await keys())
    expect(text).not.toContain(token)
    const found = (await keys()).find(({ id }) => id === key.id)
    expect(Date.now() - Date.parse(found?.lastUsedAt ?? '')).toBeLessThan(60_000)
    const rows = await shop.deps.store.pool.query('select * from api_key')
    expect(JSON.stringify(rows.rows)).not.toContain(token)
  })

  it('opens its own account alone', async () => {
    const { token } = await make(['all'])
    for (const account of [shop.operatorId, randomUUID()]) {
      expect((await call(PROBE, { token, account })).status).toBe(401)
    }
    expect((await call(PROBE, { token: `${token}x` })).status).toBe(401)
    expect((await call(PROBE, { token: 'fwk_' })).status).toBe(401)
  })

  it('is over at once when it is ended, and is unknown from then on', async () => {
    const { key, token } = await make(['all'])
    expect((await call(PROBE, { token })).status).toBe(200)
    expect((await call(`DELETE /platform/v1/api-keys/${key.id}`)).status).toBe(204)
    expect((await call(PROBE, { token })).status).toBe(401)
    const again = await call(`DELETE /platform/v1/api-keys/${key.id}`)
    expect([again.status, again.json.code]).toEqual([404, 'ApiKeyNotFound'])
    expect((await keys()).map(({ id }) => id)).not.toContain(key.id)
  })

  it('of another account is not found', async () => {
    const { key } = await make(['all'])
    const other = { account: shop.operatorId, token: await operatorToken() }
    for (const line of [
      `POST /platform/v1/api-keys/${key.id}/rotate`,
      `DELETE /platform/v1/api-keys/${key.id}`,
    ]) {
      const body = line.startsWith('POST') ? {} : undefined
      expect((await call(line, { ...other, body })).status).toBe(404)
    }
    expect((await call(PROBE, other)).status).toBe(200)
  })

  it('ends when its day has come, also where it is remembered', async () => {
    const { key, token } = await make(['all'], { expiresAt: '2099-01-01T00:00:00Z' })
    expect((await call(PROBE, { token })).status).toBe(200)
    await expireSoon(key.id)
    await expect.poll(async () => (await call(PROBE, { token })).status).toBe(401)
    const past = { name: 'x', scopes: ['all'], expiresAt: '2020-01-01T00:00:00Z' }
    expect((await call('POST /platform/v1/api-keys', { body: past })).status).toBe(400)
  })

  it('that is changed has two tokens for the overlap, and one after it', async () => {
    const { key, token } = await make(['all'])
    const path = `/platform/v1/api-keys/${key.id}/rotate`
    const changed = await call(`POST ${path}`, { body: { overlapHours: 1 } })
    const next = changed.json as { token: string; oldUntil: string }
    expect(Date.parse(next.oldUntil) - Date.now()).toBeGreaterThan(3_500_000)
    for (const one of [token, next.token])
      expect((await call(PROBE, { token: one })).status).toBe(200)
    await shop.deps.store.pool.query(
      `update api_key set old_until = now() - interval '1 second' where id = $1`,
      [key.id],
    )
    await expect.poll(async () => (await call(PROBE, { token })).status).toBe(401)
    expect((await call(PROBE, { token: next.token })).status).toBe(200)
    const last = await call(`POST ${path}`, { body: { overlapHours: 0 } })
    expect((await call(PROBE, { token: next.token })).status).toBe(401)
    expect((await call(PROBE, { token: (last.json as { token: string }).token })).status).toBe(200)
  })

  it('is made once by a call that is repeated with its key', async () => {
    const before = (await keys()).length
    const asked = { body: { name: 'once', scopes: ['all'] }, key: randomUUID() }
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => call('POST /platform/v1/api-keys', asked)),
    )
    expect(new Set(answers.map(({ json }) => JSON.stringify(json))).size).toBe(1)
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
    expect(await keys()).toHaveLength(before + 1)
  })

  it('stands in the audit row of what it has changed', async () => {
    const { key, token } = await make(['platform:write'], { name: 'webhooks' })
    const body = { url: 'https://example.com/hook' }
    expect((await call('POST /platform/v1/webhooks', { token, body })).status).toBe(201)
    const audit = await call('GET /platform/v1/audit?limit=1')
    const [line] = audit.json.items as Record<string, unknown>[]
    expect(line).toMatchObject({
      ...{ operation: 'createWebhook', apiKeyId: key.id, apiKeyName: 'webhooks', personId: null },
    })
  })

  it('is refused when there are fifty', async () => {
    const room = 50 - (await keys()).length
    const made = await Promise.all(
      Array.from({ length: room + 4 }, () =>
        call('POST /platform/v1/api-keys', { body: { name: 'many', scopes: ['all'] } }),
      ),
    )
    const count = (status: number) => made.filter((one) => one.status === status).length
    expect([count(201), count(409)]).toEqual([room, 4])
    expect(await keys()).toHaveLength(50)
  })
})

async function operatorToken(): Promise<string> {
  const { resetToken } = await import('../../../src/core/accounts/accounts.js')
  const deps = { store: shop.deps.store, now: () => new Date() }
  return (await resetToken(deps, shop.operatorId)).accessToken
}

async function expireSoon(id: string): Promise<void> {
  await shop.deps.store.pool.query(
    `update api_key set expires_at = now() + interval '300 milliseconds' where id = $1`,
    [id],
  )
}
