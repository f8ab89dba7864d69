// An address that leads nowhere is told as that, whatever the body is: a till whose path is
// mistyped must not look for the fault in its receipt.
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openShop, type Shop } from '../../support/shop.js'

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const JSON_TYPE = { 'content-type': 'application/json' }
const BODIES: [name: string, headers: Record<string, string>, body: string | Uint8Array | null][] =
  [
    ['no body, said to be JSON', JSON_TYPE, null],
    ['half a JSON', JSON_TYPE, '{"a":'],
    ['a journal asked with a form under the name of JSON', JSON_TYPE, 'from=0&to=0'],
    ['XML', { 'content-type': 'application/xml' }, '<a/>'],
    ['a label that is none', { 'content-type': 'x' }, 'x'],
    ['packed', { ...JSON_TYPE, 'content-encoding': 'gzip' }, gzipSync('{}')],
  ]
// a word alone is where SOAP looks for its queue
const PATHS = ['/json/v1/sing', '/nothing/at/all', '/health/ready']

describe.each(BODIES)('%s', (_name, headers, body) => {
  it.each(PATHS)('POST %s is 404', async (path) => {
    const { cashBoxId, accessToken } = shop.box
    const answer = await fetch(`${shop.url}${path}`, {
      method: 'POST',
      headers: { ...headers, cashboxid: cashBoxId, accesstoken: accessToken },
      body,
    })
    expect(await answer.json()).toMatchObject({
      code: 'ROUTE_UNKNOWN',
      message: `There is nothing at POST ${path}.`,
    })
    expect(answer.status).toBe(404)
  })
})

it('a body larger than every limit does not hide it either', async () => {
  const body = 'x'.repeat(20 * 1024 * 1024)
  const answer = await fetch(`${shop.url}/json/v1/sing`, {
    method: 'POST',
    headers: JSON_TYPE,
    body,
  })
  expect(answer.status).toBe(404)
})
