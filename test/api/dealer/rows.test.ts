// What a row of the route table can ask for, tried with rows of the test's own: members, enums,
// 64-bit numbers, uploads, forms of refusals.
import { randomUUID } from 'node:crypto'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dealerTable } from '../../../src/api/dealer/document.js'
import { dealer } from '../../../src/api/dealer/index.js'
import { operation } from '../../../src/api/dealer/operation.js'
import { documentOf } from '../../../src/api/shared/openapi/document.js'
import { type DealerStand, faults, headersOf, openDealer, refusal } from '../../support/dealer.js'
import { common, LIMIT, rows } from '../../support/dealer-rows.js'
import { documentFaults } from '../../support/openapi.js'

let stand: DealerStand
let app: FastifyInstance
beforeAll(async () => {
  stand = await openDealer({ variables: { RATE_LIMITS: 'credentials=0' } })
  app = fastify({
    genReqId: () => randomUUID(),
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true },
  })
  await app.register((scope, _options, done) => {
    dealer(scope, stand.deps.dealer, { operations: rows })
    done()
  })
  await app.ready()
})
afterAll(async () => {
  await app.close()
  await stand.close()
})

const json = { 'content-type': 'application/json' }

async function call(line: string, payload?: string | Buffer, more: Record<string, string> = json) {
  const [method = '', url = ''] = line.split(' ')
  const answer = await app.inject({
    method: method as 'GET',
    url: `/api${url}`,
    headers: { ...headersOf(stand.dealer), ...(payload === undefined ? {} : json), ...more },
    ...(payload === undefined ? {} : { payload }),
  })
  const read = () => JSON.parse(answer.body) as Record<string, unknown>
  const list = () => JSON.parse(answer.body) as Record<string, unknown>[]
  return { status: answer.statusCode, headers: answer.headers, text: answer.body, json: read, list }
}

describe('a member', () => {
  const ID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'

  it.each([
    ['"id":"{3F2504E0-4F89-41D3-9A0C-0305E82C3301}"', { id: ID }],
    ['"ID":" 3f2504e0-4f89-41d3-9a0c-0305e82c3301 "', { id: ID }],
    ['"rights":"readwrite"', { rights: 'ReadWrite' }],
    ['"Rights":3', { rights: 'ReadWrite' }],
    ['"rights":"0"', { rights: 'Undefined' }],
    ['"at":"2026-01-31T10:15:00"', { at: '2026-01-31T10:15:00Z' }],
    ['"at":"2026-01-31T10:15:00.1234567+01:00"', { at: '2026-01-31T09:15:00.123Z' }],
    ['"ticks":639148689300000001', { ticks: '639148689300000001' }],
    ['"either":1067', { either: 1067 }],
    ['"either":"01067"', { either: '01067' }],
    ['"NESTED":{"DEEPNAME":"x"}', { nested: { deepName: 'x' } }],
    ['"note":" "', { note: null }],
    ['"name":"a","NAME":"b"', { name: 'b' }],
    ['"raw":{"N":1.10}', { raw: { N: '1.10' } }],
    ['"unknown":1,"name":"x",', { name: 'x' }],
  ])('%s is read', async (member, expected) => {
    const reply = await call('POST /echo', `{${member}}`)
    expect(reply.status, reply.text).toBe(201)
    const exact = reply.text.replace(/":(\d{16,}|\d+\.\d+)/g, '":"$1"')
    expect(JSON.parse(exact)).toMatchObject(expected)
  })

  it.each([
    ['"id":"x"', 'id'],
    ['"rights":"readers"', 'rights'],
    ['"rights":5', 'rights'],
    ['"at":"yesterday"', 'at'],
    ['"ticks":1.5', 'ticks'],
    ['"ticks":"1"', 'ticks'],
    ['"name":7', 'name'],
    ['"name":"123456"', 'name'],
    ['"note":"123456"', 'note'],
    ['"ids":["3f2504e0-4f89-41d3-9a0c-0305e82c3301","x"]', 'ids[1]'],
    ['"nested":{}', 'nested.deepName'],
    ['"nested":[]', 'nested'],
  ])('%s is refused under its path', async (member, path) => {
    expect(Object.keys(faults(await call('POST /echo', `{${member}}`)))).toEqual([path])
  })
})

describe('a query', () => {
  it('is read by name in any case, the last of several, empty ones not at all', async () => {
    const query = async (text: string) => (await call(`POST /echo?${text}`, '{}')).json().query
    expect(await query('FLAG=TRUE&many=1&Many=2')).toEqual({ flag: true, many: 2 })
    expect(await query('flag=&other=1')).toEqual({ many: 3 })
    expect(Object.keys(faults(await call('POST /echo?many=x&flag=1', '{}')))).toEqual([
      'flag',
      'many',
    ])
  })
})

describe('an address', () => {
  it('has its aliases, other methods and other paths', async () => {
    for (const line of ['POST /echo', 'PUT /echo', 'POST /also/echo', 'POST /ALSO/Echo/']) {
      expect((await call(line, '{}')).status, line).toBe(201)
    }
    expect((await call('GET /echo')).headers.allow).toBe('POST, PUT')
  })

  it('prefers a word to an id, and may answer a broken id with 404', async () => {
    expect((await call('GET /things/settings')).json()).toBe('settings')
    expect(refusal(await call('DELETE /things/x'))).toEqual({
      status: 404,
      code: 'InvitationNotFound',
    })
    const reply = await call(`DELETE /things/${randomUUID().toUpperCase()}`)
    expect([reply.status, reply.text]).toEqual([204, ''])
  })
})

describe('an answer', () => {
  it('keeps 64-bit integers and writes moments in UTC', async () => {
    expect((await call('GET /exact')).text).toBe(
      '{"ticks":639148689300000001,"at":"1970-01-01T00:00:00Z"}',
    )
  })

  it('may be a text with headers of its own', async () => {
    const reply = await call('GET /csv')
    expect([reply.text, reply.headers['x-more']]).toEqual(['a;b', '1'])
    expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8')
  })
})

describe('a refusal', () => {
  it('is problem details throughout where the row says so', async () => {
    const reply = await call('PATCH /conflict')
    expect(faults(reply, 404)).toEqual({})
    expect(reply.json()).toMatchObject({
      type: 'https://tools.ietf.org/html/rfc9110#section-15.5.5',
      status: 404,
    })
    const wrong = await call('PATCH /conflict', undefined, { accesstoken: 'x' })
    expect(faults(wrong, 401)).toEqual({})
  })

  it('tells its numbers where the code has some', async () => {
    const reply = await call('POST /few')
    expect(refusal(reply)).toEqual({ status: 409, code: 'InsufficientEntitlements' })
    expect(reply.json()).toMatchObject({ name: 'A', required: 2, available: 1 })
  })

  it('because of a database that is away is 503 with Retry-After', async () => {
    const reply = await call('POST /away')
    expect(refusal(reply)).toEqual({ status: 503, code: 'Unavailable' })
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
  })

  it('of what nobody expected says nothing about it', async () => {
    const reply = await call('POST /broken')
    expect(refusal(reply)).toEqual({ status: 500, code: 'InternalError' })
    expect(reply.text).not.toContain('secret')
  })
})

describe('access', () => {
  it('of auto-invitation needs the opt-in', async () => {
    const without = await stand.account({ autoInvite: false })
    const reply = await call('POST /opt', undefined, headersOf(without))
    expect(refusal(reply)).toEqual({ status: 403, code: 'AutoInvitationRoleRequired' })
    expect((await call('POST /opt')).status).toBe(204)
  })

  it('of any role takes every account, with its token', async () => {
    const merchant = await stand.account({ kind: 'PosOperator', roles: [] })
    const reply = await call('GET /anybody', undefined, headersOf(merchant))
    expect(reply.json()).toBe(merchant.accountId)
    const headers = { ...headersOf(merchant), accesstoken: 'x' }
    expect((await call('GET /anybody', undefined, headers)).status).toBe(401)
  })

  it('by account id alone takes dealers, and a token must be right', async () => {
    expect((await call('GET /plans')).json()).toBe(true)
    const alone = async (accountid: string) => {
      const answer = await app.inject({ url: '/api/plans', headers: { accountid } })
      return [answer.statusCode, answer.body === 'false' ? 'open' : JSON.parse(answer.body).Code]
    }
    const merchant = await stand.account({ kind: 'PosOperator', roles: [] })
    expect(await alone(stand.dealer.accountId)).toEqual([200, 'open'])
    expect(await alone(merchant.accountId)).toEqual([401, 'Unauthorized'])
    expect(await alone(randomUUID())).toEqual([401, 'Unauthorized'])
    const wrong = { ...headersOf(stand.dealer), accesstoken: 'x' }
    expect((await call('GET /plans', undefined, wrong)).status).toBe(401)
  })
})

describe('an upload', () => {
  const BOUNDARY = 'limit-of-parts'
  const form = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
  const part = (name: string, file: string, content: string | Buffer) =>
    Buffer.concat([
      Buffer.from(`--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"; `),
      Buffer.from(`filename="${file}"\r\ncontent-type: application/octet-stream\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ])
  const whole = (...parts: Buffer[]) =>
    Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)])

  it('gives its one file, other parts are skipped', async () => {
    const sent = whole(part('other', 'a.txt', 'x'), part('file', 'C:\\x\\b.csv', 'hello'))
    const reply = await call('POST /upload', sent, form)
    expect(reply.json()).toEqual({ name: 'b.csv', size: 5 })
  })

  it('may be as large as its limit, and no larger', async () => {
    const fits = await call('POST /upload', whole(part('file', 'a', 'x'.repeat(LIMIT))), form)
    expect(fits.json()).toMatchObject({ size: LIMIT })
    for (const size of [LIMIT + 1, 500_000]) {
      const reply = await call('POST /upload', whole(part('file', 'a', 'x'.repeat(size))), form)
      expect(refusal(reply)).toEqual({ status: 413, code: 'PayloadTooLarge' })
    }
  })

  it('without that file, or of another type, is seen as such', async () => {
    const none = await call('POST /upload', whole(part('other', 'a', 'x')), form)
    expect(none.json()).toMatchObject({ size: -1 })
    expect((await call('POST /upload', '{}', json)).json()).toMatchObject({ size: -1 })
  })

  it('that is cut off or no form is refused', async () => {
    const sent = whole(part('file', 'a', 'x'.repeat(500)))
    const cut = await call('POST /upload', sent.subarray(0, 200), form)
    expect(Object.keys(faults(cut))).toEqual(['$'])
    const reply = await call('POST /upload', 'no form at all', form)
    expect(reply.status).toBe(400)
  })
})

it.each(['3.1', '3.0'] as const)(
  'the document of such rows is sound OpenAPI %s',
  async (version) => {
    const credentials = { accountId: 'Account.', accessToken: 'Token.' }
    const head = {
      title: 'Rows',
      description: '',
      version: '1',
      server: '/',
      credentials,
      tags: {},
    }
    const document = documentOf(head, dealerTable(rows), version)
    expect(await documentFaults(document)).toEqual([])
  },
)

describe('a row that contradicts itself', () => {
  const row = {
    ...common,
    id: 'wrong',
    title: '',
    method: 'GET',
    success: { status: 204 },
    handle: () => undefined,
  } as const

  it('is no row: a right and :posOperatorId come together', () => {
    expect(() => operation({ ...row, path: '/x', right: 'Read' })).toThrow('wrong')
    expect(() => operation({ ...row, path: '/x/:posOperatorId' })).toThrow('wrong')
  })
})
