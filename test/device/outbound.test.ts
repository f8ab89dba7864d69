import { createPrivateKey, X509Certificate } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type LookupFunction } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isPublicAddress } from '../../src/device/address.js'
import {
  createOutbound,
  OutboundError,
  type OutboundReason,
  type OutboundRequest,
} from '../../src/device/outbound.js'
import vectors from '../market/at/vectors/rksv-examples.json' with { type: 'json' }
import { closedAddresses, closedHosts, publicAddresses } from '../support/closed-addresses.js'

let server: Server
let port: number
let connections = 0
let behaviour: Parameters<typeof createServer>[1] = () => {}
const call: OutboundRequest = { method: 'GET', headers: {}, timeoutMs: 5000, maxBytes: 1000 }

beforeEach(async () => {
  connections = 0
  server = createServer((request, response) => behaviour?.(request, response))
  server.on('connection', () => {
    connections += 1
  })
  // all interfaces: a guard that lets an address through would find somebody there
  await new Promise<void>((done) => server.listen(0, '::', done))
  port = (server.address() as AddressInfo).port
})

afterEach(async () => {
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
})

async function reasonOf(work: Promise<unknown>): Promise<OutboundReason> {
  const error: unknown = await work.then(
    () => new Error('the call succeeded'),
    (fault: unknown) => fault,
  )
  if (error instanceof OutboundError) return error.reason
  throw error
}

/** A resolver that knows every name and gives the next of these answers each time. */
function resolver(...answers: string[][]): LookupFunction & { asked: string[] } {
  const asked: string[] = []
  const lookup: LookupFunction = (hostname, options, done) => {
    asked.push(hostname)
    const found = (answers.length > 1 ? answers.shift() : answers[0]) ?? []
    const list = found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    if (options.all === true) done(null, list)
    else done(null, list[0]?.address ?? '', list[0]?.family ?? 4)
  }
  return Object.assign(lookup, { asked })
}

describe('closed addresses', () => {
  it('come in at least 70 spellings in these tests', () => {
    expect(new Set(closedHosts).size).toBeGreaterThanOrEqual(70)
  })

  it.each(closedHosts)('http://%s is refused before any connection', async (host) => {
    const outbound = createOutbound({ allow: [] })
    for (const scheme of ['http', 'https']) {
      expect(await reasonOf(outbound(`${scheme}://${host}:${port}/`, call))).toBe('refused')
    }
    expect(connections).toBe(0)
  })

  it.each(closedAddresses)('a name that resolves to "%s" is refused', async (address) => {
    const outbound = createOutbound({ allow: [], lookup: resolver([address]) })
    expect(await reasonOf(outbound(`http://inside.example:${port}/`, call))).toBe('refused')
    expect(connections).toBe(0)
  })

  it('are refused for the names of this machine, whatever their spelling', async () => {
    const outbound = createOutbound({ allow: [] })
    for (const name of ['localhost', 'LOCALHOST', 'localhost.', 'ｌocalhost']) {
      expect(await reasonOf(outbound(`http://${name}:${port}/`, call))).toBe('refused')
    }
    expect(connections).toBe(0)
  })

  it('are refused when only one of several answers is closed', async () => {
    const lookup = resolver(['8.8.8.8', '127.0.0.1'])
    const outbound = createOutbound({ allow: [], lookup })
    expect(await reasonOf(outbound(`http://mixed.example:${port}/`, call))).toBe('refused')
  })

  it('are refused when a name has no address at all', async () => {
    const outbound = createOutbound({ allow: [], lookup: resolver([]) })
    expect(await reasonOf(outbound('http://empty.example/', call))).toBe('refused')
  })

  it('are all that is not public', () => {
    for (const address of closedAddresses) expect(isPublicAddress(address)).toBe(false)
    for (const address of publicAddresses) expect(isPublicAddress(address), address).toBe(true)
  })
})

describe('what is refused besides', () => {
  it.each([
    ...['file:///etc/passwd', 'ftp://example.com/', 'gopher://example.com/', 'ws://example.com/'],
    ...['data:text/plain,x', 'javascript:1', 'blob:http://example.com/1', 'unix:/run/x.sock'],
    ...['http://user:pass@example.com/', 'http://user@example.com/', 'example.com', '', 'http://'],
  ])('"%s"', async (url) => {
    expect(await reasonOf(createOutbound({ allow: [] })(url, call))).toBe('refused')
  })

  it.each(['localhost', ':80', 'a:b', 'http://a:80', 'a:80/x', 'u@a:80', 'a:99999', '', '[::1]'])(
    'the allow entry "%s"',
    (entry) => {
      expect(() => createOutbound({ allow: [entry] })).toThrow('is not host:port')
    },
  )
})

describe('what the administrator named', () => {
  beforeEach(() => {
    behaviour = (_, response) => response.end('hello')
  })

  it('is reached by name, by address and in other spellings of that address', async () => {
    const own = createOutbound({
      allow: [`localhost:${port}`, ` 127.0.0.1:${port} `, `[::1]:${port}`],
    })
    for (const host of ['localhost', 'LocalHost.', '127.0.0.1', '127.1', '0x7f000001', '[0::1]']) {
      const answer = await own(`http://${host}:${port}/`, call)
      expect(answer.body.toString()).toBe('hello')
    }
  })

  it('opens that port and that host only', async () => {
    const outbound = createOutbound({ allow: [`127.0.0.1:${port + 1}`, `localhost:${port}`] })
    expect(await reasonOf(outbound(`http://127.0.0.1:${port}/`, call))).toBe('refused')
    expect(await reasonOf(outbound(`http://127.0.0.2:${port + 1}/`, call))).toBe('refused')
    expect(connections).toBe(0)
  })

  it('may be an address that a name resolves to', async () => {
    const lookup = resolver(['127.0.0.1'])
    const outbound = createOutbound({ allow: [`127.0.0.1:${port}`], lookup })
    expect((await outbound(`http://signer.example:${port}/`, call)).status).toBe(200)
  })

  it('is resolved once: the connection goes to the address that was judged', async () => {
    // a rebinding name: the answer that passes first, then another one
    const lookup = resolver(['127.0.0.1'], ['169.254.169.254'])
    const outbound = createOutbound({ allow: [`127.0.0.1:${port}`], lookup })
    expect((await outbound(`http://rebind.example:${port}/`, call)).status).toBe(200)
    expect(lookup.asked).toEqual(['rebind.example'])
    expect(await reasonOf(outbound(`http://rebind.example:${port}/`, call))).toBe('refused')
  })
})

describe('a kept connection', () => {
  const repeatable = { ...call, repeatable: true }
  beforeEach(() => {
    behaviour = (_, response) => response.end('hello')
  })

  it('serves the calls that may be repeated, and no others', async () => {
    const outbound = createOutbound({ allow: [`localhost:${port}`] })
    for (let i = 0; i < 9; i += 1) await outbound(`http://localhost:${port}/`, repeatable)
    // one is good again a turn of the event loop after its answer: a call that comes at once has
    // a second one
    const kept = connections
    expect(kept).toBeLessThanOrEqual(2)
    for (let i = 0; i < 3; i += 1) await outbound(`http://localhost:${port}/`, call)
    expect(connections).toBe(kept + 3)
  })

  it('that the other side closes in that moment costs no call', async () => {
    const outbound = createOutbound({ allow: [`localhost:${port}`] })
    await outbound(`http://localhost:${port}/`, repeatable)
    server.closeAllConnections()
    expect((await outbound(`http://localhost:${port}/`, repeatable)).status).toBe(200)
    expect(connections).toBe(2)
  })
})

describe.each([
  ['on a connection of its own', { repeatable: false }],
  ['on one that is kept', { repeatable: true }],
])('an answer %s', (_, way) => {
  const outbound = (changes: Partial<OutboundRequest> = {}) =>
    createOutbound({ allow: [`localhost:${port}`] })(`http://localhost:${port}/x?y=1`, {
      ...call,
      ...way,
      ...changes,
    })

  it('is given with its status and bytes, the request with method, headers and body', async () => {
    let seen = ''
    behaviour = (request, response) => {
      request.on('data', (part) => {
        seen += `${request.method} ${request.url} ${request.headers.accesstoken} ${part}`
      })
      request.on('end', () => response.writeHead(418).end(Buffer.from([0, 255])))
    }
    const answer = await outbound({ method: 'POST', headers: { accesstoken: 't' }, body: 'äb' })
    expect(answer).toEqual({ status: 418, body: Buffer.from([0, 255]) })
    expect(seen).toBe('POST /x?y=1 t äb')
  })

  it('that redirects is refused, also towards public places', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      behaviour = (_, response) =>
        response.writeHead(status, { location: `http://localhost:${port}/` }).end()
      expect(await reasonOf(outbound())).toBe('redirect')
    }
  })

  it('may be as long as allowed and not a byte longer', async () => {
    behaviour = (request, response) =>
      response.end(Buffer.alloc(request.headers['x-more'] === undefined ? 1000 : 1001))
    expect((await outbound()).body.length).toBe(1000)
    expect(await reasonOf(outbound({ headers: { 'x-more': '1' } }))).toBe('too-large')
  })

  it('without end is cut off', async () => {
    behaviour = (_, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(500)));
      }
      response.on('drain', more)
      more()
    }
    expect(await reasonOf(outbound())).toBe('too-large')
  })

  it('goes to its sink piece by piece, the next one behind the one before', async () => {
    const sent = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251))
    behaviour = (_, response) => response.end(sent)
    const pieces: Buffer[] = []
    let atWork = 0
    const sink = async (part: Buffer) => {
      atWork += 1
      expect(atWork).toBe(1)
      await new Promise((done) => setTimeout(done, 5))
      pieces.push(Buffer.from(part))
      atWork -= 1
    }
    const answer = await outbound({ sink, maxBytes: 300_000 })
    expect([answer.body.length, Buffer.concat(pieces).equals(sent)]).toEqual([0, true])
    const full = () => Promise.reject(new OutboundError('too-large', 'the disk is full'))
    expect(await reasonOf(outbound({ sink: full, maxBytes: 300_000 }))).toBe('too-large')
  })

  it('whose sink takes no more runs into the time limit', async () => {
    behaviour = (_, response) => response.end('all of it')
    const sink = () => new Promise<void>(() => undefined)
    expect(await reasonOf(outbound({ sink, timeoutMs: 50 }))).toBe('timeout')
  })

  it('that breaks off in the middle is a network fault, however it was read', async () => {
    behaviour = (_, response) => {
      response.writeHead(200, { 'content-length': 1_000 })
      response.write('half', () => response.destroy())
    }
    expect(await reasonOf(outbound())).toBe('network')
    expect(await reasonOf(outbound({ sink: () => undefined }))).toBe('network')
  })

  it('that does not come, or does not end, runs into the time limit', async () => {
    behaviour = () => {}
    expect(await reasonOf(outbound({ timeoutMs: 30 }))).toBe('timeout')
    behaviour = (_, response) => response.writeHead(200).write('begin')
    expect(await reasonOf(outbound({ timeoutMs: 30 }))).toBe('timeout')
    expect(await reasonOf(outbound({ timeoutMs: -1 }))).toBe('timeout')
    const deaf = createOutbound({ allow: [], lookup: () => {} })
    expect(await reasonOf(deaf('http://slow.example/', { ...call, ...way, timeoutMs: 30 }))).toBe(
      'timeout',
    )
  })

  it('that nobody wants any more is not waited for', async () => {
    const stop = new AbortController()
    behaviour = () => stop.abort()
    expect(await reasonOf(outbound({ signal: stop.signal }))).toBe('aborted')
    // nothing is sent
    expect(await reasonOf(outbound({ signal: stop.signal }))).toBe('aborted')
    expect(connections).toBe(1)
    const { signal } = new AbortController()
    expect(await reasonOf(outbound({ timeoutMs: 30, signal }))).toBe('timeout')
  })

  it('that is no HTTP, or a closed port, is a network fault', async () => {
    const raw = createTcpServer((socket) => socket.resume().end('no http\r\n\r\n'))
    await new Promise<void>((done) => raw.listen(0, '127.0.0.1', done))
    const address = `127.0.0.1:${(raw.address() as AddressInfo).port}`
    const own = createOutbound({ allow: [address] })
    expect(await reasonOf(own(`http://${address}/`, { ...call, ...way }))).toBe('network')
    await new Promise((done) => raw.close(done))
    expect(await reasonOf(own(`http://${address}/`, { ...call, ...way }))).toBe('network')
  })

  it('from a server with an untrusted certificate is a network fault', async () => {
    const cert = Buffer.from(vectors.input.certificateBase64, 'base64')
    const pem = new X509Certificate(cert).toString()
    const jwk = vectors.input.jwk
    const key = createPrivateKey({ key: jwk, format: 'jwk' }).export({
      type: 'pkcs8',
      format: 'pem',
    })
    const secure = createHttpsServer({ key, cert: pem }, (_, response) => response.end('hello'))
    await new Promise<void>((done) => secure.listen(0, '127.0.0.1', done))
    const address = `127.0.0.1:${(secure.address() as AddressInfo).port}`
    const own = createOutbound({ allow: [address] })
    expect(await reasonOf(own(`https://${address}/`, { ...call, ...way }))).toBe('network')
    await new Promise((done) => secure.close(done))
  })

  it('to a header that would break the request is a fault and no request', async () => {
    expect(await reasonOf(outbound({ headers: { accesstoken: 'a\r\nb: c' } }))).toBe('network')
    expect(connections).toBe(0)
  })

  it('does not carry a fault text with an address or secret in it', async () => {
    const own = createOutbound({ allow: ['127.0.0.1:1'] })
    const fault = own('http://127.0.0.1:1/', { ...call, headers: { accesstoken: 'secret' } })
    await expect(fault).rejects.toThrow(/^ECONNREFUSED$/)
  })
})
