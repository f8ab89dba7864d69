// The door of the helper: JSON over HTTP on this machine, for whoever has the token.
import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type Signer, SignerError } from './signer.js'

const MOST_BYTES = 4_096
const HASH_BYTES = 32
/** `away` says that nothing was done. */
const STATUS = { pin: 423, away: 503, refused: 500 } as const

export function createDoor(signer: Pick<Signer, 'identity' | 'sign'>, token: string): Server {
  return createServer((request, response) => {
    answer(request, { signer, token }).then(
      ([status, body]) => send(response, status, body),
      (error: unknown) => send(response, ...failureOf(error)),
    )
  })
}

type Answer = [status: number, body: object]

async function answer(
  request: IncomingMessage,
  { signer, token }: { signer: Pick<Signer, 'identity' | 'sign'>; token: string },
): Promise<Answer> {
  if (!isSame(request.headers.authorization ?? '', `Bearer ${token}`)) {
    return [401, { error: 'the token is wrong' }]
  }
  const body = await bodyOf(request)
  const call = `${request.method ?? ''} ${request.url ?? ''}`
  if (call === 'GET /identity') return [200, await signer.identity()]
  if (call !== 'POST /sign') return [404, { error: `there is no ${call}` }]
  const hash = hashIn(body)
  if (hash === undefined) return [400, { error: 'hash is Base64 of 32 bytes' }]
  return [200, { signature: (await signer.sign(hash)).toString('base64') }]
}

function failureOf(error: unknown): Answer {
  const text = error instanceof Error ? error.message : String(error)
  return [error instanceof SignerError ? STATUS[error.reason] : 500, { error: text }]
}

function hashIn(body: string): Buffer | undefined {
  try {
    const { hash } = JSON.parse(body) as { hash?: unknown }
    if (typeof hash !== 'string' || !/^[A-Za-z0-9+/]{43}=$/.test(hash)) return undefined
    const bytes = Buffer.from(hash, 'base64')
    return bytes.length === HASH_BYTES ? bytes : undefined
  } catch {
    return undefined
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request) {
    const bytes = part as Buffer
    length += bytes.length
    if (length > MOST_BYTES) throw new Error('the body is too long')
    parts.push(bytes)
  }
  return Buffer.concat(parts).toString('utf8')
}

function isSame(given: string, wanted: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(wanted))
}

function send(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(text)
}
