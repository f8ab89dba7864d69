// What every answer of the server carries, and what none does.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openShop, type Shop } from '../../support/shop.js'

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

function call(path: string, init: RequestInit = {}): Promise<Response> {
  const { cashBoxId, accessToken } = shop.box
  const headers = { cashboxid: cashBoxId, accesstoken: accessToken }
  return fetch(`${shop.url}${path}`, { headers, ...init })
}

const ANSWERS: [name: string, path: () => string, status: number, init?: RequestInit][] = [
  ['an echo', () => `/${shop.box.queueId}/json/v1/echo`, 200, { method: 'POST', body: '{}' }],
  ['a refusal', () => `/${shop.box.queueId}/json/v1/sign`, 400, { method: 'POST', body: '{' }],
  ['wrong credentials', () => '/json/v1/echo', 401, { method: 'POST', headers: {} }],
  ['a journal', () => `/${shop.box.queueId}/json/v1/journal?type=3`, 200, { method: 'POST' }],
  ['the certificate', () => '/api/v0/iatsscd/certificate', 200],
  ['a fault script', () => `/sandbox/scus/${shop.box.scuIds[0]}/fault`, 200],
  ['an address that leads nowhere', () => '/no/such/place', 404],
  ['health', () => '/health', 200],
  ['the first page', () => '/', 200, { headers: { accept: 'text/html' } }],
  ['a document', () => '/docs/middleware/openapi.json', 200],
]

describe('every answer', () => {
  it.each(ANSWERS)('%s is not kept, not guessed into another type, not told on', async (...row) => {
    const [, path, status, init] = row
    const answer = await call(path(), init)
    expect(answer.status).toBe(status)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
  })

  it.each(ANSWERS)('%s does not name the program that gave it', async (...row) => {
    const [, path, , init] = row
    const { headers } = await call(path(), init)
    expect([headers.get('server'), headers.get('x-powered-by')]).toEqual([null, null])
  })
})

describe('pages for browsers', () => {
  it.each(['/', '/docs'])('%s runs no script and lies in no frame', async (path) => {
    const page = await call(path, { headers: { accept: 'text/html' } })
    const policy = page.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('script-src')
  })

  it('the interactive pages run their own scripts only', async () => {
    const answer = await call('/docs/middleware/static/index.html')
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(answer.status).toBe(200)
    expect(policy).toMatch(/script-src 'self'(?! 'unsafe-(inline|eval)')/)
  })
})
