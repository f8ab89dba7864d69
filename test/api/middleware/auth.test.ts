// Who is calling: headers of the cloud form, the local form without, guessing, and reset tokens.
import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sha256 } from '../../../src/lib/hash.js'
import {
  addForeignBox,
  addQueue,
  call,
  countRows,
  type Server,
  startServer,
  startTestServer,
  type TestServer,
} from '../../support/app.js'
import { saleText } from '../../support/receipts.js'

let server: TestServer
const others: Server[] = []
beforeAll(async () => {
  server = await startTestServer()
})
afterEach(async () => {
  for (const other of others.splice(0)) await other.close()
})
afterAll(() => server.close())

/** A further server on the same database, with the same credentials to hand. */
async function another(variables: Record<string, string>) {
  const other = await startServer(server, variables)
  others.push(other)
  return { ...other, headers: server.headers }
}

const PATHS = ['/json/v1/sign', '/json/v1/echo', '/journal?type=1', '/sign']

describe('with authentication', () => {
  it.each(['cashboxid', 'accesstoken'])('%s missing or blank is 401 and named', async (name) => {
    for (const path of PATHS) {
      for (const value of [undefined, '', '  ']) {
        const answer = await call(server, path, { body: saleText(), headers: { [name]: value } })
        expect(answer.status, path).toBe(401)
        expect(answer.json()).toMatchObject({
          code: 'CREDENTIALS_MISSING',
          message: expect.stringContaining(name),
        })
      }
    }
  })

  it('a wrong token, an unknown and a malformed id get the same answer', async () => {
    const wrong = [
      { accesstoken: 'x' },
      { accesstoken: server.headers.accesstoken.toLowerCase() },
      { accesstoken: `${server.headers.accesstoken}=` },
      { cashboxid: randomUUID() },
      { cashboxid: 'nobody' },
      { cashboxid: server.box.queueId },
      { cashboxid: `${server.box.cashBoxId}'--` },
    ]
    const answers = new Set<string>()
    for (const headers of wrong) {
      const { status, json } = await call(server, '/json/v1/sign', { body: saleText(), headers })
      answers.add(`${status} ${json().code} ${json().message}`)
    }
    expect([...answers]).toEqual([
      '401 CREDENTIALS_WRONG The headers cashboxid and accesstoken do not belong together.',
    ])
  })

  it('the id may be written in capitals', async () => {
    const headers = { cashboxid: server.box.cashBoxId.toUpperCase() }
    expect((await call(server, '/json/v1/sign', { body: saleText(), headers })).status).toBe(200)
  })

  it('further headers are ignored', async () => {
    const headers = { 'service-version': '1.3', authorization: 'Basic eDp5', 'x-operation-id': '1' }
    expect((await call(server, '/json/v1/sign', { body: saleText(), headers })).status).toBe(200)
  })

  it('another cash box in the body than in the header is 401, and nothing is stored', async () => {
    const foreign = await addForeignBox(server)
    const before = await countRows(server)
    for (const id of [foreign.cashBoxId, randomUUID()]) {
      const answer = await call(server, '/json/v1/sign', {
        body: saleText({ ftCashBoxID: `"${id}"` }),
      })
      expect(answer.status).toBe(401)
      expect(answer.json()).toMatchObject({ code: 'CASH_BOX_OTHER_HEADER', field: 'ftCashBoxID' })
    }
    expect(await countRows(server)).toEqual(before)
  })

  it('the right token of one cash box opens no other', async () => {
    const foreign = await addForeignBox(server)
    const headers = { cashboxid: foreign.cashBoxId }
    expect((await call(server, '/json/v1/sign', { body: saleText(), headers })).status).toBe(401)
    const path = `/${foreign.queueId}/json/v1/sign`
    expect((await call(server, path, { body: saleText() })).status).toBe(404)
  })

  it('refuses before it reads: a wrong caller learns nothing about the body', async () => {
    const answer = await call(server, '/sign', { body: '{', headers: { accesstoken: 'x' } })
    expect(answer.status).toBe(401)
  })
})

describe('guessing', () => {
  it('the 11th wrong token within a minute is 429, and the right one always passes', async () => {
    const other = await another({})
    const tries = async (id: string, count: number) => {
      const statuses: number[] = []
      for (let turn = 0; turn < count; turn += 1) {
        const headers = { cashboxid: id, accesstoken: randomBytes(8).toString('hex') }
        statuses.push((await call(other, '/echo', { body: '"x"', headers })).status)
      }
      return statuses
    }
    const id = server.box.cashBoxId
    expect(await tries(id, 10)).toEqual(new Array(10).fill(401))
    expect(await tries(id, 2)).toEqual([429, 429])
    expect((await call(other, '/echo', { body: '"x"' })).status).toBe(200)
    // neither another spelling of the id nor a right call in between gives new tries
    expect(await tries(id.toUpperCase(), 1)).toEqual([429])
    expect(await tries(id, 1)).toEqual([429])
    // another cash box is counted by itself
    expect(await tries(randomUUID(), 1)).toEqual([401])
    const limited = await call(other, '/json/v1/sign', { headers: { accesstoken: 'x' } })
    expect(limited.headers['retry-after']).toBe('60')
    expect(limited.json()).toMatchObject({ code: 'CREDENTIALS_LIMITED' })
  })

  it('an invented address gives no new tries, a trusted proxy tells callers apart', async () => {
    const from = (address: string) => ({
      body: '"x"',
      headers: { accesstoken: 'x', 'x-forwarded-for': address },
    })
    const direct = await another({ RATE_LIMITS: 'credentials=1' })
    expect((await call(direct, '/echo', from('198.51.100.1'))).status).toBe(401)
    expect((await call(direct, '/echo', from('198.51.100.2'))).status).toBe(429)
    const proxied = await another({ RATE_LIMITS: 'credentials=1', TRUST_PROXY: '127.0.0.0/8' })
    expect((await call(proxied, '/echo', from('198.51.100.1'))).status).toBe(401)
    expect((await call(proxied, '/echo', from('198.51.100.2'))).status).toBe(401)
    expect((await call(proxied, '/echo', from('198.51.100.1'))).status).toBe(429)
    // what the caller itself put in front does not count
    expect((await call(proxied, '/echo', from('203.0.113.9, 198.51.100.2'))).status).toBe(429)
  })

  it('the number is a setting, and 0 switches it off', async () => {
    const wrong = { body: '"x"', headers: { accesstoken: 'x' } }
    const strict = await another({ RATE_LIMITS: 'credentials=1' })
    expect((await call(strict, '/echo', wrong)).status).toBe(401)
    expect((await call(strict, '/echo', wrong)).status).toBe(429)
    const open = await another({ RATE_LIMITS: 'credentials=0' })
    for (let turn = 0; turn < 30; turn += 1) {
      expect((await call(open, '/echo', wrong)).status).toBe(401)
    }
  })
})

describe('a reset token', () => {
  it('is dead on every server within a second', async () => {
    const other = await another({})
    const box = await addForeignBox(server)
    const headers = { cashboxid: box.cashBoxId, accesstoken: box.accessToken }
    const sign = async (accesstoken: string) => {
      const own = { ...headers, accesstoken }
      const answers = await Promise.all(
        [server, other].map((one) => call(one, '/echo', { body: '"x"', headers: own })),
      )
      return answers.map(({ status }) => status)
    }
    expect(await sign(box.accessToken)).toEqual([200, 200])
    await server.row('update cash_box set access_token_hash = $2 where id = $1', [
      box.cashBoxId,
      sha256('the new one'),
    ])
    await server.row('select pg_sleep(1)')
    expect(await sign(box.accessToken)).toEqual([401, 401])
    expect(await sign('the new one')).toEqual([200, 200])
  })
})

describe('MIDDLEWARE_AUTH=off, the locally hosted form', () => {
  const local = (variables: Record<string, string> = {}) =>
    another({ MIDDLEWARE_AUTH: 'off', ...variables })
  const NONE = { cashboxid: undefined, accesstoken: undefined }

  it('asks for no headers: the queue of the path is enough', async () => {
    const one = await local()
    const { queueId, cashBoxId } = server.box
    const answer = await call(one, `/${queueId}/json/v1/sign`, {
      body: saleText({ ftCashBoxID: `"${cashBoxId}"` }),
      headers: NONE,
    })
    expect(answer.status, answer.text).toBe(200)
    expect((await call(one, `/${queueId}/journal?type=1`, { headers: NONE })).status).toBe(200)
    expect((await call(one, '/v0/echo', { body: '"x"', headers: NONE })).text).toBe('"x"')
  })

  it('a wrong token does not matter, an unknown queue does', async () => {
    const one = await local()
    const headers = { accesstoken: 'x' }
    const path = `/${server.box.queueId}/json/v1/sign`
    expect((await call(one, path, { body: saleText(), headers })).status).toBe(200)
    for (const word of ['sign', 'echo', 'journal?type=1']) {
      const unknown = await call(one, `/${randomUUID()}/json/${word}`, {
        body: saleText(),
        headers,
      })
      expect(unknown.json(), word).toMatchObject({ code: 'QUEUE_UNKNOWN' })
      const strange = await call(one, `/strange/json/${word}`, { body: saleText(), headers })
      expect(strange.json(), word).toMatchObject({ code: 'ROUTE_UNKNOWN' })
    }
  })

  it('a cash box that is not the one of the queue is 400, and nothing is stored', async () => {
    const one = await local()
    const foreign = await addForeignBox(server)
    const before = await countRows(server)
    const path = `/${server.box.queueId}/json/v1/sign`
    const body = saleText({ ftCashBoxID: `"${foreign.cashBoxId}"` })
    const answer = await call(one, path, { body, headers: NONE })
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({ code: 'CASH_BOX_OTHER', field: 'ftCashBoxID' })
    // the header counts where the body says nothing
    const headers = { ...NONE, cashboxid: foreign.cashBoxId }
    const byHeader = await call(one, path, { body: saleText(), headers })
    expect(byHeader.json()).toMatchObject({ code: 'CASH_BOX_OTHER', field: 'ftCashBoxID' })
    const nowhere = await call(one, path, { body: saleText(), headers: NONE })
    expect(nowhere.json()).toMatchObject({ code: 'FIELD_MISSING', field: 'ftCashBoxID' })
    expect(await countRows(server)).toEqual(before)
  })

  it('without a path: ftQueueID, else that of the cash box, else the usual one', async () => {
    const second = await addQueue(server)
    const { cashBoxId, queueId } = server.box
    const ftCashBoxID = `"${cashBoxId}"`
    const one = await local()
    const queueOf = async (
      target: typeof one,
      members: Record<string, string>,
      headers: Record<string, string | undefined> = NONE,
    ) => {
      const answer = await call(target, '/json/v1/sign', { body: saleText(members), headers })
      return answer.status === 200 ? answer.json().ftQueueID : answer.json().code
    }
    expect(await queueOf(one, { ftCashBoxID, ftQueueID: `"${second}"` })).toBe(second)
    expect(await queueOf(one, { ftCashBoxID })).toBe(queueId)
    expect(await queueOf(one, {}, { ...NONE, cashboxid: cashBoxId })).toBe(queueId)
    expect(await queueOf(one, {})).toBe('QUEUE_NOT_NAMED')
    const chosen = await local({ QUEUE_ALIASES: `*=${second.toUpperCase()}` })
    expect(await queueOf(chosen, { ftCashBoxID })).toBe(queueId)
    const journal = await call(chosen, '/journal?type=3', { headers: NONE })
    expect(journal.status).toBe(200)
    expect(journal.text).toContain(second)
    const nothing = await local({ QUEUE_ALIASES: `*=${randomUUID()}` })
    expect((await call(nothing, '/journal?type=3', { headers: NONE })).status).toBe(404)
  })
})

describe('the only queue of a server', () => {
  it('is the one of a local call that names none', async () => {
    const alone = await startTestServer({ MIDDLEWARE_AUTH: 'off' })
    try {
      const headers = { cashboxid: undefined, accesstoken: undefined }
      const answer = await call(alone, '/journal?type=0xFF', { headers })
      expect(answer.status, answer.text).toBe(200)
      expect(answer.text).toContain(alone.box.queueId)
    } finally {
      await alone.close()
    }
  })
})
