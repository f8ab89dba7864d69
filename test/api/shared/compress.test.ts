// Answers in gzip and brotli: what they hold is the same to the byte, streams leave as they come,
// what is packed or secret stays as it is, and signing pays nothing.
import { randomBytes } from 'node:crypto'
import { request as ask, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { brotliDecompressSync, createGunzip, gunzipSync } from 'node:zlib'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compressAnswers } from '../../../src/api/shared/compress.js'
import { type Desk, openDesk } from '../../support/issue-desk.js'
import { openShop, type Shop } from '../../support/shop.js'
import { signedPair } from '../../support/signed-pair.js'

interface Answer {
  status: number
  headers: IncomingMessage['headers']
  bytes: Buffer
}

interface Call {
  method?: string
  headers?: Record<string, string>
  body?: string
}

/** As it comes over the wire: nothing is unpacked. */
function raw(url: string, { method = 'GET', headers = {}, body }: Call = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = ask(url, { method, headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes: Buffer.concat(parts),
        }),
      )
    })
    call.on('error', reject)
    call.end(body)
  })
}

function plain({ headers, bytes }: Answer): string {
  const encoding = headers['content-encoding']
  if (encoding === 'gzip') return gunzipSync(bytes).toString()
  return (encoding === 'br' ? brotliDecompressSync(bytes) : bytes).toString()
}

let shop: Shop
let desk: Desk
let receipt: string
let base: string
beforeAll(async () => {
  shop = await openShop({ DATABASE_POOL: '4' }, undefined, { countries: ['AT'] })
  desk = await openDesk(shop)
  const pair = await signedPair(shop)
  expect((await desk.post('/issue', pair.body)).status).toBe(201)
  receipt = `/${pair.queueId}/${pair.queueItemId}`
  base = shop.url
})
afterAll(async () => {
  await desk.close()
  await shop.close()
})

const HTML = { accept: 'text/html' }
const till = (): Record<string, string> => ({
  cashboxid: shop.box.cashBoxId,
  accesstoken: shop.box.accessToken,
})

const PAGES: [name: string, path: () => string, headers: Record<string, string>][] = [
  ['a receipt as a page', () => receipt, HTML],
  ['a receipt as text', () => `${receipt}?format=txt`, {}],
  ['the description of a group', () => '/docs/middleware/openapi.json', {}],
  ['the first page', () => '/', HTML],
]

describe.each(['gzip', 'br'])('in %s', (encoding) => {
  it.each(PAGES)('%s is the same as without', async (_name, path, headers) => {
    const url = `${base}${path()}`
    const packed = await raw(url, { headers: { ...headers, 'accept-encoding': encoding } })
    const whole = await raw(url, { headers: { ...headers } })
    expect(whole.headers['content-encoding']).toBeUndefined()
    expect(packed.status).toBe(200)
    expect(plain(packed)).toBe(plain(whole))
    const vary = [packed.headers.vary, whole.headers.vary].map((one) => String(one).toLowerCase())
    if (whole.bytes.length < 1400) return
    expect(packed.headers['content-encoding']).toBe(encoding)
    expect(packed.bytes.length).toBeLessThan(whole.bytes.length)
    // both say so: whoever keeps one of them must not give it to everybody
    for (const one of vary) expect(one).toContain('accept-encoding')
  })

  it.each(['json', 'csv', 'xml'])('a journal as %s is the same as without', async (format) => {
    const url = `${base}/${shop.box.queueId}/json/v1/journal?type=3&format=${format}`
    const call = (more = {}): Promise<Answer> =>
      raw(url, { method: 'POST', headers: { ...till(), ...more } })
    const packed = await call({ 'accept-encoding': encoding })
    expect(packed.headers['content-encoding']).toBe(encoding)
    expect(plain(packed)).toBe(plain(await call()))
  })
})

describe('the choice of the client', () => {
  it.each([
    ['', undefined],
    ['identity', undefined],
    ['gzip;q=0, br;q=0', undefined],
    ['zstd, compress', undefined],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['br;q=0, *;q=1', 'gzip'],
  ])('%j means %s', async (accepted, expected) => {
    const headers = { ...HTML, 'accept-encoding': accepted }
    const answer = await raw(`${base}${receipt}`, { headers })
    expect(answer.headers['content-encoding']).toBe(expected)
    expect(plain(answer)).toContain('<!doctype html>')
  })
})

describe('what stays as it is', () => {
  it.each(['pdf', 'png', 'jpg'])('a receipt as %s: it is packed already', async (format) => {
    const headers = { 'accept-encoding': 'gzip, br' }
    const answer = await raw(`${base}${receipt}?format=${format}`, { headers })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-encoding']).toBeUndefined()
  })

  it('the answer to a receipt, however long it is: signing does not wait for it', async () => {
    const item = { Quantity: 1, Description: 'Buch', Amount: 1, VATRate: 20 }
    const body = JSON.stringify({
      ftCashBoxID: shop.box.cashBoxId,
      ftReceiptCase: '4707387510509010945',
      cbTerminalID: 'T1',
      cbReceiptReference: 'x'.repeat(500),
      cbReceiptMoment: '2026-01-31T10:15:00Z',
      cbChargeItems: [{ ...item, ftChargeItemCase: '4707387510509010947' }],
      cbPayItems: [{ Amount: 1, ftPayItemCase: '4707387510509010945' }],
    })
    const headers = { ...till(), 'content-type': 'application/json', 'accept-encoding': 'gzip' }
    const url = `${base}/${shop.box.queueId}/json/v1/sign`
    const answer = await raw(url, { method: 'POST', headers, body })
    expect([answer.status, plain(answer).slice(0, 200)]).toEqual([200, expect.anything()])
    expect(answer.bytes.length).toBeGreaterThan(1400)
    expect(answer.headers['content-encoding']).toBeUndefined()
  })

  it('a short answer, and an answer to HEAD', async () => {
    const headers = { ...HTML, 'accept-encoding': 'gzip' }
    const short = await raw(`${base}/health`, { headers })
    expect(short.headers['content-encoding']).toBeUndefined()
    const head = await raw(`${base}${receipt}`, { method: 'HEAD', headers })
    expect([head.status, head.bytes.length]).toEqual([200, 0])
  })
})

describe('the tag of a page', () => {
  it('is a weak one of packed bytes, and both forms are recognized again', async () => {
    const url = `${base}${receipt}`
    const whole = await raw(url, { headers: HTML })
    const packed = await raw(url, { headers: { ...HTML, 'accept-encoding': 'gzip' } })
    expect(whole.headers.etag).toMatch(/^"/)
    expect(packed.headers.etag).toBe(`W/${whole.headers.etag}`)
    for (const tag of [whole.headers.etag, packed.headers.etag]) {
      const headers = { ...HTML, 'accept-encoding': 'gzip', 'if-none-match': String(tag) }
      const known = await raw(url, { headers })
      expect([known.status, known.bytes.length]).toEqual([304, 0])
      expect(known.headers['content-encoding']).toBeUndefined()
      expect(String(known.headers.vary)).toContain('accept-encoding')
    }
  })
})

describe('streams', () => {
  let app: FastifyInstance
  let url: string
  /** Chunks that were asked for. */
  let made = 0
  let goOn: () => void = () => undefined
  const FIRST = 'the first part;'
  // does not become shorter: it would all fit into the sockets
  const PART = randomBytes(64 * 1024)

  beforeAll(async () => {
    app = fastify()
    await compressAnswers(app)
    app.get('/slow', (_request, reply) => {
      const gate = new Promise<void>((open) => {
        goOn = open
      })
      const parts = async function* () {
        yield FIRST
        await gate
        yield 'the second part'
      }
      return reply.type('text/csv').send(Readable.from(parts()))
    })
    app.get('/long', (_request, reply) => {
      const parts = function* () {
        for (made = 0; made < 4000; made += 1) yield PART
      }
      return reply.type('application/json').send(Readable.from(parts()))
    })
    app.get('/broken', (_request, reply) => {
      const parts = async function* () {
        for (let at = 0; at < 50; at += 1) yield PART
        throw new Error('the database is gone')
      }
      return reply.type('application/json').send(Readable.from(parts()))
    })
    app.get('/text/:start', (request, reply) => {
      const { start } = request.params as { start: string }
      return reply.type('text/plain').send(start.padEnd(3000, '.'))
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  })
  afterAll(() => app.close())

  it('leave as they come: the first part is read before the second is made', async () => {
    const headers = { 'accept-encoding': 'gzip' }
    const seen = await new Promise<string>((resolve, reject) => {
      ask(`${url}/slow`, { headers }, (response) => {
        let text = ''
        const plainly = response.pipe(createGunzip())
        plainly.on('data', (part: Buffer) => {
          text += part.toString()
          if (text === FIRST) goOn()
        })
        plainly.on('end', () => resolve(text))
        plainly.on('error', reject)
      }).end()
    })
    expect(seen).toBe(`${FIRST}the second part`)
  })

  it('wait for a reader that is slow, instead of filling the memory', async () => {
    const headers = { 'accept-encoding': 'gzip' }
    const response = await new Promise<IncomingMessage>((resolve) => {
      ask(`${url}/long`, { headers }, resolve).end()
    })
    // it reads nothing: what is under way fills the sockets, and then the source rests
    let before = -1
    while (made !== before) {
      before = made
      await new Promise((done) => setTimeout(done, 300))
    }
    expect(made).toBeLessThan(4000)
    response.destroy()
  })

  it('that break are seen to be broken', async () => {
    const headers = { 'accept-encoding': 'gzip' }
    await expect(raw(`${url}/broken`, { headers })).rejects.toThrow(/aborted|hang up/)
  })

  it.each(['Hj', 'x^', 'HK', '8O', 'Ab'])('a text that begins with %s is told', async (start) => {
    const answer = await raw(`${url}/text/${start}`, { headers: { 'accept-encoding': 'gzip' } })
    expect(plain(answer)).toBe(start.padEnd(3000, '.'))
  })
})
