// Who is calling group D, and in which order a call is judged.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAccount } from '../../../src/core/accounts/accounts.js'
import { createCashBox } from '../../../src/core/rollout/create.js'
import { marketOf } from '../../../src/market/index.js'
import {
  type PosReply,
  type PosServer,
  posCall,
  posHeaders,
  startPosServer,
} from '../../support/pos-server.js'

let server: PosServer
beforeAll(async () => {
  server = await startPosServer({ RATE_LIMITS: 'credentials=5' })
})
afterAll(() => server.close())

const ALL = ['x-cashbox-id', 'x-cashbox-accesstoken', 'x-operation-id', 'x-possystem-id'] as const
const BODY = '{"Message":"hello"}'
const echo = (headers: Record<string, string>, url = '/v2/echo', body = BODY) =>
  posCall(server.app, url, { headers, body })

/** A ProblemBody with exactly the members of the interface, all of them texts. */
function expectProblem(answer: PosReply, status: number, code: string): Record<string, unknown> {
  expect(answer.status, answer.text).toBe(status)
  expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8')
  const { errors, ...body } = answer.json()
  expect(body).toEqual({
    type: 'about:blank',
    status: String(status),
    title: expect.any(String),
    detail: expect.any(String),
    instance: expect.stringMatching(/^\//),
    code,
  })
  expect(errors === undefined || code === 'validation_failed').toBe(true)
  expect(answer.headers['x-trace-id']).toMatch(/^[0-9a-f-]{36}$/)
  return body
}

describe('missing headers', () => {
  it('the reachability test of the published client sees what it looks for', async () => {
    for (const url of ['/v2/echo', '/echo', '/v2.1/echo', '/v2//echo']) {
      const answer = await posCall(server.app, url)
      expectProblem(answer, 400, 'missing_header')
      expect(answer.text).toContain('x-cashbox-id')
    }
  })

  it('all of them are named, in their order', async () => {
    const { detail, instance } = expectProblem(await echo({}), 400, 'missing_header')
    expect(detail).toBe(`These headers are missing: ${ALL.join(', ')}.`)
    expect(instance).toBe('/v2/echo')
    const two = await echo(server.headers({ 'x-cashbox-accesstoken': ' ', [ALL[3]]: undefined }))
    expect(two.json().detail).toBe(
      'These headers are missing: x-cashbox-accesstoken, x-possystem-id.',
    )
  })

  it.each(ALL)('%s absent, empty or blank is 400 before anything else', async (name) => {
    for (const value of [undefined, '', '  ']) {
      // the token is wrong as well: presence comes first
      const wrong = name === ALL[1] ? {} : { [ALL[1]]: 'wrong' }
      const answer = await echo(server.headers({ ...wrong, [name]: value }), '/v2/echo', 'no json')
      expect(expectProblem(answer, 400, 'missing_header').detail).toContain(name)
    }
  })

  it('look-ups need the two of the cash box only', async () => {
    const headers = posHeaders(server.box, { [ALL[2]]: undefined, [ALL[3]]: undefined })
    const url = `/v2/operation/${randomUUID()}`
    expect((await posCall(server.app, url, { method: 'GET', headers })).status).toBe(200)
    const none = await posCall(server.app, url, { method: 'GET' })
    expect(none.json().detail).toBe(
      'These headers are missing: x-cashbox-id, x-cashbox-accesstoken.',
    )
  })

  it('x-possystem-id may be absent where the server is told so', async () => {
    const other = await startPosServer({ POSSYSTEM_ID_REQUIRED: 'false' })
    try {
      const headers = posHeaders(other.box, { [ALL[3]]: undefined })
      expect((await posCall(other.app, '/v2/echo', { headers, body: BODY })).status).toBe(200)
    } finally {
      await other.close()
    }
  })
})

describe('malformed headers', () => {
  it.each([ALL[0], ALL[2]])('%s that is no UUID is 400 before the credentials', async (name) => {
    const uuid = randomUUID()
    for (const value of [
      'x',
      uuid.replaceAll('-', ''),
      `{${uuid}}`,
      `${uuid}0`,
      `${uuid},${uuid}`,
    ]) {
      const answer = await echo(server.headers({ [ALL[1]]: 'wrong', [name]: value }))
      expect(expectProblem(answer, 400, 'invalid_header').detail).toContain(name)
    }
  })

  it.each(['x-possystem-id', 'x-terminal-id'])('%s has at most 1023 characters', async (name) => {
    expect((await echo(server.headers({ [name]: 'x'.repeat(1023) }))).status).toBe(200)
    const answer = await echo(server.headers({ [name]: 'x'.repeat(1024) }))
    expectProblem(answer, 400, 'invalid_header')
  })

  it('upper case ids are the same ids', async () => {
    const id = randomUUID()
    const headers = server.headers({ 'x-operation-id': id.toUpperCase() })
    headers['x-cashbox-id'] = server.box.cashBoxId.toUpperCase()
    const first = await echo(headers)
    expect([first.status, first.headers['x-operation-id']]).toEqual([200, id.toUpperCase()])
    const again = await echo(
      server.headers({ 'x-operation-id': id }),
      '/v2/echo',
      '{"Message":"x"}',
    )
    expectProblem(again, 409, 'operation_conflict')
    expect(again.json().instance).toBe(`/v2/echo#${id}`)
  })
})

describe('credentials', () => {
  it('an unknown cash box and a wrong token look the same', async () => {
    const answers = [
      await echo(server.headers({ 'x-cashbox-accesstoken': 'wrong' })),
      await echo(server.headers({ 'x-cashbox-id': randomUUID() })),
      await echo(server.headers({ 'x-cashbox-id': server.box.queueId })),
    ]
    const texts = answers.map((answer) => {
      const { instance: _instance, ...body } = expectProblem(answer, 401, 'unauthorized')
      expect(answer.headers['www-authenticate']).toBeUndefined()
      return JSON.stringify(body)
    })
    expect(new Set(texts).size).toBe(1)
  })

  it('wrong ones use up no operation id, and are judged before the body', async () => {
    const headers = server.headers()
    const wrong = { ...headers, 'x-cashbox-accesstoken': 'wrong' }
    const big = Buffer.alloc(300 * 1024, 0x20)
    const answer = await posCall(server.app, '/v2/echo', { headers: wrong, body: big })
    expectProblem(answer, 401, 'unauthorized')
    expect((await echo(headers)).status).toBe(200)
  })

  it('too many wrong ones are 429 with Retry-After, and right ones always pass', async () => {
    const id = randomUUID()
    const guess = () => echo(server.headers({ 'x-cashbox-id': id, [ALL[1]]: 'guess' }))
    for (let turn = 0; turn < 5; turn += 1) expectProblem(await guess(), 401, 'unauthorized')
    const late = await guess()
    expectProblem(late, 429, 'too_many_requests')
    expect(Number(late.headers['retry-after'])).toBeGreaterThan(0)
    expect((await echo(server.headers())).status).toBe(200)
  })

  it('a cash box without queue is told so', async () => {
    const deps = { store: server.deps.store, marketOf, now: () => new Date() }
    const { accountId } = await createAccount(deps, {
      ...{ kind: 'PosOperator', name: 'New', market: 'AT', country: 'AT' },
      ...{ email: 'new@example.com', roles: [], autoInvite: false },
    })
    const box = await createCashBox(deps, { accountId, outletId: null, description: 'empty' })
    expectProblem(await echo(posHeaders(box)), 400, 'cashbox_not_configured')
  })
})
