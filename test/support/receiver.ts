// Somebody else's server that webhooks call: keeps what it gets, checks it as receivers do, and
// answers what the test says.
import { createPublicKey, verify } from 'node:crypto'
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

/** Of RFC 8410: what stands before the 32 bytes of an Ed25519 key as SubjectPublicKeyInfo. */
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex')

/** Whether one of the signatures is that of the public key `whpk_…`: Standard Webhooks, v1a. */
export function isSignedBy(publicKey: string, { id, body, headers }: Got): boolean {
  const der = Buffer.concat([SPKI_HEAD, Buffer.from(publicKey.slice('whpk_'.length), 'base64')])
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  const content = Buffer.from(`${id}.${headers['webhook-timestamp']}.${body}`)
  const signatures = (headers['webhook-signature'] ?? '').split(' ')
  return signatures.some((one) => {
    const [version, value = ''] = one.split(',')
    return version === 'v1a' && verify(null, content, key, Buffer.from(value, 'base64'))
  })
}

/** What a receiver believes; throws what its library throws. */
export const verified = (secret: string, { body, headers }: Got): unknown =>
  new Webhook(secret).verify(body, headers)
