// Somebody else's server that webhooks call: keeps what it gets, checks it as receivers do, and
// answers what the test says.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

export interface Got {
  id: string
  body: string
  headers: Record<string, string>
  at: number
}

export type Answering = (got: Got, reply: ServerResponse) => void

export interface Receiver {
  url: string
  /** `host:port` for OUTBOUND_ALLOW. */
  place: string
  got: Got[]
  /** Most calls at the same time so far. */
  sideBySide: number
  answer: Answering
  close(): Promise<void>
}

export const taken: Answering = (_got, reply) => void reply.writeHead(204).end()
export const status =
  (code: number, headers: Record<string, string> = {}): Answering =>
  (_got, reply) =>
    void reply.writeHead(code, headers).end()

export async function openReceiver(): Promise<Receiver> {
  let now = 0
  const receiver: Omit<Receiver, 'url' | 'place' | 'close'> = {
    got: [],
    sideBySide: 0,
    answer: taken,
  }
  const take = async (request: IncomingMessage, reply: ServerResponse): Promise<void> => {
    now += 1
    receiver.sideBySide = Math.max(receiver.sideBySide, now)
    reply.once('close', () => {
      now -= 1
    })
    let body = ''
    for await (const piece of request.setEncoding('utf8')) body += piece
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    )
    const got = { id: headers['webhook-id'] ?? '', body, headers, at: performance.now() }
    receiver.got.push(got)
    receiver.answer(got, reply)
  }
  const server = createServer((request, reply) => void Promise.allSettled([take(request, reply)]))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const place = `127.0.0.1:${port}`
  return Object.assign(receiver, {
    ...{ url: `http://${place}/hook?key=secret`, place },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}

/** What a receiver believes; throws what its library throws. */
export const verified = (secret: string, { body, headers }: Got): unknown =>
  new Webhook(secret).verify(body, headers)
