// Addresses of group D, its neighbour group B at the same place, browsers, and limits.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PosCall } from '../../../src/api/possystem/call.js'
import type { Execution } from '../../../src/core/operation/operation.js'
import { startServer } from '../../support/app.js'
import { type PosServer, posCall, startPosServer } from '../../support/pos-server.js'

/** Accepts every body and says what it has got. */
const prepare = ({ bodyText }: PosCall): Promise<Execution> => {
  const body = JSON.stringify({ characters: bodyText.length })
  const answer = { status: 201, contentType: 'application/json; charset=utf-8', body }
  return Promise.resolve({ kind: 'noted', run: () => Promise.resolve(answer) })
}

let server: PosServer
beforeAll(async () => {
  server = await startPosServer({}, { pay: prepare, sign: prepare, issue: prepare })
})
afterAll(() => server.close())

const BODY = '{"Message":"hello"}'

describe('addresses', () => {
  it.each([
    ...['/v2/echo', '/v2.1/echo', '/echo', '/V2/ECHO', '/v2//echo', '//v2/echo', '/v2/echo/'],
    ...['/0e0af2cb-1a2b-4c3d-8e9f-001122334455/v2/echo', '/echo/', '/v2///echo//'],
    ...['/0E0AF2CB-1A2B-4C3D-8E9F-001122334455/v2.1/echo', '/v2/echo?x=1'],
  ])('%s is echo', async (url) => {
    const answer = await posCall(server.app, url, { headers: server.headers(), body: BODY })
    expect([answer.status, answer.text]).toEqual([200, BODY])
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  })

  it('every operation is reached with and without version', async () => {
    for (const base of ['', '/v2', '/v2.1']) {
      for (const path of ['/pay', '/sign', '/issue']) {
        const input = { headers: server.headers(), body: '{}' }
        const answer = await posCall(server.app, base + path, input)
        expect([answer.status, answer.text], base + path).toEqual([201, '{"characters":2}'])
      }
    }
  })

  it.each([
    ...['/v2', '/v2/', '/v2/nothing', '/v2/json/v1/sign', '/v2/xml/echo', '/v2.1/cart'],
    ...['/0e0af2cb-1a2b-4c3d-8e9f-001122334455/v2/nothing', '/v2/sign/more'],
  ])('%s is no address: 404 as a problem', async (url) => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const) {
      const answer = await posCall(server.app, url, { method })
      expect(answer.status, answer.text).toBe(404)
      expect(answer.headers['content-type']).toContain('application/problem+json')
      expect(answer.json()).toMatchObject({ code: 'not_found', instance: url })
    }
  })

  it('an unknown address with our headers, or an unreadable one, is a problem', async () => {
    const unknown = await posCall(server.app, '/carts', { headers: server.headers(), body: '{}' })
    expect([unknown.status, unknown.json().code]).toEqual([404, 'not_found'])
    const unreadable = await posCall(server.app, '/v2/%zz', { headers: server.headers() })
    expect([unreadable.status, unreadable.json().code]).toEqual([400, 'validation_failed'])
  })

  it.each([
    ['/v2/echo', 'POST'],
    ['/pay', 'POST'],
    ['/v2/pair', 'POST'],
    ['/v2/journal/OperationItem/x', 'GET'],
    ['/v2/operation', 'GET'],
  ])('%s with another method is 405 that allows %s', async (url, allowed) => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const) {
      if (method === allowed) continue
      const answer = await posCall(server.app, url, { method })
      expect(answer.status, answer.text).toBe(405)
      expect(answer.headers.allow).toBe(allowed)
      expect(answer.json()).toMatchObject({ code: 'method_not_allowed', status: '405' })
    }
  })
})

describe('a bare address that group B has too', () => {
  const b = () => ({
    cashboxid: server.box.cashBoxId,
    accesstoken: server.box.accessToken,
  })
  const bare = (headers: Record<string, string>) =>
    posCall(server.app, '/echo', { headers, body: BODY })

  it('is of group B with its headers', async () => {
    const answer = await bare(b())
    expect([answer.status, answer.text]).toEqual([200, '{"message":"hello"}'])
  })

  it.each(['x-cashbox-id', 'x-cashbox-accesstoken', 'x-operation-id', 'x-possystem-id'])(
    'is of group D with %s, whatever else is there',
    async (name) => {
      const answer = await bare({ ...b(), [name]: 'x' })
      expect([answer.status, answer.json().code]).toEqual([400, 'missing_header'])
    },
  )

  it('is of group D without any header', async () => {
    for (const url of ['/echo', '/sign', '/journal']) {
      const answer = await posCall(server.app, url)
      expect([answer.status, answer.json().code]).toEqual([400, 'missing_header'])
    }
  })

  it('is of group B without any header where that asks for none', async () => {
    const local = await startPosServer({ MIDDLEWARE_AUTH: 'off' })
    try {
      const plain = await posCall(local.app, '/echo', { body: '"x"' })
      expect([plain.status, plain.text]).toEqual([200, '"x"'])
      const ours = await posCall(local.app, '/echo', { headers: local.headers(), body: BODY })
      expect([ours.status, ours.text]).toEqual([200, BODY])
      const versioned = await posCall(local.app, '/v2/echo', { body: BODY })
      expect([versioned.status, versioned.json().code]).toEqual([400, 'missing_header'])
    } finally {
      await local.close()
    }
  })

  it('is of group D alone under a name of its own', async () => {
    const named = await startPosServer({ MOUNT_POSSYSTEM: 'pos.example.com/d' })
    try {
      const on = (host: string) =>
        posCall(named.app, '/d/echo', { headers: { ...named.headers(), host }, body: BODY })
      expect((await on('pos.example.com')).text).toBe(BODY)
      expect((await on('pos.example.com:8443')).status).toBe(200)
      expect((await on('other.example.com')).status).toBe(404)
    } finally {
      await named.close()
    }
  })
})

describe('a mount point is no part of what makes an operation', () => {
  it('so a call is the same with another one', async () => {
    const other = await startServer(server, { MOUNT_POSSYSTEM: '/Shop/Pos' })
    try {
      const url = '/shop//pos/v2/echo'
      const answer = await posCall(other.app, url, { headers: server.headers(), body: BODY })
      expect(answer.status, answer.text).toBe(200)
      const id = randomUUID()
      const same = { headers: server.headers({ 'x-operation-id': id }), body: BODY }
      expect((await posCall(server.app, '/v2/echo', same)).status).toBe(200)
      expect((await posCall(other.app, url, same)).status).toBe(200)
    } finally {
      await other.close()
    }
  })
})

describe('browsers of other origins', () => {
  const origin = 'https://portal.example.com'

  it.each(['/v2/sign', '/sign', '/v2/issue/x/y', '/pair', '/v2/nothing'])(
    'a preflight of %s is answered without credentials',
    async (url) => {
      const answer = await posCall(server.app, url, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'x-cashbox-id, content-type',
          'access-control-request-private-network': 'true',
        },
      })
      expect([answer.status, answer.text]).toEqual([204, ''])
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'GET, POST, PUT, OPTIONS',
        'access-control-allow-private-network': 'true',
      })
      const allowed = String(answer.headers['access-control-allow-headers']).toLowerCase()
      for (const name of Object.keys(server.headers())) expect(allowed).toContain(name)
      for (const name of [
        'content-type',
        'accept',
        'x-dry-run',
        'x-terminal-id',
        'x-print-width',
      ]) {
        expect(allowed).toContain(name)
      }
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
    },
  )

  it('answers and refusals name the origin and the headers that may be read', async () => {
    for (const headers of [server.headers(), {}]) {
      const input = { headers: { ...headers, origin }, body: BODY }
      const answer = await posCall(server.app, '/v2/echo', input)
      expect(answer.headers['access-control-allow-origin']).toBe(origin)
      expect(answer.headers.vary).toContain('Origin')
      const exposed = String(answer.headers['access-control-expose-headers'])
      expect(exposed).toContain('x-operation-id')
      expect(exposed).toContain('x-print-width')
    }
  })

  it('a private network is named only to whom asks for it', async () => {
    const headers = { origin, 'access-control-request-method': 'POST' }
    const answer = await posCall(server.app, '/v2/sign', { method: 'OPTIONS', headers })
    expect(answer.status).toBe(204)
    expect(answer.headers['access-control-allow-private-network']).toBeUndefined()
  })

  it('OPTIONS that is no preflight is 405, and so is all of it when switched off', async () => {
    const plain = await posCall(server.app, '/v2/sign', { method: 'OPTIONS' })
    expect([plain.status, plain.headers.allow]).toEqual([405, 'POST'])
    const closed = await startPosServer({ possystemCors: false })
    try {
      const headers = { origin, 'access-control-request-method': 'POST' }
      const preflight = await posCall(closed.app, '/v2/echo', { method: 'OPTIONS', headers })
      expect(preflight.status).toBe(405)
      const input = { headers: closed.headers({ origin }), body: BODY }
      const answer = await posCall(closed.app, '/v2/echo', input)
      expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    } finally {
      await closed.close()
    }
  })
})

describe('a dry run', () => {
  it('is never signed, also where nobody can make one', async () => {
    const headers = server.headers({ 'x-dry-run': 'TRUE' })
    const refused = await posCall(server.app, '/v2/sign', { headers, body: '{}' })
    expect([refused.status, refused.json().code]).toEqual([400, 'invalid_header'])
    const trying = await startPosServer(
      {},
      {
        sign: prepare,
        dryRun: ({ bodyText, posSystemId }) =>
          Promise.resolve({ status: 200, body: `${posSystemId} tries ${bodyText}` }),
      },
    )
    try {
      const input = { headers: trying.headers({ 'x-dry-run': 'true' }), body: '{}' }
      const tried = await posCall(trying.app, '/v2/sign', input)
      const system = input.headers['x-possystem-id']
      expect([tried.status, tried.text]).toEqual([200, `${system} tries {}`])
      const { 'x-dry-run': _dry, ...real } = input.headers
      const signed = await posCall(trying.app, '/v2/sign', { headers: real, body: '{"a":1}' })
      expect(signed.status, 'the id was free').toBe(201)
    } finally {
      await trying.close()
    }
  })
})

describe('bodies', () => {
  it.each([
    ['/v2/sign', 2 * 1024 * 1024],
    ['/v2/issue', 4 * 1024 * 1024],
    ['/v2/pay', 256 * 1024],
    ['/v2/echo', 256 * 1024],
    ['/v2/journal', 256 * 1024],
    ['/v2/pair', 256 * 1024],
  ])('of %s may have %i bytes, and not one more', async (url, limit) => {
    const send = (size: number) =>
      posCall(server.app, url, { headers: server.headers(), body: Buffer.alloc(size, 0x20) })
    const atLimit = await send(limit)
    // blanks are no JSON object; what counts is that they were read
    expect([atLimit.status, atLimit.json().code]).toEqual([400, 'invalid_json'])
    const above = await send(limit + 1)
    expect([above.status, above.json().code]).toEqual([400, 'payload_too_large'])
    expect(above.headers['content-type']).toContain('application/problem+json')
  })

  it.each([
    'application/json',
    'text/json',
    'application/vnd.x+json; charset=utf-8',
    'TEXT/JSON;a',
  ])('are read as %s', async (type) => {
    const headers = { ...server.headers(), 'content-type': type }
    expect((await posCall(server.app, '/v2/echo', { headers, body: BODY })).status).toBe(200)
  })

  it.each([
    'text/plain',
    'application/xml',
    'application/jsonx',
    'x',
    'application/x-www-form-urlencoded',
  ])('are refused as %s, and the id stays free', async (type) => {
    const headers = server.headers()
    const wrong = { ...headers, 'content-type': type }
    const answer = await posCall(server.app, '/v2/echo', { headers: wrong, body: BODY })
    expect([answer.status, answer.json().code]).toEqual([400, 'unsupported_media_type'])
    expect((await posCall(server.app, '/v2/echo', { headers, body: BODY })).status).toBe(200)
  })

  it('are refused compressed in a way that nobody here reads', async () => {
    const headers = { ...server.headers(), 'content-encoding': 'br' }
    const answer = await posCall(server.app, '/v2/echo', { headers, body: BODY })
    expect([answer.status, answer.json().code]).toEqual([400, 'unsupported_media_type'])
  })
})
