import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { createServer as createHttpServer, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OutboundError } from '../../src/device/guard.js'
import { createOutbound } from '../../src/device/outbound.js'
import { type Connect, createConnect } from '../../src/device/socket.js'

let key: string
let cert: string
let fingerprint: string
const ends: (() => void)[] = []

beforeAll(() => {
  const words = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2'.split(' ')
  const made = [...words, '-subj', '/CN=printer', '-keyout', '-', '-out', '-']
  const pem = execFileSync('openssl', made, { stdio: ['ignore', 'pipe', 'ignore'] }).toString()
  key = /-----BEGIN PRIVATE KEY[\s\S]+END PRIVATE KEY-----/.exec(pem)?.[0] ?? ''
  cert = /-----BEGIN CERTIFICATE[\s\S]+END CERTIFICATE-----/.exec(pem)?.[0] ?? ''
  fingerprint = new X509Certificate(cert).fingerprint256
})
afterAll(() => {
  for (const end of ends) end()
})

async function listening(server: Pick<Server, 'listen' | 'address' | 'close'>): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  ends.push(() => server.close())
  return (server.address() as AddressInfo).port
}

async function reasonOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => 'it succeeded',
    (one: unknown) => one,
  )
  return error instanceof OutboundError ? error.reason : String(error)
}

async function said(connect: Connect, request: Parameters<Connect>[0]): Promise<string> {
  const socket = await connect(request)
  socket.write('hello')
  const answer = await new Promise<Buffer>((done) => socket.once('data', done))
  socket.destroy()
  return answer.toString()
}

describe('a connection without HTTP', () => {
  const place = { host: '127.0.0.1', timeoutMs: 2000 }

  it('reaches named addresses only, over TCP', async () => {
    const server = createTcpServer((socket) => socket.pipe(socket))
    const port = await listening(server as never)
    const closed = createConnect({ allow: [] })
    expect(await reasonOf(closed({ ...place, port }))).toBe('refused')
    expect(await said(closed, { ...place, port, named: true })).toBe('hello')
    expect(await said(createConnect({ allow: [`127.0.0.1:${port}`] }), { ...place, port })).toBe(
      'hello',
    )
  })

  it('over TLS knows a certificate of nobody by its fingerprint, before it sends', async () => {
    let heard = ''
    const server = createTlsServer({ key, cert }, (socket) => {
      socket.on('error', () => undefined)
      socket.on('data', (data) => {
        heard += data.toString()
        socket.write(data)
      })
    })
    const port = await listening(server as never)
    const connect = createConnect({ allow: [`127.0.0.1:${port}`] })
    expect(await reasonOf(said(connect, { ...place, port, tls: {} }))).toBe('network')
    const other = { fingerprint: '0'.repeat(64) }
    expect(await reasonOf(said(connect, { ...place, port, tls: other }))).toBe('refused')
    expect(heard).toBe('')
    expect(await said(connect, { ...place, port, tls: { fingerprint } })).toBe('hello')
  })

  it('tells when nobody listens, and ends in time', async () => {
    const server = createTcpServer()
    const port = await listening(server as never)
    server.close()
    const connect = createConnect({ allow: [`127.0.0.1:${port}`] })
    expect(await reasonOf(connect({ ...place, port }))).toBe('network')
    const silent = await listening(createTcpServer(() => undefined) as never)
    const open = createConnect({ allow: [`127.0.0.1:${silent}`] })
    const late = open({ ...place, port: silent, timeoutMs: 50, tls: { fingerprint } })
    expect(await reasonOf(late)).toBe('timeout')
  })
})

describe('HTTP calls of drivers', () => {
  const request = { headers: {}, timeoutMs: 2000, maxBytes: 1_000_000 }

  it('may be PATCH, and take the body as it comes', async () => {
    const server = createHttpServer((asked, answer) => answer.end(`${asked.method}`.repeat(50_000)))
    const port = await listening(server)
    const call = createOutbound({ allow: [`127.0.0.1:${port}`] })
    const parts: number[] = []
    const sink = (part: Buffer) => void parts.push(part.length)
    const url = `http://127.0.0.1:${port}/`
    const answer = await call(url, { ...request, method: 'PATCH', sink })
    expect([answer.status, answer.body.length]).toEqual([200, 0])
    expect(parts.reduce((sum, one) => sum + one, 0)).toBe(5 * 50_000)
    const small = call(url, { ...request, method: 'PATCH', sink, maxBytes: 1000 })
    expect(await reasonOf(small)).toBe('too-large')
  })

  it('know a certificate of nobody by its fingerprint', async () => {
    let calls = 0
    const server = createHttpsServer({ key, cert }, (_, answer) => {
      calls += 1
      answer.end('{}')
    })
    const port = await listening(server)
    const call = createOutbound({ allow: [`127.0.0.1:${port}`] })
    const ask = (more: object) =>
      call(`https://127.0.0.1:${port}/`, { ...request, method: 'GET', ...more })
    expect(await reasonOf(ask({}))).toBe('network')
    expect(await reasonOf(ask({ fingerprint: '0'.repeat(64) }))).toBe('refused')
    expect(calls).toBe(0)
    expect((await ask({ fingerprint })).status).toBe(200)
    expect((await ask({ fingerprint, repeatable: true })).status).toBe(200)
  })
})
