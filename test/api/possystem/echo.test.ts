// Echo of group D: exact texts, hostile bodies, and the reset of what is remembered.
import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sha256 } from '../../../src/lib/hash.js'
import { NAUGHTY_STRINGS } from '../../support/naughty-strings.js'
import { type PosServer, posCall, startPosServer } from '../../support/pos-server.js'

let server: PosServer
beforeAll(async () => {
  server = await startPosServer({ credentialsMs: 1000 })
})
afterAll(() => server.close())

const echo = (body: string | Buffer, headers = server.headers()) =>
  posCall(server.app, '/v2/echo', { headers, body })

describe('the message', () => {
  it.each([
    ['{"Message":"x"}', '{"Message":"x"}'],
    ['{"message":"x"}', '{"Message":"x"}'],
    ['{"MESSAGE":""}', '{"Message":""}'],
    ['{"Message":"","message":"second"}', '{"Message":"second"}'],
    ['{"Message":"Grüße \u{1f600}","other":[1,{}]}', '{"Message":"Grüße \u{1f600}"}'],
    ['{"Message":"\\u00fc\\n\\t"}', '{"Message":"ü\\n\\t"}'],
    ['{"Message":null}', '{"Message":null}'],
    ['{}', '{"Message":null}'],
  ])('%s gives %s', async (body, expected) => {
    const answer = await echo(body)
    expect([answer.status, answer.text]).toEqual([200, expected])
  })

  it('comes back unchanged whatever it says', async () => {
    for (const text of NAUGHTY_STRINGS.filter(({ length }) => length <= 1023)) {
      const answer = await echo(JSON.stringify({ Message: text }))
      expect(answer.status, text).toBe(200)
      expect(answer.json().Message).toBe(text)
    }
  })

  it('has at most 1023 characters', async () => {
    expect((await echo(JSON.stringify({ Message: 'ü'.repeat(1023) }))).status).toBe(200)
    const answer = await echo(JSON.stringify({ Message: 'x'.repeat(1024) }))
    expect([answer.status, answer.json().code]).toEqual([400, 'validation_failed'])
    expect(answer.json().errors).toEqual({ Message: [answer.json().detail] })
  })

  it.each([
    ...['', ' ', 'x', '"x"', '[]', 'null', '1', '{"Message":"x"', '{"Message":"x",}', '{"a":01}'],
    ...['{"Message":"\\u0001"}', '{"Message":"\\ud800"}', `${'[1,'.repeat(70)}1${']'.repeat(70)}`],
    `{"a":${'['.repeat(100_000)}`,
  ])('a body that is no JSON object is 400: %.40j', async (body) => {
    const answer = await echo(body)
    expect([answer.status, answer.json().code]).toEqual([400, 'invalid_json'])
  })

  it.each(['{"Message":1}', '{"Message":{}}', '{"Message":[]}', '{"Message":true}'])(
    '%s is no message',
    async (body) => {
      const answer = await echo(body)
      expect([answer.status, answer.json().code]).toEqual([400, 'validation_failed'])
    },
  )

  it('is 200 the first time and again; 201 where the server is told so', async () => {
    const headers = server.headers()
    expect((await echo('{"Message":"x"}', headers)).status).toBe(200)
    expect((await echo('{"message":"x"}', headers)).status, 'another spelling').toBe(409)
    expect((await echo('{ "Message": "x" }', headers)).status).toBe(200)
    const other = await startPosServer({ ECHO_STATUS: '201' })
    try {
      const answer = await posCall(other.app, '/v2/echo', {
        headers: other.headers(),
        body: '{"Message":"x"}',
      })
      expect(answer.status).toBe(201)
    } finally {
      await other.close()
    }
  })
})

describe('a message that is null', () => {
  it('has the credentials read anew, once per operation', async () => {
    const token = randomBytes(32).toString('base64')
    const change = (secret: string) =>
      server.row('update cash_box set access_token_hash = $1 where id = $2', [
        sha256(secret),
        server.box.cashBoxId,
      ])
    const id = randomUUID()
    const headers = server.headers({ 'x-operation-id': id })
    const fresh = { ...headers, 'x-cashbox-accesstoken': token }
    expect((await echo('{"Message":"x"}')).status).toBe(200)
    await change(token)
    try {
      // the old token is still believed, until this call
      expect((await echo('{"Message":null}', headers)).status).toBe(200)
      expect((await echo('{"Message":"x"}')).status).toBe(401)
      const repeated = await echo('{"Message":null}', fresh)
      expect([repeated.status, repeated.text]).toEqual([200, '{"Message":null}'])
    } finally {
      await change(server.box.accessToken)
      await server.row('select pg_sleep(1.1)')
    }
  })
})
