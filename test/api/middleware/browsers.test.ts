// MIDDLEWARE_AUTH=off believes whoever is on this machine, but no page of the world that is opened
// there: hosts, origins, preflights, on every door.
import { status } from '@grpc/grpc-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  call,
  countRows,
  type Server,
  startServer,
  startTestServer,
  type TestServer,
} from '../../support/app.js'
import { saleMessage } from '../../support/grpc-door.js'
import { type GrpcStand, standGrpc } from '../../support/grpc-server.js'
import { saleText } from '../../support/receipts.js'
import { envelope } from '../../support/soap.js'

let server: TestServer
let local: Server & Pick<TestServer, 'headers'>
let listed: typeof local
let grpc: GrpcStand
beforeAll(async () => {
  server = await startTestServer()
  const open = async (more: Record<string, string> = {}) => ({
    ...(await startServer(server, { MIDDLEWARE_AUTH: 'off', ...more })),
    headers: server.headers,
  })
  local = await open()
  listed = await open({
    MIDDLEWARE_AUTH: 'off,till.lan,kiosk.lan:8080',
    MIDDLEWARE_ORIGINS: 'https://till.example',
  })
  grpc = await standGrpc(local.deps)
})
afterAll(async () => {
  await grpc.close()
  await local.close()
  await listed.close()
  await server.close()
})

const NONE = { cashboxid: undefined, accesstoken: undefined }
type Words = Record<string, string | undefined>

const DOORS: {
  name: string
  ask(target: typeof local, headers: Words): ReturnType<typeof call>
}[] = [
  {
    name: 'sign',
    ask: (target, headers) => call(target, path('json/v1/sign'), { body: sale(), headers }),
  },
  { name: 'bare sign', ask: (target, headers) => call(target, '/sign', { body: sale(), headers }) },
  { name: 'echo', ask: (target, headers) => call(target, '/json/echo', { body: '"x"', headers }) },
  { name: 'journal', ask: (target, headers) => call(target, path('journal?type=3'), { headers }) },
  { name: 'SOAP', ask: (target, headers) => call(target, path(''), { body: soap(), headers }) },
  {
    name: 'WSDL',
    ask: (target, headers) => call(target, path('?wsdl'), { method: 'GET', headers }),
  },
]
const path = (rest: string) => `/${server.box.queueId}/${rest}`
const sale = () => saleText({ ftCashBoxID: `"${server.box.cashBoxId}"` })
const soap = () => envelope('<Echo xmlns="http://tempuri.org/"><message>x</message></Echo>')

const ask = async (door: (typeof DOORS)[number], headers: Words, target = local) => {
  const type = door.name === 'SOAP' ? { 'content-type': 'text/xml' } : {}
  const answer = await door.ask(target, { ...NONE, ...type, ...headers })
  return { status: answer.status, code: /[A-Z]{4,}_REFUSED/.exec(answer.text)?.[0] }
}

describe.each(DOORS)('without credentials, $name', (door) => {
  it('answers programs of this machine, by any of its names', async () => {
    for (const host of ['localhost', 'LOCALHOST:8080', '127.0.0.1:80', '127.9.9.9', '[::1]:8080']) {
      expect((await ask(door, { host })).status, host).toBe(200)
    }
  })

  it('refuses pages of other origins, also those that hide their name', async () => {
    const before = await countRows(server)
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-site' },
      { origin: 'http://127.0.0.1:80.evil.example' },
      { origin: 'https://localhost' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'something new' },
      { 'content-type': 'text/plain', origin: 'https://evil.example' },
    ]) {
      const answer = await ask(door, { host: 'localhost', ...headers })
      expect(answer, JSON.stringify(headers)).toEqual({ status: 403, code: 'ORIGIN_REFUSED' })
    }
    expect(await countRows(server)).toEqual(before)
  })

  it('refuses a name that a stranger may have pointed to this machine', async () => {
    const before = await countRows(server)
    for (const host of [
      'evil.example',
      'evil.example:8080',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      '192.168.1.10:8080',
      '[::2]',
      '0.0.0.0',
    ]) {
      const same = { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' }
      for (const headers of [{ host }, same]) {
        expect(await ask(door, headers), host).toEqual({ status: 403, code: 'HOST_REFUSED' })
      }
    }
    expect(await countRows(server)).toEqual(before)
  })

  it('lets in its own pages, addresses that somebody typed, and what settings name', async () => {
    const own = { host: 'localhost:8080', origin: 'http://localhost:8080' }
    const typed = { 'sec-fetch-site': 'none' }
    for (const headers of [{ ...own, 'sec-fetch-site': 'same-origin' }, own, typed]) {
      expect((await ask(door, headers)).status).toBe(200)
    }
    for (const host of ['till.lan', 'Till.lan:99', 'kiosk.lan:8080']) {
      expect((await ask(door, { host }, listed)).status, host).toBe(200)
    }
    expect((await ask(door, { host: 'kiosk.lan' }, listed)).code).toBe('HOST_REFUSED')
    const till = { origin: 'https://till.example', 'sec-fetch-site': 'cross-site' }
    expect((await ask(door, till, listed)).status).toBe(200)
    expect((await ask(door, { ...till, host: 'evil.example' }, listed)).code).toBe('HOST_REFUSED')
  })
})

describe('with credentials', () => {
  it('host and origin are not looked at: a token is shown', async () => {
    const headers = { host: 'pos.example', origin: 'https://evil.example' }
    const answer = await call(server, path('json/v1/sign'), { body: sale(), headers })
    expect(answer.status).toBe(200)
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  })
})

describe('preflights', () => {
  const preflight = (origin: string, names = 'content-type') => ({
    ...NONE,
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': names,
    'access-control-request-private-network': 'true',
  })
  const paths = () => ['/sign', '/json/v1/sign', path('json/v1/sign'), path('')]

  it('of a listed origin are answered, and so is the call that follows', async () => {
    for (const one of paths()) {
      const headers = preflight('https://till.example')
      const answer = await call(listed, one, { method: 'OPTIONS', headers })
      expect(answer.status, one).toBe(204)
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': 'https://till.example',
        'access-control-allow-private-network': 'true',
        vary: 'Origin',
      })
      expect(answer.headers['access-control-allow-headers']).toContain('content-type')
    }
    const headers = { ...NONE, origin: 'https://till.example' }
    const signed = await call(listed, path('json/v1/sign'), { body: sale(), headers })
    expect(signed.status).toBe(200)
    expect(signed.headers['access-control-allow-origin']).toBe('https://till.example')
  })

  it('of others are refused', async () => {
    for (const one of paths()) {
      const headers = preflight('https://evil.example')
      const answer = await call(listed, one, { method: 'OPTIONS', headers })
      expect(answer.json(), one).toMatchObject({ code: 'ORIGIN_REFUSED' })
      expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    }
  })

  it('of nobody are none: OPTIONS without an origin is a method like others', async () => {
    for (const one of ['/json/v1/sign', path('json/v1/journal'), path('')]) {
      const answer = await call(listed, one, { method: 'OPTIONS', headers: NONE })
      expect([answer.status, answer.json().code], one).toEqual([405, 'METHOD_WRONG'])
    }
  })

  it('are answered by nobody without a setting, whatever the label of their body', async () => {
    const own = { ...preflight('http://localhost:8080'), host: 'localhost:8080' }
    for (const type of [undefined, 'application/json']) {
      const headers = { ...own, 'content-type': type }
      const answer = await call(local, '/json/v1/sign', { method: 'OPTIONS', headers })
      expect([answer.status, answer.headers['access-control-allow-methods']]).toEqual([
        404,
        undefined,
      ])
    }
  })

  it('let a page read the name of an exported file', async () => {
    const headers = { ...NONE, origin: 'https://till.example' }
    const answer = await call(listed, path('json/journal?type=0x4154000000000001'), { headers })
    const exposed = String(answer.headers['access-control-expose-headers'])
    expect(exposed.split(', ')).toContain('content-disposition')
  })

  it('with credentials * lets every page call, and bare words tell both groups apart', async () => {
    const open = await startServer(server, { MIDDLEWARE_ORIGINS: '*' })
    const target = { ...open, headers: server.headers }
    const ours = preflight('https://a.example', 'accesstoken, cashboxid, content-type')
    const theirs = preflight('https://a.example', 'x-cashbox-id,x-operation-id')
    const allowed = async (headers: Words) => {
      const answer = await call(target, '/sign', { method: 'OPTIONS', headers })
      return [answer.status, String(answer.headers['access-control-allow-headers'])] as const
    }
    expect(await allowed(ours)).toEqual([204, expect.stringContaining('accesstoken')])
    expect(await allowed(theirs)).toEqual([204, expect.stringContaining('x-operation-id')])
    await open.close()
  })
})

describe('gRPC without credentials', () => {
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => 'answered',
      (error: { code: number; metadata: { get(name: string): unknown[] } }) =>
        `${status[error.code]} ${String(error.metadata.get('code')[0])}`,
    )

  it('refuses another authority than this machine and pages of other origins', async () => {
    const before = await countRows(server)
    const foreign = grpc.till({}, 'evil.example')
    expect(await codeOf(foreign.call('Echo', { Message: 'x' }))).toMatch(/DENIED HOST_REFUSED/)
    expect(await codeOf(foreign.call('Sign', saleMessage()))).toMatch(/DENIED HOST_REFUSED/)
    expect(await codeOf(foreign.journal({ ftJournalType: '3' }))).toMatch(/DENIED HOST_REFUSED/)
    const page = grpc.till({ origin: 'https://evil.example' })
    expect(await codeOf(page.call('Echo', { Message: 'x' }))).toMatch(/DENIED ORIGIN_REFUSED/)
    expect(await countRows(server)).toEqual(before)
    expect(await codeOf(grpc.till({}).call('Echo', { Message: 'x' }))).toBe('answered')
  })
})
