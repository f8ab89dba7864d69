// How long a connection may take for what, and the answer to bytes that are no HTTP request.
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyHttpOptions, FastifyInstance } from 'fastify'
import { fail } from '../../errors.js'
import { randomId } from '../../lib/id.js'
import { behindAnswers } from './connection-broken.js'
import { endConnections } from './connection-stop.js'
import { noteAnswers } from './open-answers.js'

/** Milliseconds; every wait of a connection has an end. */
export interface ConnectionTimes {
  /** Until the last header is here. */
  headers: number
  /** Until the last byte of the body is here. */
  request: number
  /** Without a byte in either direction while the client has an answer to take. */
  silence: number
  /** Between two requests. */
  idle: number
  /** How often the first two are looked at. */
  check: number
}

export const CONNECTION_TIMES: ConnectionTimes = {
  headers: 10_000,
  request: 30_000,
  silence: 30_000,
  idle: 72_000,
  check: 1_000,
}

/** Without a word on a connection, until its client is asked whether it is there. */
export const KEEP_ALIVE_MS = 30_000

/** The part of the app's options that is about connections. */
export function connectionOptions(times: ConnectionTimes) {
  return {
    connectionTimeout: times.silence,
    keepAliveTimeout: times.idle,
    requestTimeout: times.request,
    http: {
      headersTimeout: times.headers,
      connectionsCheckingInterval: times.check,
      // a register that waits for a payment may be gone without a word
      keepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE_MS,
    },
    clientErrorHandler,
  } satisfies FastifyHttpOptions<FastifyInstance['server']>
}

/**
 * Limits connections, and lets go of those whose client does not take its answer. A call that we
 * are still working on may be silent: its device may need longer.
 */
export function guardConnections(app: FastifyInstance, most: number): void {
  app.server.maxConnections = most
  // a client that has said all it has to say may still listen
  Object.assign(app.server, { httpAllowHalfOpen: true })
  noteAnswers(app)
  endConnections(app)
  app.addHook('onRequest', (request, reply, done) => {
    checkRequestLine(request.raw)
    reply.raw.on('timeout', letGo)
    done()
  })
}

/** Who takes nothing of his answer for so long is not waited for. */
function letGo(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy()
}

/** Throws REQUEST_INVALID for another HTTP than 1.0 and 1.1, and for more than one Host. */
function checkRequestLine({ httpVersionMajor, rawHeaders }: IncomingMessage): void {
  if (httpVersionMajor !== 1) throw fail('REQUEST_INVALID', { reason: 'This is no HTTP/1.1.' })
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  if (hosts > 1) throw fail('REQUEST_INVALID', { reason: 'There is more than one header Host.' })
}

/** So often the event loop looks at its sockets before a stop begins. */
const LAST_LOOKS = 8

/** What has arrived when a stop is asked for is read, and becomes a call that is answered. */
export async function readArrived(): Promise<void> {
  for (let turn = 0; turn < LAST_LOOKS; turn += 1) {
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
}

const FAULTS: Record<string, { status: number; message: string }> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive.' },
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers are larger than 16 KiB.' },
}
const NO_HTTP = { status: 400, message: 'This is no HTTP request.' }

/**
 * What could not be read as a request gets one answer, in the form of all others, and is closed;
 * behind the answers of what came before it on the same connection.
 */
function clientErrorHandler(this: FastifyInstance, error: Error, socket: Socket): void {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ECONNRESET' || socket.destroyed) return
  const { status, message } = FAULTS[code ?? ''] ?? NO_HTTP
  const traceId = randomId()
  this.log.debug({ err: error, traceId }, 'unreadable request')
  const body = JSON.stringify({ message, code: 'REQUEST_INVALID', traceId })
  behindAnswers(socket, () => {
    if (socket.writable) {
      socket.write(
        `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nconnection: close\r\n` +
          'content-type: application/json; charset=utf-8\r\n' +
          `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      )
    }
    socket.destroy(error)
  })
}
