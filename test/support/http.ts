// One call to a listening server: any status is an answer, a broken connection is an error.
import type { IncomingMessage } from 'node:http'
import supertest from 'supertest'

export interface HttpCall {
  method?: string | undefined
  /** With its query. */
  path: string
  headers?: Record<string, string>
  body?: string | undefined
}

export interface HttpAnswer {
  status: number
  headers: Headers
  /** The content type with its parameters; '' where there is none. */
  type: string
  bytes: Buffer
  text: string
}

/** The bytes as they came: numbers of a JSON keep all their digits. */
function whole(message: unknown, done: (error: Error | null, bytes: Buffer) => void): void {
  const parts: Buffer[] = []
  const stream = message as IncomingMessage
  stream.on('data', (part: Buffer | string) => parts.push(Buffer.from(part)))
  stream.on('end', () => done(null, Buffer.concat(parts)))
}

export async function send(
  url: string,
  { method = 'GET', path, headers = {}, body }: HttpCall,
): Promise<HttpAnswer> {
  const verb = method.toLowerCase() as 'get' | 'put' | 'post' | 'patch' | 'delete'
  const answer = await supertest(url)[verb](path).set(headers).send(body).buffer(true).parse(whole)
  const bytes = answer.body as Buffer
  const known = Object.entries(answer.headers as Record<string, string>)
  return {
    status: answer.status,
    headers: new Headers(known.map(([name, value]) => [name, String(value)])),
    type: answer.headers['content-type'] ?? '',
    bytes,
    text: bytes.toString(),
  }
}
