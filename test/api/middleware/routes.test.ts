// Addresses of group B as clients of all generations build them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addForeignBox,
  addQueue,
  type Call,
  call,
  startServer,
  startTestServer,
  type TestServer,
} from '../../support/app.js'
import { saleText } from '../../support/receipts.js'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const ECHO = [
  ...['/json/echo', '/json/V0/echo', '/json/v1/Echo', '/json/Echo', '/v0/json/echo', '/v0/echo'],
  ...['/json/v0/echo', '/v1/Echo', '/v1/echo', '/echo', '//json/echo', '/v1/json/echo', '/ECHO'],
]
const SIGN = [
  ...['/json/V0/sign', '/json/V1/sign', '/json/sign', '/json/Sign', '/json/v1/Sign', '/v0/sign'],
  ...[
    '/json/v0/sign',
    '/v1/sign',
    '/sign',
    '//json/sign',
    '/v0/json/sign',
    '/v1/json/sign',
    '/SIGN',
  ],
]
const JOURNAL = [
  ...['/json/journal?type=1&from=0&to=0', '/json/V0/journal?type=1&from=0&to=0'],
  ...['/json/v1/Journal?type=1', '/json/Journal?type=1&from=0&to=0', '/json/v0/Journal?type=1'],
  ...['/v0/json/journal?type=1&from=0&to=0', '/journal?type=1', '/v1/journal?type=1'],
  ...['//json/journal?type=1&from=0&to=0', '/json/v0/journal/?type=1', '/JSON/JOURNAL?TYPE=1'],
]

/** With the queue in front, in capitals too, and without it. */
const bases = () => {
  const { queueId } = server.box
  return ['', `/${queueId}`, `/${queueId.toUpperCase()}`, `//${queueId}/`]
}

describe('every address that real clients use', () => {
  it.each(ECHO)('echo %s', async (path) => {
    for (const base of bases()) {
      const body = /v1/i.test(path) ? '{"message":"hello"}' : '"hello"'
      const answer = await call(server, base + path, { body })
      expect([answer.status, answer.text], base).toEqual([200, body])
    }
  })

  it.each(SIGN)('sign %s', async (path) => {
    for (const base of bases()) {
      const body = saleText({ cbReceiptReference: JSON.stringify(path) })
      const answer = await call(server, base + path, { body })
      expect(answer.status, answer.text).toBe(200)
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
      const { queueId } = server.box
      expect(answer.json()).toMatchObject({ ftQueueID: queueId, cbReceiptReference: path })
    }
  })

  it.each(JOURNAL)('journal %s', async (path) => {
    for (const base of bases()) {
      const answer = await call(server, base + path)
      expect(answer.status, answer.text).toBe(200)
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
      expect(answer.json()).toBeInstanceOf(Array)
    }
  })

  it('a trailing slash changes nothing', async () => {
    for (const path of ['/echo/', `/${server.box.queueId}/json/v1/echo/`]) {
      const answer = await call(server, path, { body: '"x"' })
      expect([answer.status, answer.text]).toEqual([200, '"x"'])
    }
  })
})

describe('what is no address', () => {
  it.each<[NonNullable<Call['method']>, string]>([
    ['POST', '/json/v1/ech'],
    ['POST', '/json/json/echo'],
    ['POST', '/v0/v1/echo'],
    ['POST', '/json/v2/echo'],
    ['POST', '/xml/json/sign'],
    ['POST', '/xml/v2/echo'],
    ['POST', '/nobody/json/v1/echo'],
    ['POST', '/nobody/sign'],
    ['POST', '/%00/sign'],
    ['POST', '/a/b/c/d/echo'],
    ['GET', '/nothing/at/all'],
    ['OPTIONS', '/json/v1/sign'],
  ])('%s %s: 404 with code and trace id', async (method, url) => {
    const answer = await call(server, url, { method })
    expect(answer.status, answer.text).toBe(404)
    expect(answer.json()).toMatchObject({
      code: 'ROUTE_UNKNOWN',
      message: expect.stringContaining(method),
      traceId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
  })

  it.each([
    ['/%', 'ADDRESS_MALFORMED'],
    ['/%zz/sign', 'ADDRESS_MALFORMED'],
    ['/%e0%a4%a/json/sign', 'ADDRESS_MALFORMED'],
    [`/${'q'.repeat(300)}/sign`, 'REQUEST_INVALID'],
  ])('an address that cannot be read (%s) is a 4xx in the same form', async (url, code) => {
    const answer = await call(server, url, { body: saleText() })
    expect(answer.status).toBe(400)
    const form = { code, message: expect.any(String) }
    expect(answer.json()).toMatchObject({ ...form, traceId: expect.any(String) })
  })

  it.each(['GET', 'PUT', 'DELETE', 'PATCH'] as const)(
    '%s: 405 that allows POST',
    async (method) => {
      for (const path of ['/json/v1/sign', '/journal', '/v0/echo']) {
        const body = method === 'GET' ? {} : { body: saleText() }
        const answer = await call(server, `/${server.box.queueId}${path}`, { method, ...body })
        expect(answer.status, answer.text).toBe(405)
        expect(answer.headers.allow).toBe('POST')
        expect(answer.json()).toMatchObject({ code: 'METHOD_WRONG' })
      }
    },
  )
})

describe('which queue is meant', () => {
  it('an unknown and a foreign queue look the same', async () => {
    const { queueId } = await addForeignBox(server)
    const answers = new Set<string>()
    for (const id of [queueId, '0e0af2cb-1a2b-4c3d-8e9f-001122334455']) {
      for (const path of ['/json/v1/sign', '/json/v1/echo', '/journal?type=1']) {
        const answer = await call(server, `/${id}${path}`, { body: saleText() })
        const { code, message } = answer.json()
        answers.add(`${answer.status} ${code} ${String(message).replace(id, 'ID')}`)
      }
    }
    expect([...answers]).toEqual(['404 QUEUE_UNKNOWN There is no queue ID here.'])
  })

  it('of several queues the one of the path, else of ftQueueID, else the oldest', async () => {
    const second = await addQueue(server)
    // what is known of a cash box is believed for half a second
    await server.row('select pg_sleep(0.6)')
    const sign = async (base: string, queueId?: string) => {
      const members = queueId === undefined ? {} : { ftQueueID: `"${queueId}"` }
      const answer = await call(server, `${base}/json/v1/sign`, { body: saleText(members) })
      return [answer.status, answer.json().ftQueueID]
    }
    expect(await sign('')).toEqual([200, server.box.queueId])
    expect(await sign('', second.toUpperCase())).toEqual([200, second])
    expect(await sign(`/${second}`)).toEqual([200, second])
    expect(await sign(`/${second}`, server.box.queueId)).toEqual([200, second])
    expect(await sign('', '0e0af2cb-1a2b-4c3d-8e9f-001122334455')).toEqual([404, undefined])
  })

  it('an alias is a further first word of one queue', async () => {
    const { queueId } = server.box
    const { headers } = server
    const other = await startServer(server, {
      QUEUE_ALIASES: `fiskaltrust=${queueId}, ftrest=${queueId}`,
    })
    try {
      for (const base of ['/fiskaltrust', '/FTREST', '//ftrest/']) {
        const answer = await call({ ...other, headers }, `${base}/json/sign`, { body: saleText() })
        expect(answer.json(), base).toMatchObject({ ftQueueID: queueId })
      }
      const unknown = await call({ ...other, headers }, '/ftsoap/json/echo', { body: '"x"' })
      expect(unknown.status).toBe(404)
    } finally {
      await other.close()
    }
  })
})
