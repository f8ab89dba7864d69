// Bytes on their way: connections that end at any byte, bodies that are packed or written in other
// code pages, requests that are none. Real sockets, in every group that tills call.
import { randomUUID } from 'node:crypto'
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import iconv from 'iconv-lite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countRows, startTestServer, type TestServer } from '../../support/app.js'
import { type RawCall, sendRaw } from '../../support/raw-http.js'
import { saleText } from '../../support/receipts.js'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

type Headers = Record<string, string>
const possystem = (): Headers => ({
  'x-cashbox-id': server.box.cashBoxId,
  'x-cashbox-accesstoken': server.box.accessToken,
  'x-operation-id': randomUUID(),
  'x-possystem-id': randomUUID(),
})

/** A whole request; `host` and its length are added. */
function bytesOf(path: string, headers: Headers, body: Buffer): Buffer {
  const all = { host: 'localhost', 'content-length': String(body.length), ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`), body])
}

const CLOSE = { connection: 'close' }
const send = (head: Buffer, then?: RawCall['then']) =>
  sendRaw(server.url, then === undefined ? { head } : { head, then })
const json = { 'content-type': 'application/json' }
const xmlEcho = (text: string, encoding = 'utf-8') =>
  `<?xml version="1.0" encoding="${encoding}"?>` +
  `<string xmlns="http://schemas.microsoft.com/2003/10/Serialization/">${text}</string>`
const soapEcho = (text: string) =>
  '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>' +
  `<Echo xmlns="http://tempuri.org/"><message>${text}</message></Echo></s:Body></s:Envelope>`

interface Door {
  name: string
  path(): string
  headers(): Headers
  /** A body that has its text sent back. */
  body(text: string): string
}
const DOORS: Door[] = [
  {
    name: 'group B in JSON',
    path: () => '/json/v1/echo',
    headers: () => ({ ...server.headers, ...json }),
    body: (text) => JSON.stringify({ message: text }),
  },
  {
    name: 'group B in XML',
    path: () => '/xml/v0/echo',
    headers: () => ({ ...server.headers, 'content-type': 'application/xml' }),
    body: (text) => xmlEcho(text),
  },
  {
    name: 'group B over SOAP',
    path: () => `/${server.box.queueId}`,
    headers: () => ({ ...server.headers, 'content-type': 'text/xml' }),
    body: soapEcho,
  },
  {
    name: 'group C',
    path: () => '/api/v0/iatsscd/echo',
    headers: () => ({ ...server.headers, ...json }),
    body: (text) => JSON.stringify({ message: text }),
  },
  {
    name: 'group D',
    path: () => '/v2/echo',
    headers: () => ({ ...possystem(), ...json }),
    body: (text) => JSON.stringify({ Message: text }),
  },
]
const TEXT = 'Käse für 5 €'

describe.each(DOORS)('$name', (door) => {
  const ask = (body: Buffer, more: Headers = {}) =>
    send(bytesOf(door.path(), { ...CLOSE, ...door.headers(), ...more }, body))
  const echoed = (text: string) => Buffer.from(text, 'latin1').toString('utf8')

  it('a client that says nothing more and listens gets its answer', async () => {
    const whole = bytesOf(door.path(), door.headers(), Buffer.from(door.body(TEXT)))
    const answer = await send(whole, 'fin')
    expect(answer.status, answer.text).toBe(200)
    expect(echoed(answer.text)).toContain(TEXT)
  })

  it('reads UTF-16 with its mark, and code pages that are declared', async () => {
    const label = door.headers()['content-type']
    for (const encoding of ['utf-16le', 'utf-16be'] as const) {
      const body = iconv.encode(door.body(TEXT), encoding, { addBOM: true })
      const answer = await ask(body)
      expect(echoed(answer.text), encoding).toContain(TEXT)
    }
    for (const charset of ['windows-1252', 'WINDOWS-1252', 'iso-8859-1', 'cp1252']) {
      const body = iconv.encode(door.body(TEXT), 'windows-1252')
      const answer = await ask(body, { 'content-type': `${label}; charset=${charset}` })
      expect(echoed(answer.text), charset).toContain(TEXT)
    }
    // a label that is wrong changes no text that is valid UTF-8
    const honest = Buffer.from(door.body(TEXT))
    const answer = await ask(honest, { 'content-type': `${label}; charset=iso-8859-1` })
    expect(echoed(answer.text)).toContain(TEXT)
  })

  it('refuses bytes of a code page that nobody has declared, and half a character', async () => {
    const bare = await ask(iconv.encode(door.body(TEXT), 'windows-1252'))
    const odd = await ask(
      Buffer.concat([iconv.encode(door.body('x'), 'utf-16le', { addBOM: true }), Buffer.from([1])]),
    )
    for (const { status } of [bare, odd]) expect([400, 500]).toContain(status)
    for (const { text } of [bare, odd]) expect(text).toMatch(/UTF-8/)
  })

  it('unpacks gzip and deflate, with and without the frame of zlib', async () => {
    const plain = Buffer.from(door.body(TEXT))
    for (const [encoding, body] of [
      ['gzip', gzipSync(plain)],
      ['x-gzip', gzipSync(plain)],
      ['GZIP', gzipSync(plain)],
      ['deflate', deflateSync(plain)],
      ['deflate', deflateRawSync(plain)],
    ] as const) {
      const answer = await ask(body, { 'content-encoding': encoding })
      expect(answer.status, answer.text).toBe(200)
      expect(echoed(answer.text)).toContain(TEXT)
    }
  })

  it('refuses bombs at their limit, and packed bodies that are broken', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '))
    const before = process.memoryUsage().rss
    const big = await ask(bomb, { 'content-encoding': 'gzip' })
    expect([413, 400]).toContain(big.status)
    expect(big.text).toMatch(/larger than/)
    expect(process.memoryUsage().rss - before).toBeLessThan(48 * 1024 * 1024)
    const whole = gzipSync(Buffer.from(door.body(TEXT)))
    for (const body of [whole.subarray(0, -9), Buffer.from('no gzip at all'), Buffer.alloc(0)]) {
      const answer = await ask(body, { 'content-encoding': 'gzip' })
      expect([400, 500], answer.text).toContain(answer.status)
    }
    const other = await ask(whole, { 'content-encoding': 'br' })
    expect(other.text).toMatch(/compressed/)
  })
})

describe('a declaration inside of XML', () => {
  it('counts where the header says nothing', async () => {
    const body = iconv.encode(xmlEcho(TEXT, 'windows-1252'), 'windows-1252')
    const headers = { ...CLOSE, ...server.headers, 'content-type': 'text/xml' }
    const { text } = await send(bytesOf('/xml/v0/echo', headers, body))
    expect(Buffer.from(text, 'latin1').toString()).toContain(TEXT)
  })
})

describe('a connection that ends', () => {
  const requests = () => {
    const sale = Buffer.from(saleText())
    const packed = gzipSync(sale)
    const head = { ...server.headers, ...json }
    const pieces = Buffer.from(`${sale.length.toString(16)}\r\n${sale.toString()}\r\n0\r\n\r\n`)
    const chunked = bytesOf('/json/v1/sign', { ...head, 'transfer-encoding': 'chunked' }, pieces)
    const text = chunked.toString().replace(/content-length: \d+\r\n/, '')
    return {
      plain: bytesOf('/json/v1/sign', head, sale),
      packed: bytesOf('/json/v1/sign', { ...head, 'content-encoding': 'gzip' }, packed),
      chunked: Buffer.from(text),
      possystem: bytesOf('/v2/echo', { ...possystem(), ...json }, Buffer.from('{"Message":"x"}')),
    }
  }

  it.each(['plain', 'packed', 'chunked', 'possystem'] as const)(
    'at any byte of a %s request signs nothing, and keeps no place',
    async (name) => {
      const whole = requests()[name]
      const before = await countRows(server)
      for (const then of ['fin', 'gone'] as const) {
        for (let from = 0; from < whole.length; from += 64) {
          const ends = Array.from({ length: 64 }, (_, at) => from + at)
          const cut = ends.filter((end) => end < whole.length)
          const answers = await Promise.all(cut.map((end) => send(whole.subarray(0, end), then)))
          for (const { status } of answers) expect([0, 400, 408]).toContain(status)
        }
      }
      expect(await countRows(server)).toEqual(before)
      await expect
        .poll(
          () => new Promise((resolve) => server.app.server.getConnections((_, n) => resolve(n))),
        )
        .toBe(0)
      const answer = await send(whole, 'fin')
      expect(answer.status, answer.text).toBe(200)
    },
    60_000,
  )
})

describe('bytes behind a call that are none', () => {
  const sale = () =>
    bytesOf('/json/v1/sign', { ...server.headers, ...json }, Buffer.from(saleText()))
  const statuses = ({ text }: { text: string }) =>
    [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status)

  it.each(['}', '\0\x01\r\n\r\n', 'GET / HTTP/2.0\r\n\r\n'])(
    'are refused behind its answer: what was signed is not answered with 400 (%j)',
    async (more) => {
      for (const then of ['fin', undefined] as const) {
        const before = await countRows(server)
        const answer = await send(Buffer.concat([sale(), sale(), Buffer.from(more)]), then)
        // who says no more may see the end of the connection instead
        expect(statuses(answer).join()).toMatch(/^200,200(,400)?$/)
        expect(await countRows(server)).not.toEqual(before)
      }
    },
  )

  it('within its body are refused at once', async () => {
    const head = { ...server.headers, ...json, 'transfer-encoding': 'chunked' }
    const whole = bytesOf('/json/v1/sign', head, Buffer.from('x\r\n')).toString()
    const broken = Buffer.from(whole.replace(/content-length: \d+\r\n/, ''))
    const answer = await send(Buffer.concat([sale(), broken]), 'fin')
    expect(statuses(answer)).toEqual(['200', '400'])
  })
})

describe('what is no HTTP/1', () => {
  const refused = async (text: string) => {
    const { text: answer } = await send(Buffer.from(text), 'fin')
    return /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]
  }

  it('is 400: HTTP/0.9, HTTP/2.0 as text, no version, garbage', async () => {
    for (const line of ['GET /health', 'GET /health HTTP/0.9', 'GET /health HTTP/2.0', 'x']) {
      expect(await refused(`${line}\r\n\r\n`), line).toBe('400')
      expect(await refused(`${line}\r\nhost: localhost\r\n\r\n`), line).toBe('400')
    }
    expect(await refused('GET /health HTTP/1.0\r\nconnection: close\r\n\r\n')).toBe('200')
  })

  it('is 400 with no Host, or with two of them, equal or not', async () => {
    const ask = (hosts: string) =>
      refused(`GET /health HTTP/1.1\r\n${hosts}connection: close\r\n\r\n`)
    expect(await ask('host: a\r\n')).toBe('200')
    expect(await ask('')).toBe('400')
    expect(await ask('host: a\r\nHost: b\r\n')).toBe('400')
    expect(await ask('HOST: a\r\nhost: a\r\n')).toBe('400')
  })
})
