// Journal exports of group D, the records of operations, and the look-up of an outcome.
import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Prepare } from '../../../src/api/possystem/call.js'
import { fail } from '../../../src/errors.js'
import { addForeignBox } from '../../support/app.js'
import { type PosServer, posCall, posHeaders, startPosServer } from '../../support/pos-server.js'
import { saleText } from '../../support/receipts.js'

let open: () => void = () => undefined
/** Declines 2, waits for the test with 3. */
const pay: Prepare = ({ bodyText }) =>
  Promise.resolve({
    kind: 'claimed',
    run: async () => {
      if (bodyText === '{"a":2}') throw fail('PAYMENT_DECLINED', { reason: 'no money' })
      if (bodyText === '{"a":3}') {
        await new Promise<void>((resolve) => {
          open = resolve
        })
      }
      return { status: 201, contentType: 'application/json; charset=utf-8', body: '{"Paid":1}' }
    },
  })

let server: PosServer
beforeAll(async () => {
  server = await startPosServer({}, { pay })
})
afterAll(() => server.close())

const journal = (body: string, headers = server.headers()) =>
  posCall(server.app, '/v2/journal', { headers, body })
const get = (url: string, headers = server.headers()) =>
  posCall(server.app, url, { method: 'GET', headers })
const groupB = () => ({ cashboxid: server.box.cashBoxId, accesstoken: server.box.accessToken })
const sign = (reference: string, more: Record<string, string> = {}) =>
  posCall(server.app, `/${server.box.queueId}/json/v1/sign`, {
    headers: groupB(),
    body: saleText({ cbReceiptReference: JSON.stringify(reference), ...more }),
  })
const exportB = (type: string) =>
  posCall(server.app, `/${server.box.queueId}/journal?type=${type}`, { headers: groupB() })

describe('an export', () => {
  it.each([
    ['1', '1'],
    ['2', '2'],
    ['3', '3'],
    ['255', '255'],
    ['4707387510509010945', '0x4154000000000001'],
    ['4707422694881103874', '0x4154000000000001'],
    ['"4707422694881103874"', '0x4154000000000001'],
    ['"0x4154_2000_0000_1002"', '0x4154000000000001'],
  ])('of type %s is what group B gives for %s', async (type, same) => {
    const answer = await journal(`{"ftJournalType":${type}}`)
    const expected = await exportB(same)
    expect([answer.status, answer.text]).toEqual([200, expected.text])
    expect(answer.headers['content-type']).toBe(expected.headers['content-type'])
  })

  it.each(['4707422694881103873', '4707422694881103872', '4707387510509010944'])(
    'of type %s is the status of the queue',
    async (type) => {
      const answer = await journal(`{"ftJournalType":${type}}`)
      expect(answer.status, answer.text).toBe(200)
      expect(answer.text).toContain(server.box.queueId)
    },
  )

  it('takes From and To, in any spelling of the names', async () => {
    const whole = JSON.parse((await journal('{"ftJournalType":3}')).text) as unknown[]
    const first = await journal('{"FTJOURNALTYPE":"3","from":0,"to":-1}')
    expect(JSON.parse(first.text)).toEqual(whole.slice(0, 1))
    const none = await journal('{"ftJournalType":3,"From":1,"To":2}')
    expect([none.status, none.text]).toEqual([200, '[]'])
    const named = await journal(`{"ftJournalType":1,"ftQueueID":"${server.box.queueId}"}`)
    expect(named.status).toBe(200)
  })

  it.each([
    ['{}', 'ftJournalType'],
    ['{"ftJournalType":null}', 'ftJournalType'],
    ['{"ftJournalType":1.0}', 'ftJournalType'],
    ['{"ftJournalType":1E0}', 'ftJournalType'],
    ['{"ftJournalType":-1}', 'ftJournalType'],
    ['{"ftJournalType":"x"}', 'ftJournalType'],
    ['{"ftJournalType":18446744073709551616}', 'ftJournalType'],
    ['{"ftJournalType":1,"From":"x"}', 'From'],
    ['{"ftJournalType":1,"To":9223372036854775808}', 'To'],
    ['{"ftJournalType":1,"ftQueueID":"0e0af2cb-1a2b-4c3d-8e9f-001122334455"}', 'ftQueueID'],
  ])('%s is refused, and %s is named', async (body, field) => {
    const headers = server.headers()
    const answer = await journal(body, headers)
    expect([answer.status, answer.json().code]).toEqual([400, 'validation_failed'])
    expect(Object.keys(Object(answer.json().errors))).toEqual([field])
    expect((await journal('{"ftJournalType":1}', headers)).status, 'the id is free').toBe(200)
  })

  it('of another country is refused', async () => {
    const answer = await journal('{"ftJournalType":4919373352344227842}')
    expect([answer.status, answer.json().code]).toEqual([400, 'validation_failed'])
  })

  it('leaves a record of its size and hash, and is made again for a repetition', async () => {
    const headers = server.headers()
    const first = await journal('{"ftJournalType":3}', headers)
    const again = await journal('{ "ftJournalType": 3 }', headers)
    expect([again.status, again.text]).toEqual([200, first.text])
    expect((await journal('{"ftJournalType":2}', headers)).status).toBe(409)
    const record = await get(`/v2/journal/OperationItem/${headers['x-operation-id']}`)
    expect(JSON.parse(String(record.json().Response))).toEqual({
      ftJournalType: 3,
      ContentType: 'application/json; charset=utf-8',
      Bytes: Buffer.byteLength(first.text),
      SHA256: createHash('sha256').update(first.text).digest('hex'),
    })
    expect(record.json()).toMatchObject({ ftQueueID: server.box.queueId, ResponseCode: 200 })
  })
})

describe('the record of an operation', () => {
  it('has the members of the interface, and no secret', async () => {
    const headers = server.headers({ Authorization: 'Bearer hidden', Cookie: 'a=hidden' })
    const id = headers['x-operation-id'] ?? ''
    const before = Date.now()
    await posCall(server.app, '/V2.1//pay', { headers, body: '{"a":1}' })
    for (const url of [`/v2/journal/OperationItem/${id.toUpperCase()}`, `/journal/${id}`]) {
      const record = await get(url)
      expect(record.status, record.text).toBe(200)
      const { RequestHeaders, TimeStamp, ftOperationItemMoment, ...rest } = record.json()
      expect(rest).toEqual({
        cbOperationItemID: id,
        Method: 'POST',
        Path: '/V2.1//pay',
        Request: '{"a":1}',
        Response: '{"Paid":1}',
        ResponseCode: 201,
        LastState: 'done',
      })
      expect(RequestHeaders).toMatchObject({
        'x-cashbox-id': server.box.cashBoxId,
        'x-cashbox-accesstoken': '***',
        authorization: '***',
        cookie: '***',
        'x-operation-id': id,
      })
      expect(record.text).not.toContain('hidden')
      expect(record.text).not.toContain(server.box.accessToken)
      for (const moment of [TimeStamp, ftOperationItemMoment]) {
        expect(moment).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
        expect(Date.parse(String(moment))).toBeGreaterThanOrEqual(before - 1000)
      }
    }
  })

  it('of a failure and of a running one says so', async () => {
    const [failed, running] = [server.headers(), server.headers()]
    await posCall(server.app, '/v2/pay', { headers: failed, body: '{"a":2}' })
    const answer = await get(`/v2/journal/${failed['x-operation-id']}`)
    expect(answer.json()).toMatchObject({ LastState: 'failed', ResponseCode: 400 })
    expect(String(answer.json().Response)).toContain('payment_declined')
    const paying = posCall(server.app, '/v2/pay', { headers: running, body: '{"a":3}' })
    const url = `/v2/journal/${running['x-operation-id']}`
    await expect.poll(async () => (await get(url)).status).toBe(200)
    expect((await get(url)).json()).toMatchObject({
      ...{ LastState: 'processing', ResponseCode: 0, Response: null, Request: '{"a":3}' },
    })
    open()
    expect((await paying).status).toBe(201)
  })

  it('is 404 for an unknown id, a malformed one, and one of another cash box', async () => {
    const foreign = await addForeignBox({ ...server, headers: groupB() })
    const headers = posHeaders(foreign)
    await posCall(server.app, '/v2/echo', { headers, body: '{"Message":"x"}' })
    for (const id of [randomUUID(), 'x', headers['x-operation-id']]) {
      const answer = await get(`/v2/journal/OperationItem/${id}`)
      expect([answer.status, answer.json().code]).toEqual([404, 'not_found'])
    }
    const own = await get(`/v2/journal/${headers['x-operation-id']}`, posHeaders(foreign))
    expect([own.status, own.json().ftQueueID]).toEqual([200, undefined])
  })

  it('needs all four headers', async () => {
    const answer = await get(
      `/v2/journal/${randomUUID()}`,
      posHeaders(server.box, {
        'x-operation-id': undefined,
      }),
    )
    expect([answer.status, answer.json().code]).toEqual([400, 'missing_header'])
  })
})

describe('the look-up of an outcome', () => {
  it('of an id: never, running, done', async () => {
    const headers = server.headers()
    const url = `/v2/operation/${headers['x-operation-id']}`
    expect((await get(url)).json()).toEqual({ State: 'never' })
    const paying = posCall(server.app, '/v2/pay', { headers, body: '{"a":3}' })
    await expect.poll(async () => (await get(url)).json().State).toBe('running')
    expect((await get(url)).json()).toEqual({
      ...{ Id: headers['x-operation-id'], Method: 'POST', Path: '/v2/pay', State: 'running' },
      ftOperationItemMoment: expect.any(String),
    })
    open()
    await paying
    expect((await get(url)).json()).toMatchObject({
      ...{ State: 'done', ResponseCode: 201, Response: '{"Paid":1}' },
    })
  })

  it('a failure is done, with its answer; what is no id is refused', async () => {
    const headers = server.headers()
    const failure = await posCall(server.app, '/v2/pay', { headers, body: '{"a":2}' })
    expect((await get(`/v2/operation/${headers['x-operation-id']}`)).json()).toMatchObject({
      ...{ State: 'done', ResponseCode: 400, Response: failure.text },
    })
    const malformed = await get('/v2/operation/x')
    expect([malformed.status, malformed.json().code]).toEqual([400, 'validation_failed'])
  })

  it('of another cash box is never seen', async () => {
    const foreign = await addForeignBox({ ...server, headers: groupB() })
    const headers = server.headers()
    await posCall(server.app, '/v2/echo', { headers, body: '{"Message":"x"}' })
    const url = `/v2/operation/${headers['x-operation-id']}`
    expect((await get(url)).json().State).toBe('done')
    expect((await get(url, posHeaders(foreign))).json()).toEqual({ State: 'never' })
  })

  it('by reference finds receipts of group B, newest first, and of one terminal', async () => {
    const reference = `r ${randomUUID()} ü&?`
    const of = (more = '') =>
      get(`/v2/operation?cbReceiptReference=${encodeURIComponent(reference)}${more}`)
    expect((await of()).json()).toEqual({ State: 'never', Items: [] })
    const first = await sign(reference, { cbTerminalID: '"T1"' })
    const second = await sign(reference, { cbTerminalID: '"T2"' })
    const found = (await of()).json()
    expect(found.State).toBe('done')
    expect(found.Items).toMatchObject([
      { State: 'done', ResponseCode: 200, Response: second.text, ftQueueID: server.box.queueId },
      { State: 'done', Response: first.text, ftQueueItemID: first.json().ftQueueItemID },
    ])
    const one = (await of('&CBTERMINALID=T1')).json()
    expect(one.Items).toMatchObject([{ Response: first.text }])
    expect((await of('&cbTerminalID=T9')).json()).toEqual({ State: 'never', Items: [] })
  })

  it.each(['', '?cbReceiptReference=', '?cbReceiptReference=%20', '?cbReceiptReference=%00'])(
    'by nothing (%s) is refused',
    async (query) => {
      const answer = await get(`/v2/operation${query}`)
      expect([answer.status, answer.json().code]).toEqual([400, 'validation_failed'])
    },
  )
})
