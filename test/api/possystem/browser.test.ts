// Browsers of other origins on every address of group D, over real connections.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jsonOf, openPosShop, type PosShop, payment, sale } from '../../support/pos-shop.js'
import { type WireReply, wire, wireHeaders } from '../../support/pos-wire.js'

let shop: PosShop
beforeAll(async () => {
  shop = await openPosShop({ DUMMY_PAYMENT_TIME_SCALE: '0', RATE_LIMITS: 'pin=0,credentials=0' }, [
    'AT',
  ])
})
afterAll(() => shop.close())

const ORIGIN = 'https://portal.example.com'
const [queue, item, helper] = [randomUUID(), randomUUID(), randomUUID()]
const PATHS = [
  ...['/echo', '/pay', '/PayResponse', '/sign', '/issue', `/issue/${queue}/${item}`],
  ...[`/issue/${queue}/${item}/link/qrcode`, `/issue/${queue}/${item}/delivered`],
  ...[`/issue/${queue}/${item}/deliveries`, '/journal', `/journal/OperationItem/${item}`],
  ...[`/journal/${item}`, `/operation/${item}`, '/operation?cbReceiptReference=x', '/pair'],
  '/api/instore/pair',
]
const BASES = ['', '/v2', '/v2.1', `/${helper}/v2`, '/V2/']

/** What may be sent and read, as a browser understands it. */
const ALLOWED = [
  ...['content-type', 'accept', 'x-cashbox-id', 'x-cashbox-accesstoken', 'x-possystem-id'],
  ...['x-operation-id', 'x-dry-run', 'x-terminal-id', 'x-print-width', 'x-app-id', 'x-app-secret'],
]

const listOf = (reply: WireReply, name: string): string[] =>
  String(reply.headers[name] ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.trim())

const preflight = (path: string, more: Record<string, string> = {}) =>
  wire(shop.url, path, {
    method: 'OPTIONS',
    headers: {
      origin: ORIGIN,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-operation-id,content-type',
      ...more,
    },
  })

describe('a preflight', () => {
  it.each(PATHS)(
    'of %s is answered at every of its addresses, without credentials',
    async (path) => {
      for (const base of BASES) {
        const reply = await preflight(`${base}${path}`)
        expect([reply.status, reply.text], base + path).toEqual([204, ''])
        expect(reply.headers).toMatchObject({
          'access-control-allow-origin': ORIGIN,
          'access-control-allow-methods': 'GET, POST, PUT, OPTIONS',
        })
        expect(listOf(reply, 'access-control-allow-headers')).toEqual(ALLOWED)
        expect(listOf(reply, 'vary')).toContain('origin')
        expect(reply.headers['access-control-allow-credentials']).toBeUndefined()
        expect(reply.headers['access-control-allow-private-network']).toBeUndefined()
      }
    },
  )

  it('of a private network is told that it may', async () => {
    for (const path of PATHS) {
      const reply = await preflight(`/v2${path}`, {
        'access-control-request-private-network': 'true',
      })
      expect(reply.headers['access-control-allow-private-network'], path).toBe('true')
    }
  })

  it('comes from anywhere, a file included, and is never remembered for another one', async () => {
    for (const origin of ['null', 'http://localhost:3000', 'https://x.example:8443']) {
      const reply = await preflight('/v2/sign', { origin })
      expect(reply.headers['access-control-allow-origin']).toBe(origin)
    }
  })
})

describe('an answer', () => {
  it('of every kind names the origin and what may be read', async () => {
    const headers = (more = {}) => wireHeaders(shop.at, { origin: ORIGIN, ...more })
    const id = randomUUID()
    const post = (path: string, body: string, more = {}) =>
      wire(shop.url, path, { headers: headers(more), body })
    const replies: [number, WireReply][] = [
      [200, await post('/v2/echo', '{"Message":"x"}')],
      [200, await post('/echo', '{"Message":"x"}')],
      [201, await post('/v2/pay', payment('1'), { 'x-operation-id': id })],
      [200, await post('/v2/pay', payment('1'), { 'x-operation-id': id })],
      [409, await post('/v2/pay', payment('2'), { 'x-operation-id': id })],
      [201, await post('/v2/sign', jsonOf(sale()))],
      [200, await post('/v2/journal', '{"ftJournalType":1}')],
      [400, await post('/v2/sign', '[]')],
      [400, await post('/v2/pay', payment('30000.10'))],
      [400, await wire(shop.url, '/v2/sign', { headers: { origin: ORIGIN } })],
      [401, await post('/v2/sign', '{}', { 'x-cashbox-accesstoken': 'wrong' })],
      [404, await post('/v2/nothing', '{}')],
      [405, await wire(shop.url, '/v2/sign', { method: 'GET', headers: { origin: ORIGIN } })],
      [
        401,
        await wire(shop.url, '/v2/pair', { headers: { origin: ORIGIN }, body: '{"Pin":"0000"}' }),
      ],
      [400, await post('/v2/echo', `"${'x'.repeat(300_000)}"`)],
    ]
    for (const [status, reply] of replies) {
      expect(reply.status, reply.text).toBe(status)
      expect(reply.headers['access-control-allow-origin'], reply.text).toBe(ORIGIN)
      const readable = listOf(reply, 'access-control-expose-headers')
      expect(readable).toEqual(expect.arrayContaining(['x-operation-id', 'x-print-width']))
      expect(reply.headers['access-control-allow-credentials']).toBeUndefined()
      expect(listOf(reply, 'vary').filter((one) => one === 'origin')).toHaveLength(1)
    }
  })

  it('of a receipt varies by format and by origin', async () => {
    const pair = jsonOf({
      ReceiptRequest: {},
      ReceiptResponse: { ftQueueID: queue, ftQueueItemID: item },
    })
    await shop.send(shop.at, '/v2/issue', pair)
    const reply = await shop.read(shop.at, `/v2/issue/${queue}/${item}`, { origin: ORIGIN })
    expect(listOf(reply, 'vary')).toEqual(
      expect.arrayContaining(['accept', 'x-print-width', 'origin']),
    )
  })

  it('to somebody who is no browser names no origin', async () => {
    const reply = await shop.send(shop.at, '/v2/echo', '{"Message":"x"}')
    expect(reply.headers['access-control-allow-origin']).toBeUndefined()
    expect(listOf(reply, 'vary')).toContain('origin')
  })
})
