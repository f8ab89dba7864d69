// Bodies that nobody sends by accident, to every operation of group D: refused with a stable code
// or read as what they say, never a fault of the server, and nothing stays behind.
import { randomUUID } from 'node:crypto'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  jsonOf,
  lowState,
  openPosShop,
  type PosShop,
  payment,
  receipt,
  sale,
} from '../../support/pos-shop.js'
import { problemOf, type WireReply, wire, wireHeaders } from '../../support/pos-wire.js'
import { requestText, sendRaw } from '../../support/raw-http.js'

let shop: PosShop
beforeAll(async () => {
  shop = await openPosShop({ DUMMY_PAYMENT_TIME_SCALE: '0' }, ['AT'])
})
afterAll(() => shop.close())

const ids = { ftQueueID: randomUUID(), ftQueueItemID: randomUUID() }
const PAIR = jsonOf({ ReceiptRequest: {}, ReceiptResponse: ids })
const ITEM = `/v2/issue/${ids.ftQueueID}/${ids.ftQueueItemID}`

interface Target {
  path: string
  method?: string
  /** A body that is taken. */
  right: string
}

/** All that read a body under an operation id. */
const targets: Target[] = [
  { path: '/v2/echo', right: '{"Message":"x"}' },
  { path: '/v2/pay', right: payment('1') },
  { path: '/v2/sign', right: jsonOf(receipt('hostile')) },
  { path: '/v2/issue', right: PAIR },
  { path: ITEM, method: 'PUT', right: '{"Action":"accept"}' },
  { path: '/v2/journal', right: '{"ftJournalType":1}' },
]
const named = targets.map(
  (target) => [`${target.method ?? 'POST'} ${target.path.slice(0, 9)}`, target] as const,
)

const deep = (levels: number) => `{"x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
const utf16 = (text: string) => Buffer.from(text, 'utf16le')

/** No JSON, whoever reads it. */
const broken: readonly (readonly [string, string | Buffer])[] = [
  ...[['empty', ''] as const, ['blank', ' \r\n\t '] as const, ['a comma', ','] as const],
  ...['[]', '[{}]', '"x"', '1', 'null', 'true', 'NaN'].map((text) => [text, text] as const),
  ...[['truncated', '{"a":1'] as const, ['two documents', '{}{}'] as const],
  ...[['a trailing comma', '{"a":1,}'] as const, ['an open string', '{"a":"'] as const],
  ...[['NaN', '{"a":NaN}'] as const, ['Infinity', '{"a":-Infinity}'] as const],
  ...[['hexadecimal', '{"a":0x1}'] as const, ['a leading zero', '{"a":01}'] as const],
  ...[['a comment', '{"a":1/**/}'] as const, ['single quotes', "{'a':1}"] as const],
  ...[['no quotes', '{a:1}'] as const, ['a raw NUL', '{"a":"\u0000"}'] as const],
  ...[['a raw line end', '{"a":"\n"}'] as const, ['a wrong escape', '{"a":"\\x41"}'] as const],
  ...[['half an escape', '{"a":"\\u12"}'] as const, ['66 levels', deep(66)] as const],
  ...[['two marks', '\ufeff\ufeff{}'] as const, ['100,000 brackets', '['.repeat(100_000)] as const],
  ['UTF-16 cut', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16('{"a":1')])],
  ['UTF-16 without mark', utf16('{"a":1}')],
  ['UTF-32', Buffer.from('{\0\0\0}\0\0\0', 'latin1')],
  ['Latin-1', Buffer.from('{"a":"ü"}', 'latin1')],
  ['an overlong form', Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d])],
  ['half a pair in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ['random bytes', Buffer.from('8f3c00ff7b22917d0a1b', 'hex')],
]

describe.each(named)('%s', (_name, { path, method = 'POST', right }) => {
  const send = (body: string | Buffer, id: string = randomUUID(), headers = {}) =>
    wire(shop.url, path, {
      method,
      headers: wireHeaders(shop.at, { 'x-operation-id': id, ...headers }),
      body,
    })
  const published = () => shop.send(shop.at, '/v2/issue', PAIR)

  it('refuses what is no JSON object as invalid_json, and the id stays free', async () => {
    await published()
    const id = randomUUID()
    const before = await shop.counts()
    for (const [name, body] of broken) {
      const reply = await send(body, id)
      expect(reply.json().code, `${name}: ${reply.text}`).toBe('invalid_json')
      problemOf(reply, 400, 'invalid_json')
      expect(reply.text.length, name).toBeLessThan(700)
    }
    expect(await shop.counts()).toEqual(before)
    expect([200, 201]).toContain((await send(right, id)).status)
    const garbage = await send('{"a":1,}', id)
    problemOf(garbage, 409, 'operation_conflict')
  })

  it('reads a byte order mark, tabs, escapes and any order as the same call', async () => {
    await published()
    const id = randomUUID()
    const first = await send(right, id)
    const escaped = right.replaceAll('e', '\\u0065').replace(/^\{/, '\t{ \r\n')
    for (const body of [`\ufeff${right}`, ` ${right} `, escaped]) {
      const again = await send(body, id)
      expect([again.status, again.bytes], body).toEqual([200, first.bytes])
    }
    const marked = await send(`\ufeff${right}`)
    expect([200, 201], marked.text).toContain(marked.status)
  })

  it('takes names of the language for members like any other', async () => {
    await published()
    for (const name of [
      '__proto__',
      'constructor',
      'prototype',
      'toString',
      'hasOwnProperty',
      '',
    ]) {
      for (const value of ['{"x":1}', 'null', '[]', '{"Message":"y","Action":"z"}']) {
        const reply = await send(right.replace(/^\{/, `{${JSON.stringify(name)}:${value},`))
        expect([200, 201], `${name} ${reply.text}`).toContain(reply.status)
      }
    }
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  })

  it('never fails over a value of the wrong kind', async () => {
    await published()
    const names = [...right.matchAll(/"(\w+)":/g)].map(([, name]) => name ?? '')
    const values = [
      ...['1e400', '-1e400', '1e-400', '1E999999999', '-0', '0.1e1', `1${'0'.repeat(50_000)}`],
      ...['9'.repeat(400), '"\\ud800"', '"\\udc00x"', '"\\u0000"', '"a\\u0001b"', '[]', '{}', '""'],
      ...[
        'null',
        'true',
        '[null]',
        '[[]]',
        '{"":{}}',
        '" "',
        '"0x"',
        '"_"',
        '-1',
        '18446744073709551616',
      ],
      ...[`"${'\\u0000'.repeat(300)}"`, `[${'1,'.repeat(200)}1]`],
    ]
    for (const name of new Set(names)) {
      for (const value of values) {
        // the first member of this name
        const at = new RegExp(`("${name}":)("[^"]*"|\\[\\]|\\{[^{}]*\\}|[\\d.]+)`)
        const body = right.replace(at, (_, start: string) => start + value)
        const reply = await send(body)
        expect([200, 201, 400], `${name} ${value.slice(0, 30)}: ${reply.text}`).toContain(
          reply.status,
        )
        if (reply.status === 400) {
          expect(['invalid_json', 'validation_failed']).toContain(reply.json().code)
          expect(reply.text.length, `${name} ${value.slice(0, 30)}`).toBeLessThan(20_000)
        }
      }
    }
  })

  it('refuses 5 MiB, declared or not, and other types and packings', async () => {
    const id = randomUUID()
    const big = `{"x":"${'x'.repeat(5 * 1024 * 1024)}"}`
    problemOf(await send(big, id), 400, 'payload_too_large')
    const headers = wireHeaders(shop.at, { 'x-operation-id': id }) as Record<string, string>
    const declared = { ...headers, 'content-length': String(10 * 1024 ** 3) }
    const head = requestText(path, declared).replace(/^POST/, method)
    const raw = await sendRaw(shop.url, { head })
    expect([raw.status, raw.text.includes('payload_too_large')]).toEqual([400, true])
    for (const [encoding, pack] of [
      ['br', brotliCompressSync],
      ['gzip, gzip', gzipSync],
    ] as const) {
      const reply = await send(pack(right), id, { 'content-encoding': encoding })
      problemOf(reply, 400, 'unsupported_media_type')
    }
    for (const type of [
      'text/plain',
      'application/xml',
      'multipart/form-data',
      'json',
      ';',
      'a/b',
    ]) {
      const reply = await send(right, id, { 'content-type': type })
      problemOf(reply, 400, 'unsupported_media_type')
    }
    expect([200, 201]).toContain((await send(right, id)).status)
  })

  it.each([
    undefined,
    '',
    'application/json',
    'text/json',
    'application/vnd.a+json',
    'APPLICATION/JSON;x',
  ])('reads a body of type %s', async (type) => {
    await published()
    const reply = await send(right, randomUUID(), { 'content-type': type })
    expect([200, 201], reply.text).toContain(reply.status)
  })
})

describe('65 levels', () => {
  it('are read in a pair, whose receipts stand one level deeper, and nowhere else', async () => {
    const pair = (inner: string) => `{"ReceiptRequest":${inner},"ReceiptResponse":${jsonOf(ids)}}`
    expect((await shop.send(shop.at, '/v2/issue', pair(deep(64)))).status).toBe(201)
    problemOf(await shop.send(shop.at, '/v2/issue', pair(deep(65))), 400, 'invalid_json')
    const signed = (levels: number) =>
      shop.send(shop.at, '/v2/sign', jsonOf(receipt()).replace(/\}$/, `,"x":${deep(levels - 1)}}`))
    expect((await signed(64)).status).toBe(201)
    problemOf(await signed(65), 400, 'invalid_json')
  })
})

describe('doubled members', () => {
  it('of an action or a protocol are refused: money must not depend on the reader', async () => {
    const body = payment('1').replace('{', '{"Action":"refund",')
    problemOf(await shop.send(shop.at, '/v2/pay', body), 400, 'validation_failed')
  })

  it('of a receipt count once: the first that is not empty', async () => {
    const reference = randomUUID()
    const body = jsonOf(sale(reference)).replace(/\}$/, ',"cbReceiptReference":"other"}')
    const reply = await shop.send(shop.at, '/v2/sign', body)
    expect([reply.status, reply.json().cbReceiptReference]).toEqual([201, reference])
  })
})

describe('strange texts in a receipt', () => {
  it.each([
    ...['\\u0000', '\\ud800', '\\udfff\\ud800', '\\u0001', '\\u007f', '\\u2028', '\\ufeff'],
  ])('%s inside of free JSON is signed, published and shown, or refused by name', async (text) => {
    for (const name of ['cbUser', 'cbCustomer', 'ftReceiptCaseData', 'unknown']) {
      for (const value of [`"a${text}b"`, `{"AT":"a${text}b","c":["${text}"]}`]) {
        const body = jsonOf(sale()).replace(/\}$/, `,"${name}":${value}}`)
        const id = randomUUID()
        const reply = await shop.send(shop.at, '/v2/sign', body, { id })
        expect(reply.status, reply.text).toBe(201)
        expect(lowState(reply)).toBe(0n)
        const pair = `{"ReceiptRequest":${body},"ReceiptResponse":${reply.text}}`
        const issued = await shop.send(shop.at, '/v2/issue', pair)
        expect(issued.status, issued.text).toBe(201)
        expect((await fetch(String(issued.json().DocumentURL))).status).toBe(200)
        expect((await shop.read(shop.at, `/v2/journal/${id}`)).json().Request).toBe(body)
      }
    }
  })

  it('are exported afterwards', async () => {
    for (const type of [1, 2, 3]) {
      const reply = await shop.send(shop.at, '/v2/journal', { ftJournalType: type })
      expect(reply.status).toBe(200)
      expect(Array.isArray(JSON.parse(reply.text))).toBe(true)
    }
  })
})

describe('addresses', () => {
  it('that are none are 404, with another method 405, both as problems', async () => {
    for (const path of [
      '/v2',
      '/v2/',
      '/v2/x',
      '/v2/sign/x',
      '/v2/cart',
      '/v2.1/order',
      '/v2/../x',
    ]) {
      problemOf(await wire(shop.url, path, { headers: wireHeaders(shop.at) }), 404, 'not_found')
    }
    for (const { path, method = 'POST' } of targets) {
      for (const other of ['DELETE', 'PATCH', 'TRACE', method === 'POST' ? 'PUT' : 'POST']) {
        const reply: WireReply = await wire(shop.url, path, { method: other })
        problemOf(reply, 405, 'method_not_allowed')
        expect(reply.headers.allow?.split(', ')).toContain(method)
      }
    }
  })

  it('that cannot be read are 400', async () => {
    for (const path of ['/v2/%', '/v2/echo%zz', '/v2/%ff', `/v2/issue/%c0%af/x`]) {
      const reply = await wire(shop.url, path, { headers: wireHeaders(shop.at) })
      expect([400, 404], reply.text).toContain(reply.status)
      expect(reply.headers['content-type']).toContain('application/problem+json')
    }
  })
})
