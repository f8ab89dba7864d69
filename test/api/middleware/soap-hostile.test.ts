// Envelopes that mean harm: a fault or a status, soon, with little memory, and no look at any file
// or address.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, countRows, startTestServer, type TestServer } from '../../support/app.js'
import { workedSince } from '../../support/cpu-time.js'
import { NAUGHTY_STRINGS } from '../../support/naughty-strings.js'
import { parts } from '../../support/parts.js'
import { requestText, sendRaw } from '../../support/raw-http.js'
import { saleText } from '../../support/receipts.js'
import {
  at,
  envelope,
  exactMembers,
  faultOf,
  operation,
  readXml,
  signOperation,
} from '../../support/soap.js'

let server: TestServer
/** Whoever asks here has followed a reference. */
let bait: Server
let baitUrl: string
let bites = 0
beforeAll(async () => {
  server = await startTestServer()
  bait = createServer((_request, reply) => {
    bites += 1
    reply.end('x')
  })
  await new Promise<void>((resolve) => bait.listen(0, '127.0.0.1', resolve))
  baitUrl = `http://127.0.0.1:${(bait.address() as AddressInfo).port}`
})
afterAll(async () => {
  await new Promise((resolve) => bait.close(resolve))
  await server.close()
})

const members = (changes: Record<string, string | undefined> = {}) =>
  exactMembers(saleText(changes))
const sale = (changes?: Record<string, string | undefined>) =>
  envelope(signOperation(members(changes)))
const post = (body: string | Buffer, path = `/${server.box.queueId}`) =>
  call(server, path, { body, headers: { 'content-type': 'text/xml' } })
const hello = operation('Echo', '<message>hello</message>')

describe('a document type', () => {
  const laughs = Array.from(
    { length: 9 },
    (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`,
  )
  const types = (): [string, string][] => [
    ['of nothing', '<!DOCTYPE a>'],
    ['with entities in entities', `<!DOCTYPE a [<!ENTITY l0 "lol">${laughs.join('')}]>`],
    ['with one long entity', `<!DOCTYPE a [<!ENTITY l9 "${'x'.repeat(200_000)}">]>`],
    ['with a file', '<!DOCTYPE a [<!ENTITY l9 SYSTEM "file:///etc/passwd">]>'],
    ['with an address', `<!DOCTYPE a [<!ENTITY l9 SYSTEM "${baitUrl}/x">]>`],
    ['with an outer part', `<!DOCTYPE a SYSTEM "${baitUrl}/x.dtd">`],
    ['with parameter entities', `<!DOCTYPE a [<!ENTITY % p SYSTEM "${baitUrl}/p"> %p;]>`],
  ]

  it('is a fault at once, and nothing is fetched', async () => {
    for (const [name, type] of types()) {
      const body = type + envelope(operation('Echo', '<message>&l9;</message>'))
      for (const path of [`/${server.box.queueId}`, '/rksv', '/xml/sign', '/xml/echo']) {
        const from = process.cpuUsage()
        const { status, text } = await post(body, path)
        expect(status, name).toBe(path.startsWith('/xml') ? 400 : 500)
        expect(text, name).toContain('DOCTYPE')
        expect(text, name).not.toMatch(/root:|lol/)
        // a second run is not the first to be compiled
        expect(workedSince(from), name).toBeLessThan(0.5)
      }
    }
    expect(bites).toBe(0)
  })

  it('neither do references elsewhere lead out', async () => {
    const schema =
      `<Echo xmlns="http://tempuri.org/" xmlns:i="http://www.w3.org/2001/XMLSchema-instance" ` +
      `i:schemaLocation="${baitUrl} ${baitUrl}"><message i:type="x">` +
      `<i:include xmlns:i="http://www.w3.org/2001/XInclude" href="file:///etc/passwd"/>` +
      '</message></Echo>'
    const sheet = `<?xml-stylesheet href="${baitUrl}/x.xsl"?>`
    const answer = await post(sheet + envelope(schema))
    expect(answer.text).not.toContain('root:')
    expect(bites).toBe(0)
  })
})

describe('bombs', () => {
  const bombs: [string, () => string][] = [
    ['depth', () => envelope('<a>'.repeat(200_000))],
    ['depth, closed', () => envelope(`${'<a>'.repeat(100_000)}${'</a>'.repeat(100_000)}`)],
    [
      'attributes',
      () => envelope(`<a ${Array.from({ length: 150_000 }, (_, n) => `b${n}=""`).join(' ')}/>`),
    ],
    [
      'namespaces',
      () =>
        envelope(`<a ${Array.from({ length: 80_000 }, (_, n) => `xmlns:b${n}="u"`).join(' ')}/>`),
    ],
    ['elements', () => envelope('<a/>'.repeat(400_000))],
    ['a long name', () => envelope(`<${'x'.repeat(2_000_000)}/>`)],
    ['a long operation', () => envelope(operation('x'.repeat(900_000)))],
    ['an open comment', () => `<!--${'-'.repeat(2_000_000)}`],
    [
      'headers',
      () =>
        envelope(hello).replace(
          '<s:Body>',
          `<s:Header>${'<h/>'.repeat(400_000)}</s:Header><s:Body>`,
        ),
    ],
    ['zeros', () => '\0'.repeat(2_000_000)],
  ]

  it('are faults after a second of work, short ones, and cost no memory for good', async () => {
    await post(envelope(hello))
    for (const [name, bomb] of bombs) {
      const body = bomb()
      const from = process.cpuUsage()
      const answer = await post(body)
      expect(answer.status, name).toBe(500)
      expect(faultOf(answer.text).code, name).toBe('s:Client')
      expect(answer.text.length, name).toBeLessThan(2000)
      expect(workedSince(from), name).toBeLessThan(1)
    }
  })

  it('ten thousand items are read, more are refused by name', async () => {
    const item = '{"Description":"x","Amount":0,"ftChargeItemCase":"4707387510509010947"}'
    const items = (count: number) => `[${new Array(count).fill(item).join(',')}]`
    const many = await post(sale({ cbChargeItems: items(9000), cbPayItems: '[]' }))
    expect(many.status, many.text.slice(0, 300)).toBe(200)
    const more = await post(
      sale({ cbChargeItems: `[${new Array(10_001).fill('{}').join(',')}]`, cbPayItems: '[]' }),
    )
    expect(faultOf(more.text).detail).toMatchObject({ field: 'cbChargeItems' })
  })
})

describe('size', () => {
  it('an envelope of 100 MB is 413 before it has come, declared or not', async () => {
    const { url } = server
    const path = `/${server.box.queueId}`
    const head = (length: string) =>
      requestText(path, { ...server.headers, 'content-type': 'text/xml', ...lengthOf(length) })
    const lengthOf = (length: string) =>
      length === '' ? { 'transfer-encoding': 'chunked' } : { 'content-length': length }
    const piece = Buffer.alloc(64 * 1024, 0x20)
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), piece, Buffer.from('\r\n')])
    // who goes on sending does not read: the answer is for those who stop
    const declared = await sendRaw(url, { head: head('104857600') })
    expect(declared.status).toBe(413)
    expect(faultOf(declared.text.slice(declared.text.indexOf('<s:'))).detail.code).toBe(
      'BODY_TOO_LARGE',
    )
    const endless = await sendRaw(url, { head: head(''), more: () => chunk })
    expect(endless.status).toBe(413)
    // some more is on its way before the answer is read
    expect(endless.sent).toBeLessThan(20 * 1024 * 1024)
  })
})

describe('bytes', () => {
  const text = `<?xml version="1.0" encoding="utf-16"?>${envelope(hello)}`

  it.each<[string, Buffer, number]>([
    ['UTF-8, declared as UTF-16', Buffer.from(text), 200],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`), 200],
    ['UTF-16 with a mark', Buffer.from(`\ufeff${text}`, 'utf16le'), 200],
    ['UTF-16, big end first', Buffer.from(`\ufeff${text}`, 'utf16le').swap16(), 200],
    ['UTF-16 without a mark', Buffer.from(text, 'utf16le'), 200],
    ['UTF-16, cut', Buffer.from(`\ufeff${text}`, 'utf16le').subarray(0, -1), 500],
    ['UTF-7', Buffer.from('+ADw-a+AD4-'), 500],
    ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x3c, 0, 0, 0]), 500],
    ['Latin-1', Buffer.from(envelope(operation('Echo', '<message>\xe4</message>')), 'latin1'), 500],
    ['EBCDIC', Buffer.from([0x4c, 0x6f, 0xa7, 0x94, 0x93]), 500],
  ])('%s', async (_name, bytes, status) => {
    const answer = await post(bytes)
    expect(answer.status, answer.text).toBe(status)
    if (status === 200)
      expect(at(readXml(answer.text), 'Envelope.Body.EchoResponse.EchoResult')).toBe('hello')
    else expect(faultOf(answer.text).code).toBe('s:Client')
  })

  it('bodies compressed in a way that nobody here reads are refused', async () => {
    const headers = { 'content-type': 'text/xml', 'content-encoding': 'br' }
    const answer = await call(server, `/${server.box.queueId}`, { body: 'x', headers })
    expect(faultOf(answer.text).detail.code).toBe('BODY_COMPRESSED')
  })
})

describe('texts', () => {
  it('return unchanged from every door of XML', async () => {
    // what XML 1.0 cannot hold, not even by reference
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
    const impossible = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/
    const texts = NAUGHTY_STRINGS.filter((text) => !impossible.test(text) && text.isWellFormed())
    expect(texts.length).toBeGreaterThan(150)
    for (const text of texts) {
      const answer = await post(sale({ cbReceiptReference: JSON.stringify(text) }))
      expect(answer.status, JSON.stringify(text)).toBe(200)
      const { receipt_reference: stored } = await server.row(
        'select receipt_reference from queue_item order by row desc limit 1',
      )
      expect(stored).toBe(text)
      const echoed = await post(`<string>${escaped(text)}</string>`, '/xml/echo')
      const told = String(at(readXml(echoed.text), 'string') ?? '').replaceAll('&#13;', '\r')
      expect(told, echoed.text).toBe(text)
    }
  })
})

const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;')
describe('mutations', () => {
  const pieces = fc.constantFrom(
    ...['<', '>', '</', '/>', '&', '&amp;', ';', '"', "'", '<!', '<!--', '-->', '<![CDATA[', ']]>'],
    ...['<?', '?>', '\u0000', '\ufeff', '\ufffe', 'xmlns=""', 'i:nil="true"', '<a>', '</s:Body>'],
    ...['<s:Header/>', '99999999999999999999', 'NaN', '-', '\ud800', '🌍', '&#0;', '&#x10FFFF;'],
  )
  const changes = fc.array(fc.tuple(parts, pieces, fc.nat({ max: 30 })), {
    minLength: 1,
    maxLength: 4,
  })

  it('of envelopes and XML bodies give an answer or a refusal in form', async () => {
    await fc.assert(
      fc.asyncProperty(changes, fc.boolean(), async (list, isSoap) => {
        const start = isSoap ? sale() : signOperation(members())
        const body = list.reduce((text, [where, piece, cut]) => {
          const index = Math.floor(where * (text.length + 1))
          return text.slice(0, index) + piece + text.slice(index + cut)
        }, start)
        const answer = isSoap ? await post(body) : await post(body, '/xml/sign')
        if (answer.status === 200) return
        if (!isSoap) {
          expect(answer.status, answer.text).toBe(400)
          expect(at(readXml(answer.text), 'error.code')).toMatch(/^[A-Z_]+$/)
        } else {
          expect(faultOf(answer.text).code, answer.text).not.toBe('s:Server')
        }
      }),
      { numRuns: 200 },
    )
  })

  it('left the queue in order', async () => {
    expect((await post(sale())).status).toBe(200)
    const { count, last } = await server.row(
      'select count(*)::int as count, max(row)::int as last from queue_item',
    )
    expect(count).toBe(last)
    expect(Number((await countRows(server)).items)).toBe(last)
  })
})
