// Calls of group D that are answered without a record: look-ups, receipts, journals.
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { writeJson } from '../../lib/json-write.js'
import type { CashBoxAccess } from '../../store/rollout/cashboxes.js'
import { JSON_TYPE } from './call.js'

export interface PosRead {
  access: CashBoxAccess
  /** Parts of the path; as they were sent. */
  params: Readonly<Record<string, string>>
  /** Names in lower case. */
  query: ReadonlyMap<string, string>
  posSystemId: string
  /** x-terminal-id */
  terminalId: string | undefined
  /** '' where there is none. */
  bodyText: string
  request: FastifyRequest
}

export interface PosAnswer {
  status: number
  headers?: Readonly<Record<string, string>>
  contentType?: string
  /** '' for an answer without body. */
  body: string | Buffer | AsyncIterable<string | Uint8Array>
}

export type Respond = (read: PosRead) => Promise<PosAnswer>

export function jsonAnswer(body: object, status = 200): PosAnswer {
  return { status, contentType: JSON_TYPE, body: writeJson(body) }
}

const asItIs = (text: string): string => text

/** Sends the bytes as they are; nothing is serialized a second time. */
export function sendAnswer(reply: FastifyReply, answer: PosAnswer): FastifyReply {
  const { status, headers, contentType, body } = answer
  void reply.code(status)
  if (headers !== undefined) void reply.headers(headers)
  if (contentType !== undefined) void reply.header('content-type', contentType)
  if (body === '') return reply.send()
  if (typeof body === 'string') return reply.serializer(asItIs).send(body)
  if (Buffer.isBuffer(body) || body instanceof Readable) return reply.send(body)
  return reply.send(Readable.from(body, { objectMode: false }))
}
