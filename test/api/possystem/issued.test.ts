// What a register reads of an issued receipt, and who took it.
import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Desk, openDesk } from '../../support/issue-desk.js'
import { type Pair, unknownPair } from '../../support/pairs.js'
import { openShop, type Shop } from '../../support/shop.js'
import { issueAddress as address, signedPair } from '../../support/signed-pair.js'

interface Png {
  width: number
  height: number
  data: Uint8Array
}
const { PNG } = createRequire(import.meta.url)('pngjs') as {
  PNG: { sync: { read(bytes: Buffer): Png } }
}

const TIME = '2026-01-30T00:03:57.000'
const NOW = new Date(`${TIME}Z`)

let shop: Shop
let desk: Desk
beforeAll(async () => {
  shop = await openShop({ DATABASE_POOL: '4' }, undefined, { countries: ['AT'] })
  desk = await openDesk(shop, { now: () => NOW })
})
afterAll(async () => {
  await desk.close()
  await shop.close()
})

async function issued(): Promise<Pair> {
  const pair = await signedPair(shop)
  expect((await desk.post('/issue', pair.body)).status).toBe(201)
  return pair
}

const opened = (pair: Pair, suffix = '', headers: Record<string, string> = {}) =>
  shop.app.inject({ url: `/${pair.queueId}/${pair.queueItemId}${suffix}`, headers })

describe('GET /issue/{QueueId}/{QueueItemId}', () => {
  it('gives the stored pair, every digit as it was', async () => {
    const pair = await signedPair(shop)
    await desk.post('/issue', pair.body)
    const answer = await desk.get(address(pair))
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.headers['cache-control']).toBe('private, no-store')
    expect(String(answer.headers.vary)).toMatch(/^Accept, x-print-width/)
    expect(answer.text).toBe(pair.body)
    expect(answer.text).toContain('"ftReceiptCase":4707387510509010945')
  })

  it.each([
    ['*/*', 'application/json'],
    ['application/json', 'application/json'],
    ['text/html', 'text/html'],
    ['text/plain;q=0.5, text/html', 'text/html'],
    ['text/html;q=0.2, text/plain', 'text/plain'],
    ['image/gif, text/plain;q=0.1', 'text/plain'],
    ['image/gif, */*;q=0.1', 'application/json'],
    ['application/json;q=0, */*', 'text/html'],
    ['text/*', 'text/html'],
  ])('Accept %s gives %s', async (accept, type) => {
    const answer = await desk.get(address(await issued()), { headers: { accept } })
    expect([answer.status, answer.headers['content-type']]).toEqual([200, `${type}; charset=utf-8`])
  })

  it.each([
    'application/zip',
    'image/gif',
    'audio/*',
    'application/esc-pos-90mm',
    'nonsense',
    'application/json;q=0',
  ])('Accept %s alone is refused with a list of what there is', async (accept) => {
    const answer = await desk.get(address(await issued()), { headers: { accept } })
    expect([answer.status, answer.json().code]).toEqual([400, 'FORMAT_UNSUPPORTED'])
    expect(answer.json().detail).toContain('application/json, text/html, text/plain')
  })

  it('?format= beats Accept, and an unknown one is refused', async () => {
    const pair = await issued()
    const headers = { accept: 'application/json' }
    const text = await desk.get(`${address(pair)}?Format=TXT`, { headers })
    expect(text.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect((await desk.get(`${address(pair)}?format=zip`, { headers })).status).toBe(400)
  })

  it.each([
    ['text/plain', '58mm', '58mm', 32],
    ['text/plain', '74mm', '74mm', 42],
    ['text/plain', 'abc', '80mm', 48],
    ['text/plain;width=72mm', '58mm', '72mm', 42],
    ['text/plain;width=wide', '48mm', '48mm', 32],
    ['text/plain', '999mm', '120mm', 48],
    ['text/plain', '10mm', '40mm', 32],
  ])('%s with x-print-width %s is %s wide, %i columns', async (accept, width, applied, columns) => {
    const headers = { accept, 'x-print-width': width }
    const answer = await desk.get(address(await issued()), { headers })
    expect(answer.headers['x-print-width']).toBe(applied)
    const longest = Math.max(...answer.text.split('\n').map((line) => line.length))
    expect(longest).toBe(columns)
  })

  it('changes nothing: it is read, and still not delivered', async () => {
    const pair = await issued()
    for (const accept of ['application/json', 'text/html', 'text/plain']) {
      await desk.get(address(pair), { headers: { accept } })
    }
    await desk.get(`${address(pair)}/link/qrcode`)
    expect((await desk.get(`${address(pair)}/delivered`)).status).toBe(204)
    expect((await desk.get(`${address(pair)}/deliveries`)).json()).toEqual({ Count: 0, Items: [] })
  })
})

describe('GET …/link/qrcode', () => {
  it('is a PNG of whole modules with a white edge of four, eight pixels each', async () => {
    const answer = await desk.get(`${address(await issued())}/link/qrcode`)
    expect(answer.headers['content-type']).toBe('image/png')
    const { width, height, data } = PNG.sync.read(answer.bytes)
    expect(height).toBe(width)
    const side = width / 8
    // sides of QR codes are 17 + 4 × version (ISO/IEC 18004)
    expect((side - 8 - 17) % 4).toBe(0)
    const black = (x: number, y: number): boolean => data[(y * width + x) * 4] === 0
    for (let at = 0; at < width; at += 1) {
      for (const edge of [0, 31, width - 1, width - 32]) {
        expect(black(at, edge) || black(edge, at)).toBe(false)
      }
    }
    for (let y = 0; y < width; y += 1) {
      for (let x = 0; x < width; x += 1) {
        if (black(x, y) !== black(x - (x % 8), y - (y % 8))) throw new Error(`${x}/${y}`)
      }
    }
    // the finder patterns of three corners: seven black modules, then a white one
    const module = (x: number, y: number): boolean => black((x + 4) * 8, (y + 4) * 8)
    const last = side - 8 - 1
    for (const [x, y, step] of [
      [0, 0, 1],
      [last, 0, -1],
      [0, last, 1],
    ] as const) {
      const run = Array.from({ length: 8 }, (_, at) => module(x + at * step, y))
      expect(run).toEqual([true, true, true, true, true, true, true, false])
    }
  })

  it('takes the pixels of a module from 1 to 32', async () => {
    const pair = await issued()
    const widthOf = async (size: string): Promise<number> =>
      PNG.sync.read((await desk.get(`${address(pair)}/link/qrcode?size=${size}`)).bytes).width
    const one = await widthOf('1')
    expect(await widthOf('32')).toBe(32 * one)
    for (const size of ['0', '33', '-1', '1.5', 'x', '1e1']) {
      const answer = await desk.get(`${address(pair)}/link/qrcode?size=${size}`)
      expect([answer.status, answer.json().code], size).toEqual([400, 'FIELD_INVALID'])
    }
  })
})

describe('PUT', () => {
  it.each([
    ['{"Action":"accept"}', 'customeraccepted'],
    ['{"action":"VIEW","Format":"text/html"}', 'viewed'],
  ])('%s delivers: %s', async (body, method) => {
    const pair = await issued()
    const answer = await desk.put(address(pair), body, {
      headers: { 'user-agent': 'Till\u00a01.0' },
    })
    const status = {
      state: 'Printed',
      message: `Receipt delivered via ${method} at ${TIME} UTC. DeliveryMethod: ${method}`,
      DeliveryMethod: method,
      DeliveredMoment: '2026-01-30T00:03:57Z',
      Count: 1,
    }
    expect([answer.status, answer.json()]).toEqual([200, status])
    const delivered = await desk.get(`${address(pair)}/delivered`)
    expect([delivered.status, delivered.json()]).toEqual([200, status])
    expect((await desk.get(`${address(pair)}/deliveries`)).json()).toEqual({
      Count: 1,
      Items: [
        {
          Moment: '2026-01-30T00:03:57Z',
          Method: method,
          Kind: 'pos',
          AppId: null,
          UserAgent: 'Till\u00a01.0',
        },
      ],
    })
  })

  it('a repeated call is one delivery, also on two servers at once', async () => {
    const other = await openDesk(shop, { now: () => NOW })
    const pair = await issued()
    const operationId = '7c8b0ac0-53a8-4b60-9bb4-0d3b4f6b6d10'
    const calls = [desk, other, desk, other].map((one) =>
      one.put(address(pair), '{"Action":"accept"}', { operationId }),
    )
    const answers = await Promise.all(calls)
    await other.close()
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect((await desk.get(`${address(pair)}/deliveries`)).json().Count).toBe(1)
  })

  it.each([
    ['', 'BODY_MISSING'],
    ['{', 'BODY_MALFORMED'],
    ['{}', 'FIELD_MISSING'],
    ['{"Action":"burn"}', 'FIELD_INVALID'],
    ['{"Action":7}', 'FIELD_INVALID'],
    ['{"Action":"constructor"}', 'FIELD_INVALID'],
  ])('%s is %s', async (body, code) => {
    const answer = await desk.put(address(await issued()), body)
    expect([answer.status, answer.json().code]).toEqual([400, code])
  })
})

describe('delivered', () => {
  it('is 204 after issue, 204 after a call with AppId, 200 after one without', async () => {
    const pair = await issued()
    const state = async () => {
      const { status, headers, text } = await desk.get(`${address(pair)}/delivered`)
      return [status, headers['x-delivery-state'], text]
    }
    expect(await state()).toEqual([204, 'Submitted', ''])
    const appId = 'c719b59a-9ff0-491a-98a1-030776d8c46f'
    expect((await opened(pair, `?AppId=${appId}`)).statusCode).toBe(200)
    expect((await opened(pair, '', { 'x-app-id': appId })).statusCode).toBe(200)
    expect(await state()).toEqual([204, 'Submitted', ''])
    expect((await opened(pair, '', { 'user-agent': 'Firefox' })).statusCode).toBe(200)
    const after = await desk.get(`${address(pair)}/delivered`)
    expect([after.status, after.json()]).toEqual([
      200,
      expect.objectContaining({ state: 'Printed', DeliveryMethod: 'viewed', Count: 1 }),
    ])
    const listed = (await desk.get(`${address(pair)}/deliveries`)).json()
    expect(listed).toMatchObject({
      Count: 1,
      Items: [
        { Kind: 'customer', AppId: null, UserAgent: 'Firefox' },
        { Kind: 'app', AppId: appId },
        { Kind: 'app', AppId: appId },
      ],
    })
  })

  it('keeps no address of a caller, only its hash', async () => {
    const pair = await issued()
    await opened(pair)
    const { rows } = await shop.deps.store.pool.query<{ text: string; bytes: number }>(
      `select d::text as text, octet_length(address_hash) as bytes from delivery d
       where queue_item_id = $1`,
      [pair.queueItemId],
    )
    expect(rows).toMatchObject([{ bytes: 32 }])
    expect(rows[0]?.text).not.toContain('127.0.0.1')
  })

  it('is 404 for a receipt that is only signed, and for one that nobody knows', async () => {
    for (const pair of [await signedPair(shop), unknownPair()]) {
      for (const path of ['/delivered', '/deliveries', '/link/qrcode', '']) {
        const answer = await desk.get(address(pair) + path)
        expect([answer.status, answer.json().code], path).toEqual([404, 'RECEIPT_UNKNOWN'])
      }
    }
  })

  it('rows of events and receipts can be neither changed nor removed', async () => {
    await opened(await issued())
    for (const table of ['delivery', 'issued_receipt']) {
      for (const sql of [`update ${table} set account_id = account_id`, `delete from ${table}`]) {
        await expect(shop.deps.store.pool.query(sql), sql).rejects.toThrow(/denied|append-only/)
      }
    }
  })
})
