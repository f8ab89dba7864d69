// Connections that stay open: shared, closed by the other side at every byte, never mixed up.
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createOutbound, OutboundError, type OutboundRequest } from '../../src/device/outbound.js'

const call: OutboundRequest = {
  ...{ method: 'POST', headers: {}, body: 'question', timeoutMs: 5_000, maxBytes: 1_000 },
  repeatable: true,
}
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 6\r\n\r\n'
const WHOLE = `${HEAD}answer`

const servers: Server[] = []
const sockets = new Set<Socket>()
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  await Promise.all(servers.splice(0).map((one) => new Promise((done) => one.close(done))))
})

/** `answer` is called with each whole request of these tests, and how many there were before. */
async function serve(answer: (socket: Socket, text: string, nth: number) => void) {
  let asked = 0
  let opened = 0
  const server = createServer((socket) => {
    opened += 1
    sockets.add(socket)
    let seen = ''
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => {
      seen += bytes.toString('latin1')
      const end = seen.indexOf('\r\n\r\n')
      if (end < 0 || seen.length < end + 4 + 'question'.length) return
      const text = seen
      seen = ''
      answer(socket, text, asked++)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  servers.push(server)
  const { port } = server.address() as AddressInfo
  const outbound = createOutbound({ allow: [`127.0.0.1:${port}`] })
  return {
    port,
    ask: (path = '/') => outbound(`http://127.0.0.1:${port}${path}`, call),
    asked: () => asked,
    opened: () => opened,
  }
}

const told = (promise: Promise<{ body: Buffer }>) =>
  promise.then(
    ({ body }) => body.toString(),
    (error: unknown) => (error instanceof OutboundError ? error.reason : error),
  )

it('leads nowhere that a call of its own would not be let to', async () => {
  const { port } = await serve((socket) => void socket.write(WHOLE))
  const asked: string[] = []
  const outbound = createOutbound({
    allow: [],
    lookup: (name, _, done) => {
      asked.push(name)
      done(null, [{ address: '127.0.0.1', family: 4 }])
    },
  })
  const at = (host: string, named: boolean) =>
    told(outbound(`http://${host}:${port}/`, { ...call, named }))
  // whoever runs the server named it: one is kept
  for (const host of ['127.0.0.1', 'signer.example']) {
    expect(await at(host, true)).toBe('answer')
    expect(await at(host, false)).toBe('refused')
  }
  expect(asked).toEqual(['signer.example', 'signer.example'])
})

describe('a connection that ends', () => {
  it('at any byte of an answer gives all of it or a fault, and asks twice at most', async () => {
    let cut = 0
    const { ask, asked } = await serve((socket) => {
      socket.end(WHOLE.slice(0, cut))
    })
    for (cut = 0; cut <= WHOLE.length; cut += 1) {
      const before = asked()
      expect(await told(ask())).toBe(cut === WHOLE.length ? 'answer' : 'network')
      // until the head is there nothing of an answer was seen
      expect(asked() - before).toBe(cut < HEAD.length ? 2 : 1)
    }
  })

  it('with the next call on its way costs no call', async () => {
    const { ask } = await serve((socket, _, nth) => {
      socket.write(WHOLE)
      if (nth % 2 === 0) setImmediate(() => socket.destroy())
    })
    for (let nth = 0; nth < 50; nth += 1) expect(await told(ask())).toBe('answer')
  })

  it('after words that are no HTTP, or that nobody asked for, is not used again', async () => {
    for (const first of ['no http at all\r\n\r\n', `HTTP/1.1 100 Continue\r\n\r\n${WHOLE}`]) {
      const { ask } = await serve((socket, _, nth) => {
        socket.write(nth === 0 ? first : WHOLE)
      })
      expect(await told(ask())).toBe('answer')
    }
  })
})

it('every call of many at once gets its own answer', async () => {
  const { ask, opened } = await serve((socket, text) => {
    const path = /^POST \/(\d+) /.exec(text)?.[1] ?? ''
    const body = path.padStart(6, '0')
    setTimeout(() => socket.write(HEAD + body), Number(path) % 7)
  })
  const rounds = await Promise.all(
    Array.from({ length: 40 }, async (_, lane) => {
      const answers: unknown[] = []
      for (let nth = 0; nth < 10; nth += 1) answers.push(await told(ask(`/${lane * 10 + nth}`)))
      return answers
    }),
  )
  const expected = Array.from({ length: 400 }, (_, at) => String(at).padStart(6, '0'))
  expect(rounds.flat()).toEqual(expected)
  // calls that follow at once may need a second one each
  expect(opened()).toBeLessThanOrEqual(80)
})

it('a piece behind the end of an answer belongs to nobody', async () => {
  const { ask } = await serve((socket, _, nth) => {
    socket.write(nth === 0 ? `${WHOLE}HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nwrong` : WHOLE)
  })
  for (let nth = 0; nth < 5; nth += 1) expect(await told(ask())).toBe('answer')
})
