// Input over gRPC that means harm: a status, soon, with little memory, and a server that goes on.
import * as net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { status } from '@grpc/grpc-js'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { markets } from '../../../src/market/index.js'
import { countRows, startTestServer, type TestServer } from '../../support/app.js'
import { type Message, methodOf, type Till } from '../../support/grpc-client.js'
import { saleMessage as sale } from '../../support/grpc-door.js'
import { type GrpcStand, standGrpc } from '../../support/grpc-server.js'
import { makeManyMarketRows } from '../../support/make.js'
import { NAUGHTY_STRINGS } from '../../support/naughty-strings.js'
import { connect, type Ended, frame, open, send } from '../../support/raw-grpc.js'

let server: TestServer
let grpc: GrpcStand
let till: Till
const stands: GrpcStand[] = []
beforeAll(async () => {
  server = await startTestServer()
  grpc = await standGrpc(server.deps)
  till = grpc.till(server.headers)
})
afterEach(async () => {
  vi.restoreAllMocks()
  for (const stand of stands.splice(0)) await stand.close()
  expect(await till.call('Echo', { Message: 'still here' })).toEqual({ Message: 'still here' })
})
afterAll(async () => {
  await grpc.close()
  await server.close()
})

const bytesOf = (message: Message) => methodOf('Sign').requestSerialize(message)
const codeOf = (bytes: Buffer) =>
  till.call('Sign', bytes).then(
    () => status.OK,
    (error: { code: number }) => error.code,
  )

async function another(options: Parameters<typeof standGrpc>[1]): Promise<GrpcStand> {
  const stand = await standGrpc(server.deps, options)
  stands.push(stand)
  return stand
}

describe('a message that is none', () => {
  it('every member in another kind than its own is refused, and nothing is stored', async () => {
    const before = await countRows(server)
    const members = [10, 15, 16, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140]
    for (const number of members) {
      for (const kind of number === 70 ? [1, 2, 3, 5] : [0, 1, 3, 5]) {
        const tag = number * 8 + kind
        const bytes = Buffer.from([(tag & 0x7f) | 0x80, tag >> 7, 1, 0, 0, 0, 0, 0, 0, 0])
        expect(await codeOf(Buffer.concat([bytesOf(sale()), bytes])), `${number} ${kind}`).toBe(
          status.INVALID_ARGUMENT,
        )
      }
    }
    expect(await countRows(server)).toEqual(before)
  })

  it('a member given twice is refused: two amounts are no amount', async () => {
    const twice = bytesOf({ cbReceiptAmount: { lo: '1' } })
    const asked = till.call('Sign', Buffer.concat([bytesOf(sale()), twice, twice]))
    await expect(asked).rejects.toMatchObject({ details: 'cbReceiptAmount is given twice.' })
  })

  it('unknown fields are passed by', async () => {
    const unknown = Buffer.from('8a7d03616263907d05997d0000000000000000a37da47dad7d00000000', 'hex')
    expect(await codeOf(Buffer.concat([bytesOf(sale()), unknown]))).toBe(status.OK)
  })

  it('cut off anywhere, or with a byte changed, it is a status and never a crash', async () => {
    const whole = bytesOf(sale({ cbUser: 'Grüße' }))
    const fine = new Set([status.OK, status.INVALID_ARGUMENT])
    await fc.assert(
      fc.asyncProperty(
        fc.nat(whole.length - 1),
        fc.nat(255),
        fc.boolean(),
        async (at, byte, isCut) => {
          const bytes = Buffer.from(isCut ? whole.subarray(0, at) : whole)
          bytes[at] = byte
          // UNAUTHENTICATED and another queue belong to ids that were changed
          expect(fine.has(await codeOf(bytes))).toBe(true)
        },
      ),
      { numRuns: 150 },
    )
  })

  it('texts that break others come back as they were, or are refused', async () => {
    for (const text of NAUGHTY_STRINGS) {
      const answer = await till.call('Echo', { Message: text }).catch((error: unknown) => error)
      const { Message, code } = Object(answer)
      const sent = Buffer.from(text).toString()
      if (code === undefined) expect(Message ?? '').toBe(sent)
      else expect(code).toBe(status.INVALID_ARGUMENT)
    }
  })

  it('700,000 items in 2 MiB are refused in a second', async () => {
    const items = Buffer.from('920300'.repeat(690_000), 'hex')
    const from = performance.now()
    const asked = till.call('Sign', Buffer.concat([bytesOf(sale()), items]))
    await expect(asked).rejects.toMatchObject({
      code: status.INVALID_ARGUMENT,
      details: expect.stringContaining('at most 10000 items'),
    })
    expect(performance.now() - from).toBeLessThan(5000)
  })
})

describe('a message that is too large', () => {
  it('2 MiB are read, one byte more is RESOURCE_EXHAUSTED', async () => {
    const limit = server.deps.config.BODY_LIMIT
    const echo = (length: number) =>
      till.call('Echo', { Message: 'x'.repeat(length) }).then(
        ({ Message }) => String(Message).length,
        (error: { code: number }) => status[error.code],
      )
    // tag and length take four bytes
    expect(await echo(limit - 4)).toBe(limit - 4)
    expect(await echo(limit - 3)).toBe('RESOURCE_EXHAUSTED')
  })

  it('one that claims 4 GB, and one of 100 MB that is packed, are refused before', async () => {
    const session = connect(grpc.address)
    const { headers } = server
    const huge = await send(session, 'Sign', {
      body: frame(Buffer.alloc(10), 2 ** 32 - 1),
      headers,
    })
    expect(huge.status).toBe(status.RESOURCE_EXHAUSTED)
    const packed = frame(gzipSync(Buffer.alloc(100 * 1024 * 1024)), undefined, 1)
    const told = await send(session, 'Sign', {
      body: packed,
      headers: { ...headers, 'grpc-encoding': 'gzip' },
    })
    expect(told.status).toBe(status.RESOURCE_EXHAUSTED)
    session.destroy()
  })

  it('packed in a way that nobody knows, or badly: a status', async () => {
    const session = connect(grpc.address)
    for (const encoding of ['gzip', 'deflate', 'snappy']) {
      const headers = { ...server.headers, 'grpc-encoding': encoding }
      const body = frame(Buffer.from('no zip'), undefined, 1)
      expect((await send(session, 'Sign', { body, headers })).status).toBeGreaterThan(0)
    }
    session.destroy()
  })
})

describe('what is not gRPC', () => {
  it.each([
    ['HTTP/1.1', Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')],
    ['TLS', Buffer.from('16030100050100000100', 'hex')],
    ['noise', Buffer.alloc(100_000, 0xff)],
    [
      'a preface and noise',
      Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\xff\xff\xff\xff\xff\xff\xff\xff\xff', 'latin1'),
    ],
  ])('%s loses its connection', async (_name, bytes) => {
    const socket = net.connect(grpc.port, '127.0.0.1')
    socket.resume()
    const closed = new Promise((resolve) => {
      socket.on('error', () => undefined)
      socket.on('close', resolve)
    })
    socket.write(bytes)
    await closed
  })

  it('odd types, paths and metadata, no message, two messages: answered', async () => {
    const session = connect(grpc.address)
    const body = frame(Buffer.alloc(0))
    const { headers } = server
    const other = { ...headers, 'content-type': 'application/json' }
    expect((await send(session, 'Echo', { body, headers: other })).http).toBe(415)
    for (const name of ['%00', 'Gr\u00fc\u00dfe', '../Echo', 'x'.repeat(5000)]) {
      expect((await send(session, name, { body, headers })).status, name).toBe(status.UNIMPLEMENTED)
    }
    for (const cashboxid of ['\u00fc', "' or 1=1 --", 'x'.repeat(4000)]) {
      const told = await send(session, 'Echo', { body, headers: { ...headers, cashboxid } })
      expect(told.status).toBe(status.UNAUTHENTICATED)
    }
    const empty = await send(session, 'Echo', { body: Buffer.alloc(0), headers })
    expect(empty.status).toBe(status.UNIMPLEMENTED)
    const two = await send(session, 'Echo', { body: Buffer.concat([body, body]), headers })
    expect(two.status).toBe(status.UNIMPLEMENTED)
    session.destroy()
  })
})

describe('half of a call', () => {
  it('ends with DEADLINE_EXCEEDED, however much of it came', async () => {
    const stand = await another({ times: { arrival: 200 } })
    const session = connect(stand.address)
    const parts = [Buffer.alloc(0), Buffer.from([0, 0]), frame(Buffer.alloc(1000), 5000)]
    const told = await Promise.all(
      parts.map((part) => {
        const { stream, ended } = open(session, 'Sign', server.headers)
        stream.resume()
        if (part.length > 0) stream.write(part)
        return ended
      }),
    )
    for (const { status: code, text } of told) {
      expect([code, text]).toEqual([
        status.DEADLINE_EXCEEDED,
        'The message took too long to arrive.',
      ])
    }
    session.destroy()
  })

  it('and a client of many halves loses its connection', async () => {
    const stand = await another({ times: { arrival: 100 } })
    const session = connect(stand.address)
    const closed = new Promise((resolve) => session.on('close', resolve))
    for (let half = 0; half < 20; half += 1) open(session, 'Sign', server.headers).stream.resume()
    await closed
  })

  it('1,000 open streams: as many as are allowed wait, the others are told so', async () => {
    const most = 300
    const stand = await another({ most, times: { arrival: 5000 } })
    const sessions = Array.from({ length: 10 }, () => connect(stand.address))
    const answers: Ended[] = []
    const before = process.memoryUsage().rss
    const ends = sessions.flatMap((session) =>
      Array.from({ length: 100 }, async () => {
        const { stream, ended } = open(session, 'Sign', server.headers)
        stream.resume()
        stream.write(frame(Buffer.alloc(100), 5000))
        answers.push(await ended)
      }),
    )
    while (answers.length < 700) await sleep(10)
    await sleep(100)
    expect(answers.map((one) => one.status)).toEqual(Array(700).fill(status.UNAVAILABLE))
    expect((process.memoryUsage().rss - before) / 1024 / 1024).toBeLessThan(100)
    await Promise.all(ends)
    // those that waited are over as well, and there is room again
    const answer = await stand.till(server.headers).call('Echo', { Message: 'x' })
    expect(answer).toEqual({ Message: 'x' })
    for (const session of sessions) session.destroy()
  })

  it('a connection that never says anything is closed', async () => {
    const stand = await another({ times: { alive: 100, answer: 100 } })
    for (const start of ['', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n']) {
      const socket = net.connect(stand.port, '127.0.0.1')
      socket.resume()
      const closed = new Promise((resolve) => socket.on('close', resolve))
      socket.write(start)
      await closed
    }
  })

  it('more connections than are allowed are closed at once', async () => {
    const stand = await another({ most: 5 })
    const sockets = Array.from({ length: 20 }, () => net.connect(stand.port, '127.0.0.1'))
    let closed = 0
    for (const socket of sockets) {
      socket.resume()
      socket.on('error', () => undefined)
      socket.on('close', () => {
        closed += 1
      })
    }
    while (closed < 15) await sleep(10)
    await sleep(50)
    expect(closed).toBe(15)
    for (const socket of sockets) socket.destroy()
  })
})

describe('a client that does not wait', () => {
  it('gets DEADLINE_EXCEEDED; its receipt is signed, and can be asked for', async () => {
    const real = markets.AT.process.bind(markets.AT)
    vi.spyOn(markets.AT, 'process').mockImplementation(async (...input) => {
      await sleep(300)
      return real(...input)
    })
    const message = sale({ cbReceiptReference: 'late' })
    await expect(till.call('Sign', message, { deadline: 100 })).rejects.toMatchObject({
      code: status.DEADLINE_EXCEEDED,
    })
    vi.restoreAllMocks()
    const flag = 0x4154_8000_0000_0001n
    const asked = { ...message, ftReceiptCase: String(flag) }
    const found = () => till.call('Sign', asked).catch(({ code }: { code: number }) => status[code])
    await expect.poll(found).toMatchObject({ cbReceiptReference: 'late' })
  })

  it('leaves a journal: the export ends, and its connection to the database is free', async () => {
    const { store, config } = server.deps
    const { accountId } = server.demo.operator
    await makeManyMarketRows(store, { accountId, queueId: server.box.queueId } as never, 20_000)
    const stand = await another({ times: { silence: 300 } })
    const body = frame(methodOf('Journal').requestSerialize({ ftJournalType: String(0x4154) }))
    for (const isSilent of [false, true]) {
      for (let reader = 0; reader < 2 * config.DATABASE_POOL; reader += 1) {
        const session = connect(stand.address)
        const { stream, ended } = open(session, 'Journal', server.headers)
        stream.end(body)
        if (isSilent) {
          // takes nothing: is let go after a while
          await new Promise((resolve) => session.on('close', resolve))
        } else {
          await new Promise((resolve) => stream.once('data', resolve))
          stream.close(8)
          await ended
        }
        session.destroy()
      }
    }
    await expect.poll(() => store.pool.totalCount - store.pool.idleCount).toBe(0)
    const patient = await another({})
    const { bytes } = await patient.till(server.headers).journal({ ftJournalType: String(0x4154) })
    expect(JSON.parse(String(bytes)).length).toBeGreaterThan(20_000)
  })
})
