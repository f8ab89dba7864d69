// Wrong credentials with ids that nobody has: bounded per network in every group, and no harm to
// those who show the right ones.
import { randomUUID } from 'node:crypto'
import { status } from '@grpc/grpc-js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createFailureLimit } from '../../../src/api/shared/failure-limit.js'
import { type Server, startServer, startTestServer, type TestServer } from '../../support/app.js'
import { standGrpc } from '../../support/grpc-server.js'

let server: TestServer
const others: Server[] = []
beforeAll(async () => {
  server = await startTestServer()
})
afterEach(async () => {
  for (const other of others.splice(0)) await other.close()
})
afterAll(() => server.close())

const PER_ID = 2
/** Ten times as many as of one id. */
const PER_NETWORK = 20

async function another() {
  const variables = { RATE_LIMITS: `credentials=${PER_ID}`, TRUST_PROXY: 'true' }
  const other = await startServer(server, variables)
  others.push(other)
  return other
}

type Headers = Record<string, string>

interface Door {
  name: string
  method: 'GET' | 'POST' | 'PUT'
  url(): string
  /** Headers that name somebody whom nobody knows. */
  guess(): Headers
  body?: string
  right(): Headers
}

const box = () => ({ cashboxid: randomUUID(), accesstoken: 'x' })
const rightBox = () => ({ ...server.headers })
const possystem = (id: string, token: string) => ({
  'x-cashbox-id': id,
  'x-cashbox-accesstoken': token,
  'x-operation-id': randomUUID(),
  'x-possystem-id': randomUUID(),
})
const DOORS: Door[] = [
  {
    name: 'group A',
    method: 'GET',
    url: () => '/api/posoperators',
    guess: () => ({ accountid: randomUUID(), accesstoken: 'x' }),
    right: () => {
      const { accountId, accessToken } = server.demo.dealer
      return { accountid: accountId, accesstoken: accessToken }
    },
  },
  {
    name: 'group B, REST',
    ...{ method: 'POST', url: () => '/json/v1/echo', body: '{"message":"x"}' },
    ...{ guess: box, right: rightBox },
  },
  {
    name: 'group B, SOAP',
    ...{ method: 'POST', url: () => `/${server.box.queueId}` },
    body:
      '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>' +
      '<Echo xmlns="http://tempuri.org/"><message>x</message></Echo></s:Body></s:Envelope>',
    ...{ guess: box, right: rightBox },
  },
  {
    name: 'group C',
    ...{ method: 'GET', url: () => '/api/v0/iatsscd/zda' },
    ...{ guess: box, right: rightBox },
  },
  {
    name: 'group D',
    ...{ method: 'POST', url: () => '/v2/echo', body: '{"Message":"x"}' },
    guess: () => possystem(randomUUID(), 'x'),
    right: () => possystem(server.box.cashBoxId, server.box.accessToken),
  },
]

const from = (address: string) => ({ 'x-forwarded-for': address })
const send = async ({ app }: Server, door: Door, headers: Headers) =>
  (
    await app.inject({
      method: door.method,
      url: door.url(),
      headers: {
        'content-type': door.body?.startsWith('<') ? 'text/xml' : 'application/json',
        ...headers,
      },
      ...(door.body === undefined ? {} : { payload: door.body }),
    })
  ).statusCode

describe.each(DOORS)('$name', (door) => {
  it('counts invented ids for their network, and lets the right ones pass', async () => {
    const other = await another()
    const guesses = async (address: string, count: number) => {
      const statuses: number[] = []
      for (let turn = 0; turn < count; turn += 1) {
        statuses.push(await send(other, door, { ...door.guess(), ...from(address) }))
      }
      return statuses
    }
    expect(await guesses('198.51.100.7', PER_NETWORK)).toEqual(new Array(PER_NETWORK).fill(401))
    expect(await guesses('198.51.100.7', 2)).toEqual([429, 429])
    expect(await guesses('198.51.100.8', 1)).toEqual([401])
    // a customer of IPv6 has a whole /64
    for (let turn = 0; turn < PER_NETWORK; turn += 1) {
      expect(await guesses(`2001:db8:1:2::${turn.toString(16)}`, 1)).toEqual([401])
    }
    expect(await guesses('2001:db8:1:2:ffff::1', 1)).toEqual([429])
    expect(await guesses('2001:db8:1:3::1', 1)).toEqual([401])
    for (const address of ['198.51.100.7', '2001:db8:1:2::1']) {
      expect(await send(other, door, { ...door.right(), ...from(address) })).toBe(200)
    }
  })
})

describe('receipt apps', () => {
  it('count invented apps for their network', async () => {
    const other = await another()
    const statuses: number[] = []
    for (let turn = 0; turn <= PER_NETWORK; turn += 1) {
      const { statusCode } = await other.app.inject({
        method: 'PUT',
        url: `/v1/${randomUUID()}/${randomUUID()}`,
        headers: {
          'x-app-id': randomUUID(),
          'x-app-secret': 'x',
          'content-type': 'application/json',
          ...from('203.0.113.5'),
        },
        payload: '{}',
      })
      statuses.push(statusCode)
    }
    expect(statuses).toEqual([...new Array(PER_NETWORK).fill(401), 429])
  })
})

describe('gRPC', () => {
  it('counts invented ids for their network, and lets the right ones pass', async () => {
    const other = await another()
    const grpc = await standGrpc(other.deps)
    const codes: string[] = []
    for (let turn = 0; turn <= PER_NETWORK; turn += 1) {
      const till = grpc.till(box())
      const code = await till.call('Echo', { Message: 'x' }).then(
        () => 'answered',
        (error: { code: number }) => status[error.code] ?? '',
      )
      codes.push(code)
    }
    const wrong = new Array(PER_NETWORK).fill('UNAUTHENTICATED')
    expect(codes).toEqual([...wrong, 'RESOURCE_EXHAUSTED'])
    expect((await grpc.till(server.headers).call('Echo', { Message: 'x' })).Message).toBe('x')
    await grpc.close()
  })
})

describe('the memory of failures', () => {
  it('is bounded: a flood of networks pushes out the oldest, and nothing fails', async () => {
    const limit = createFailureLimit(1)
    await limit.failed('box', '192.0.2.1')
    await expect(limit.failed('box', '192.0.2.1')).rejects.toThrow('Too many wrong credentials')
    for (let turn = 0; turn < 10_001; turn += 1) {
      await limit.failed('x', `10.${turn >> 16}.${(turn >> 8) & 255}.${turn & 255}`)
    }
    await expect(limit.failed('box', '192.0.2.1')).resolves.toBeUndefined()
  })
})
