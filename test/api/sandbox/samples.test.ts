// Sample receipts and test cards: there for everybody in the sandbox, and nowhere in production.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer } from '../../support/app.js'
import { openShop, type Shop } from '../../support/shop.js'

let shop: Shop
beforeAll(async () => {
  shop = await openShop({}, undefined, { countries: ['AT'] })
})
afterAll(() => shop.close())

const get = (url: string, accept = 'text/html') =>
  shop.app.inject({ url, headers: { accept, 'accept-language': 'de' } })

it('the list leads to each of them, and names the amounts of the test terminal', async () => {
  const { statusCode, body } = await get('/sandbox/receipts')
  expect(statusCode).toBe(200)
  const links = [...body.matchAll(/href="(\/sandbox\/receipts\/[^"?]+)"/g)].map(([, one]) => one)
  expect(links.length).toBeGreaterThan(50)
  for (const link of links.filter((_, at) => at % 20 === 0)) {
    const answer = await get(String(link))
    expect([answer.statusCode, answer.headers['content-type']], link).toEqual([
      200,
      'text/html; charset=utf-8',
    ])
  }
  expect(body).toContain('30000.10')
  expect((await get('/')).body).toContain('href="/sandbox/receipts"')
})

it.each([
  ['pdf', 'application/pdf'],
  ['png', 'image/png'],
  ['txt', 'text/plain; charset=utf-8'],
  ['escpos', 'text/vnd.esc-pos; charset=utf-8; width=58mm'],
])('?format=%s gives %s of the width that is asked for', async (format, type) => {
  const answer = await get(`/sandbox/receipts/AT/cash?format=${format}&width=58mm`)
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, type])
  expect(answer.headers['x-print-width']).toBe('58mm')
})

it('the language is that of ?lang=', async () => {
  expect((await get('/sandbox/receipts/de/cash?lang=it')).body).toContain('<html lang="it">')
})

it('what is not there is 404', async () => {
  expect((await get('/sandbox/receipts/at/nothing')).statusCode).toBe(404)
  expect((await get('/sandbox/receipts/xx/cash')).statusCode).toBe(404)
})

it('production knows none of it, and does not tell of it', async () => {
  const production = await startServer(shop, {
    ENVIRONMENT: 'production',
    ALLOW_SOFTWARE_DEVICES: 'true',
  })
  for (const url of ['/sandbox/receipts', '/sandbox/receipts/at/cash']) {
    expect((await production.app.inject({ url })).statusCode, url).toBe(404)
  }
  const front = await production.app.inject({ url: '/', headers: { accept: 'text/html' } })
  expect(front.body).not.toContain('/sandbox/receipts')
  await production.close()
})
