// Big, slow and broken requests, over a real connection: refused early, closed in time, and nobody
// else notices.
import { once } from 'node:events'
import { connect } from 'node:net'
import { constants, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  call,
  countRows,
  type Server,
  startServer,
  startTestServer,
  type TestServer,
} from '../../support/app.js'
import { requestText, sendRaw } from '../../support/raw-http.js'
import { saleText } from '../../support/receipts.js'

/** A second where the real server waits ten or thirty. */
const TIMES = { headers: 800, request: 1_500, silence: 1_000, idle: 1_000, check: 50 }

let server: TestServer
/** The same with little patience. */
let hasty: Server
let hastyUrl: string
beforeAll(async () => {
  server = await startTestServer()
  hasty = await startServer(server, { connectionsMax: 40 }, TIMES)
  hastyUrl = await hasty.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await hasty.close()
  await server.close()
})

const LIMIT = 2 * 1024 * 1024
const SIGN = '/json/v1/sign'

/** A sale of exactly so many bytes. */
function saleOf(bytes: number): string {
  const body = saleText({ padding: '""' })
  return body.replace('"padding":""', `"padding":"${'x'.repeat(bytes - body.length)}"`)
}

const isAlive = async () => {
  expect((await call(server, SIGN, { body: saleText() })).status).toBe(200)
  expect((await fetch(`${hastyUrl}/health`)).status).toBe(200)
}

describe('size', () => {
  it('2 MiB are read, one byte more is 413', async () => {
    for (const [bytes, status] of [
      [LIMIT - 1, 200],
      [LIMIT, 200],
      [LIMIT + 1, 413],
      [10 * 1024 * 1024, 413],
    ] as const) {
      const answer = await call(server, SIGN, { body: saleOf(bytes) })
      expect(answer.status, `${bytes} bytes`).toBe(status)
      if (status === 413) expect(answer.json()).toMatchObject({ code: 'BODY_TOO_LARGE' })
    }
  })

  it('echo and journal take 256 KiB, one byte more is 413', async () => {
    const small = 256 * 1024
    for (const [bytes, status] of [
      [small, 200],
      [small + 1, 413],
    ] as const) {
      const message = 'x'.repeat(bytes - 2)
      for (const path of ['/json/v0/echo', '/json/v0/journal?type=1']) {
        const answer = await call(server, path, { body: `"${message}"` })
        expect(answer.status, `${bytes} bytes to ${path}`).toBe(status)
        if (status === 413) expect(answer.json().message).toContain('262144')
      }
    }
  })

  it('BODY_LIMIT moves the border', async () => {
    const small = await startServer(server, { BODY_LIMIT: '1024' })
    try {
      const target = { ...small, headers: server.headers }
      expect((await call(target, SIGN, { body: saleOf(1024) })).status).toBe(200)
      const refused = await call(target, SIGN, { body: saleOf(1025) })
      expect(refused.status).toBe(413)
      expect(refused.json().message).toContain('1024')
    } finally {
      await small.close()
    }
  })

  it('a length of 10 GiB is refused before a byte of the body is read', async () => {
    const headers = { ...server.headers, 'content-length': String(10 * 1024 ** 3) }
    const answer = await sendRaw(server.url, { head: requestText(SIGN, headers, '{') })
    expect(answer.status).toBe(413)
    expect(answer.text).toContain('connection: close')
  })

  it.each(['/json/v1/sign', '/echo', '/journal?type=1'])(
    'an endless chunked body to %s is cut off at the limit',
    async (path) => {
      const headers = { ...server.headers, 'transfer-encoding': 'chunked' }
      const piece = `10000\r\n${'x'.repeat(0x10000)}\r\n`
      const answer = await sendRaw(server.url, {
        head: requestText(path, headers),
        more: () => piece,
      })
      expect(answer.status).toBe(413)
      // what both kernels buffer may come on top
      expect(answer.sent).toBeLessThan(LIMIT + 16 * 1024 * 1024)
    },
  )

  it('two million empty items, names or brackets are refused as what they are', async () => {
    const bodies: [string, string][] = [
      [saleText({ cbChargeItems: `[${'{},'.repeat(500_000)}{}]` }), 'BODY_MALFORMED'],
      [saleText({ cbChargeItems: `[${'{},'.repeat(200_000)}{}]` }), 'FIELD_INVALID'],
      [saleText({ x: '['.repeat(100_000) + ']'.repeat(100_000) }), 'BODY_MALFORMED'],
      [`{${'"":{"":'.repeat(100_000)}`, 'BODY_MALFORMED'],
      [`[${'[],'.repeat(600_000)}[]]`, 'BODY_MALFORMED'],
      [`{${'"a":1,'.repeat(300_000)}"b":1}`, 'BODY_MALFORMED'],
      [`{${'"a":1,'.repeat(200_000)}"b":1}`, 'FIELD_MISSING'],
      [`{${'"cbUser":1,'.repeat(180_000)}"b":1}`, 'FIELD_DOUBLED'],
      [saleText({ cbReceiptAmount: '9'.repeat(2_000_000) }), 'FIELD_INVALID'],
      [saleText({ ftReceiptCase: '9'.repeat(2_000_000) }), 'FIELD_INVALID'],
      [saleText({ cbReceiptMoment: `"${'1'.repeat(2_000_000)}"` }), 'FIELD_INVALID'],
      [saleText({ cbReceiptMoment: `"/Date(${'1'.repeat(2_000_000)})/"` }), 'FIELD_INVALID'],
      [saleText({ ftCashBoxID: `"${'0e0af2cb-'.repeat(200_000)}"` }), 'FIELD_INVALID'],
      [' '.repeat(2_000_000), 'BODY_MISSING'],
    ]
    const before = await countRows(server)
    for (const [body, code] of bodies) {
      const answer = await call(server, SIGN, { body })
      expect(answer.status, answer.text).toBe(400)
      expect(answer.json().code, body.slice(0, 60)).toBe(code)
      expect(answer.text.length).toBeLessThan(600)
    }
    expect(await countRows(server)).toEqual(before)
  })
})

describe('compression', () => {
  // 64 MiB of blanks in 64 KiB
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '), {
    level: constants.Z_BEST_COMPRESSION,
  })

  it.each(['br', 'zstd', 'gzip, gzip', 'x-anything'])(
    '%s is refused and never unpacked',
    async (encoding) => {
      for (const path of [SIGN, '/v1/echo', `/${server.box.queueId}/json/sign`]) {
        const headers = { 'content-encoding': encoding }
        const answer = await call(server, path, { body: bomb, headers })
        expect(answer.status).toBe(400)
        expect(answer.json()).toMatchObject({ code: 'BODY_COMPRESSED' })
      }
    },
  )

  it('identity is no compression, and a journal call does not mind', async () => {
    const body = saleText()
    const plain = { 'content-encoding': 'identity' }
    expect((await call(server, SIGN, { body, headers: plain })).status).toBe(200)
    const headers = { 'content-encoding': 'gzip' }
    expect((await call(server, '/journal?type=1', { body: bomb, headers })).status).toBe(200)
  })
})

describe('headers and addresses', () => {
  it('a hundred thousand headers are 431', async () => {
    const many = Array.from({ length: 100_000 }, (_, at) => `x-${at}: 1\r\n`).join('')
    const answer = await sendRaw(server.url, {
      head: `POST ${SIGN} HTTP/1.1\r\nhost: localhost\r\n${many}\r\n`,
    })
    expect(answer.status).toBe(431)
    expect(answer.text).toContain('"traceId"')
  })

  it('a header or an address of a mebibyte is 431', async () => {
    const long = 'q'.repeat(1024 * 1024)
    for (const head of [
      requestText(SIGN, { cashboxid: long }),
      requestText(`/journal?type=${long}`, {}),
      requestText(`/${long}/sign`, {}),
    ]) {
      expect((await sendRaw(server.url, { head })).status).toBe(431)
    }
  })

  it('a query of many names is answered', async () => {
    const query = Array.from({ length: 3_000 }, (_, at) => `a${at}`).join('&')
    const answer = await call(server, `/journal?type=1&${query}`)
    expect(answer.status).toBe(200)
    const doubled = await call(server, `/journal?${'type=2&'.repeat(1_500)}type=1`)
    expect(doubled.status).toBe(200)
  })

  it.each([
    ['no HTTP', 'hello\r\n\r\n'],
    ['TLS', Buffer.from('16030100a5010000a10303', 'hex')],
    ['two lengths', requestText(SIGN, { 'content-length': '5', 'Content-Length': '6' }, '{}')],
    [
      'length and chunks',
      requestText(SIGN, { 'content-length': '2', 'transfer-encoding': 'chunked' }, '0\r\n\r\n'),
    ],
    ['a negative length', requestText(SIGN, { 'content-length': '-1' })],
    ['a broken chunk', requestText(SIGN, { 'transfer-encoding': 'chunked' }, 'zz\r\n')],
    ['a line feed in a header', 'POST /sign HTTP/1.1\r\nhost: x\r\na: b\nc\r\n\r\n'],
    ['no host', 'POST /sign HTTP/1.1\r\n\r\n'],
    ['another version', 'POST /sign HTTP/9.9\r\nhost: x\r\n\r\n'],
  ])('%s is 400 and closed', async (_name, head) => {
    const answer = await sendRaw(server.url, { head })
    expect([answer.status, answer.text]).toEqual([400, expect.any(String)])
  })

  it('nobody else notices', isAlive)
})

const connections = () =>
  new Promise<number>((resolve, reject) => {
    hasty.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })

describe('an answer that nobody takes', () => {
  it('is given up, and its export with it', async () => {
    // more than both kernels buffer
    for (let turn = 0; turn < 12; turn += 1) {
      expect((await call(server, SIGN, { body: saleOf(LIMIT) })).status).toBe(200)
    }
    const { hostname, port } = new URL(hastyUrl)
    const reader = connect({ host: hostname, port: Number(port) })
    reader.write(requestText('/journal?type=3', { ...server.headers, 'content-length': '0' }))
    await once(reader, 'readable')
    await expect.poll(connections).toBe(0)
    reader.destroy()
    await isAlive()
  })

  it('is no reason to leave a call that we are still working on', async () => {
    const [scuId = ''] = server.box.scuIds
    const steps = [{ do: 'delay', calls: 1, ms: TIMES.silence * 2 }]
    const headers = { ...server.headers, 'content-type': 'application/json' }
    const script = { method: 'PUT', headers, body: JSON.stringify({ steps }) }
    expect((await fetch(`${hastyUrl}/sandbox/scus/${scuId}/fault`, script)).status).toBe(200)
    const slow = await fetch(`${hastyUrl}${SIGN}`, { method: 'POST', headers, body: saleText() })
    expect(slow.status).toBe(200)
  })
})

describe('slow senders are closed', () => {
  it('headers that drip', async () => {
    const answer = await sendRaw(hastyUrl, {
      head: `POST ${SIGN} HTTP/1.1\r\n`,
      more: () => 'x: y\r\n',
      pauseMs: 50,
    })
    expect(answer.status).toBe(408)
  })

  it('a body that drips', async () => {
    const headers = { ...server.headers, 'content-length': '100000' }
    const answer = await sendRaw(hastyUrl, {
      head: requestText(SIGN, headers),
      more: () => ' ',
      pauseMs: 50,
    })
    expect([0, 408]).toContain(answer.status)
  })

  it('a body that never comes, and a connection that never speaks', async () => {
    const headers = { ...server.headers, 'content-length': '10' }
    const [silentBody, silent] = await Promise.all([
      sendRaw(hastyUrl, { head: requestText(SIGN, headers) }),
      sendRaw(hastyUrl, { head: '' }),
    ])
    expect([0, 408]).toContain(silentBody.status)
    expect([0, 408]).toContain(silent.status)
  })

  it('a kept connection without a further request', async () => {
    const headers = { ...server.headers, 'content-length': '3' }
    const answer = await sendRaw(hastyUrl, { head: requestText('/v0/echo', headers, '"x"') })
    expect(answer.status).toBe(200)
  })

  it('thirty at once, while others are served', async () => {
    const slow = Array.from({ length: 30 }, (_, at) =>
      sendRaw(hastyUrl, {
        head: at % 2 === 0 ? 'POST / HTTP/1.1\r\n' : requestText(SIGN, { 'content-length': '900' }),
        more: () => (at % 2 === 0 ? 'a: b\r\n' : ' '),
        pauseMs: 100,
      }),
    )
    await isAlive()
    for (const { status } of await Promise.all(slow)) expect([0, 408]).toContain(status)
  })

  it('beyond the limit a connection is closed at once', async () => {
    const held = Array.from({ length: 60 }, () => sendRaw(hastyUrl, { head: '' }))
    const answers = await Promise.all(held)
    expect(answers.filter(({ status }) => status === 0).length).toBeGreaterThanOrEqual(20)
    await isAlive()
  })
})
