// Group D as bytes on a connection: chunked bodies without a length, headers as they are written
// (twice, empty, in any case).
import { randomUUID } from 'node:crypto'
import { type IncomingHttpHeaders, request } from 'node:http'
import { expect } from 'vitest'

export interface WireBox {
  cashBoxId: string
  accessToken: string
}

/** A value for each time that the header is sent; undefined: not at all. */
export type WireHeaders = Record<string, string | readonly string[] | undefined>

export interface WireCall {
  /** POST unless told, GET for a call that is `read`. */
  method?: string
  headers?: WireHeaders
  body?: string | Buffer
}

export interface WireReply {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
  text: string
  json(): Record<string, unknown>
}

const NO_POS_SYSTEM = '00000000-0000-0000-0000-000000000000'

export function wireHeaders(box: WireBox, more: WireHeaders = {}): WireHeaders {
  return {
    'x-cashbox-id': box.cashBoxId,
    'x-cashbox-accesstoken': box.accessToken,
    'x-possystem-id': NO_POS_SYSTEM,
    'x-operation-id': randomUUID(),
    ...more,
  }
}

/** One call on a connection of its own. Rejects when the connection ends without an answer. */
export function wire(url: string, path: string, call: WireCall = {}): Promise<WireReply> {
  const { method = 'POST', body, headers = {} } = call
  const { hostname, port, host } = new URL(url)
  const type = body === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' }
  const lines = Object.entries({ host, ...type, ...headers }).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => (one === undefined ? [] : [name, one])),
  )
  // no length is known, as where a body is written while it is made
  const chunked = body === undefined ? [] : ['transfer-encoding', 'chunked']
  return new Promise((resolve, reject) => {
    const sent = request({
      ...{ hostname, port, path, method, agent: false },
      headers: [...lines, ...chunked, 'connection', 'close'],
    })
    let answered = false
    sent.on('response', (reply) => {
      answered = true
      const pieces: Buffer[] = []
      reply.on('data', (piece: Buffer) => pieces.push(piece))
      reply.on('error', reject)
      reply.on('end', () => {
        const bytes = Buffer.concat(pieces)
        const text = bytes.toString('utf8')
        const json = () => JSON.parse(text) as Record<string, unknown>
        resolve({ status: reply.statusCode ?? 0, headers: reply.headers, bytes, text, json })
      })
    })
    // a server that refuses a large body may close before it was sent
    sent.on('error', (error) => (answered ? undefined : reject(error)))
    sent.end(body)
  })
}

/** A ProblemBody with exactly the members of the interface; what it says. */
export function problemOf(reply: WireReply, status: number, code: string): Problem {
  expect([reply.status, reply.headers['content-type']], reply.text).toEqual([
    status,
    'application/problem+json; charset=utf-8',
  ])
  const { errors, ...body } = reply.json()
  expect(body).toEqual({
    ...{ type: 'about:blank', status: String(status), code },
    ...{ title: expect.any(String), detail: expect.any(String) },
    instance: expect.stringMatching(/^\//),
  })
  expect(errors === undefined || code === 'validation_failed').toBe(true)
  return { ...(body as Omit<Problem, 'errors'>), errors: (errors ?? {}) as Problem['errors'] }
}

export interface Problem {
  title: string
  detail: string
  instance: string
  errors: Record<string, string[]>
}
