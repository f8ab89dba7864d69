// Calls to the outside by HTTP: they reach public addresses and what the admin named, follow no
// redirect, stop at a time and a size. Drivers get them as DriverTools.fetch.
import {
  type ClientRequest,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { type Duplex, PassThrough } from 'node:stream'
import { LRUCache } from 'lru-cache'
import { type TimeLimit, timeLimit } from '../lib/time-limit.js'
import { bareHost, createGuard, OutboundError, type OutboundOptions, portOf } from './guard.js'
import { KEEP_ALIVE_MS, KeptConnections, StaleConnection, type Taker } from './kept-connections.js'
import { secured } from './socket.js'

export { OutboundError, type OutboundOptions, type OutboundReason } from './guard.js'

export interface OutboundRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers: Record<string, string>
  body?: string | Buffer
  /** For the whole call: name, connection, request and answer; Infinity: as long as it takes. */
  timeoutMs: number
  /** Longest body of an answer. */
  maxBytes: number
  /**
   * The call changes nothing, so it may be sent twice. It then shares kept connections, and goes
   * out once more, on one of its own, where one ended before an answer began. Other calls, and
   * those with `client` or `fingerprint`, open one each.
   */
  repeatable?: boolean
  /** Whoever runs the server named this address: it may be private. Never set from a request. */
  named?: boolean
  /** Ends the call early, with the reason `aborted`. */
  signal?: AbortSignal
  /** Key and certificate (PEM) of the caller, where the other side wants to know. */
  client?: { key: string; cert: string }
  /** SHA-256 of the certificate that must answer, in hexadecimal letters: it needs no issuer. */
  fingerprint?: string
  /** Takes the body of an answer of status 200 as it comes; `body` is empty then. */
  sink?(part: Buffer): Promise<void> | void
  /** Names of headers, in lower case, that the answer shall bring along. */
  wanted?: readonly string[]
}

export interface OutboundResponse {
  status: number
  body: Buffer
  /** Header Retry-After, where there is one. */
  retryAfter?: string
  /** Header ETag, where there is one. */
  etag?: string
  /** Those that were wanted and are there. */
  headers?: Readonly<Record<string, string>>
}

/** Rejects with OutboundError; an answer with any status except a redirect is a result. */
export type OutboundCall = (url: string, request: OutboundRequest) => Promise<OutboundResponse>

/** Devices are called at the same few addresses again and again. */
const MOST_ADDRESSES = 256

/** Throws for an entry of `allow` that is not `host:port`. */
export function createOutbound(options: OutboundOptions): OutboundCall {
  const guard = createGuard(options)
  const kept = new KeptConnections(guard)
  const urls = new LRUCache<string, URL>({ max: MOST_ADDRESSES })
  const urlOf = (address: string): URL => {
    const url = urls.get(address) ?? checkedUrl(address)
    urls.set(address, url)
    return url
  }

  return async (address, request) => {
    const url = urlOf(address)
    const place = { host: bareHost(url.hostname), port: portOf(url) }
    const lookup = guard({ ...place, named: request.named === true })
    const until = performance.now() + request.timeoutMs
    if (isKept(request)) {
      try {
        return await sendKept(kept, url, request)
      } catch (error) {
        if (!(error instanceof StaleConnection)) throw outboundError(error)
      }
    }
    const limit = limitOf(until - performance.now(), request.signal)
    try {
      return await new Call(url, request, { lookup, signal: limit.signal }).answer()
    } finally {
      limit.done()
    }
  }
}

/** Whatever ends the call first: its time, or whoever wanted it. */
function limitOf(timeoutMs: number, signal: AbortSignal | undefined): TimeLimit {
  return timeLimit(wholeMs(timeoutMs), signal === undefined ? [] : [signal])
}

const wholeMs = (timeoutMs: number): number => Math.max(1, Math.ceil(timeoutMs))

function checkedUrl(address: string): URL {
  if (!URL.canParse(address)) throw new OutboundError('refused', 'the address is not a URL')
  const url = new URL(address)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundError('refused', `${url.protocol} is not http: or https:`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutboundError('refused', 'the address carries a user name or password')
  }
  // the final dot of a complete name confuses resolvers and certificates
  url.hostname = url.hostname.replace(/\.+$/, '')
  return url
}

/** A certificate of the caller, or one that is pinned, belongs to one connection. */
function isKept({ repeatable, fingerprint, client }: OutboundRequest): boolean {
  return repeatable === true && fingerprint === undefined && client === undefined
}

async function sendKept(
  kept: KeptConnections,
  url: URL,
  request: OutboundRequest,
): Promise<OutboundResponse> {
  const { method, body, named = false, signal } = request
  const headers = { 'accept-encoding': 'identity', ...request.headers }
  const answer = new Answer(request)
  const timeoutMs = wholeMs(request.timeoutMs)
  await kept.send(url, { method, headers, body, named, timeoutMs, signal }, answer)
  return answer.whole()
}

interface Wiring {
  lookup: LookupFunction
  signal: AbortSignal
}

/** On a connection of its own. */
class Call {
  private readonly url: URL
  private readonly request: OutboundRequest
  private readonly wiring: Wiring

  constructor(url: URL, request: OutboundRequest, wiring: Wiring) {
    this.url = url
    this.request = request
    this.wiring = wiring
  }

  async answer(): Promise<OutboundResponse> {
    try {
      return await this.send()
    } catch (error) {
      if (this.request.signal?.aborted === true) {
        throw new OutboundError('aborted', 'the call was given up', error)
      }
      throw outboundError(error, this.wiring.signal)
    }
  }

  private send(): Promise<OutboundResponse> {
    const { body } = this.request
    const { signal } = this.wiring
    return new Promise<OutboundResponse>((resolve, reject) => {
      const sent = this.open()
      const stop = () => {
        const stopped = new Error('stopped')
        sent.destroy(stopped)
        // an answer that is here as a whole, and whose sink takes no more, has no end to come
        reject(stopped)
      }
      if (signal.aborted) stop()
      else signal.addEventListener('abort', stop, { once: true })
      // a call may be silent for long; the system finds out when nobody is there any more
      sent.setSocketKeepAlive(true, KEEP_ALIVE_MS)
      sent.on('error', reject)
      sent.on('response', (answer) => {
        collect(answer, this.request).then(resolve, (error: unknown) => {
          reject(error)
          sent.destroy()
        })
      })
      sent.end(body)
    })
  }

  private open(): ClientRequest {
    const { method, headers, body, client } = this.request
    const { lookup } = this.wiring
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const sentHeaders = { 'accept-encoding': 'identity', ...length, ...headers }
    const options = { method, headers: sentHeaders, agent: false as const, lookup, ...client }
    if (this.url.protocol !== 'https:') return httpRequest(this.url, options)
    if (this.request.fingerprint === undefined) return httpsRequest(this.url, options)
    return httpsRequest(this.url, { ...options, ...this.pinned(this.request.fingerprint) })
  }

  /** Without an agent: each call has its own connection, which is checked before it is used. */
  private pinned(fingerprint: string) {
    const { lookup, signal } = this.wiring
    const place = { host: bareHost(this.url.hostname), port: Number(portOf(this.url)), lookup }
    return {
      agent: undefined,
      createConnection: (_: unknown, done: (error: Error | null, socket: Duplex) => void) => {
        secured({ ...place, fingerprint, signal, client: this.request.client }).then(
          (socket) => done(null, socket),
          (error: Error) => done(error, new PassThrough()),
        )
        return undefined
      },
    }
  }
}

async function collect(
  answer: IncomingMessage,
  request: OutboundRequest,
): Promise<OutboundResponse> {
  const taken = new Answer(request)
  taken.begin(answer.statusCode ?? 0, answer.headers)
  await flowing(answer, (bytes) => taken.take(bytes))
  return taken.whole()
}

/** An answer as it comes: within its size, and to its sink where there is one. */
class Answer implements Taker {
  private readonly request: OutboundRequest
  private readonly parts: Buffer[] = []
  private length = 0
  private status = 0
  private headers: IncomingHttpHeaders = {}

  constructor(request: OutboundRequest) {
    this.request = request
  }

  begin(status: number, headers: IncomingHttpHeaders): void {
    if (status >= 300 && status < 400) throw new OutboundError('redirect', `answered ${status}`)
    this.status = status
    this.headers = headers
  }

  take(bytes: Buffer): Promise<void> | void {
    const { maxBytes, sink } = this.request
    this.length += bytes.length
    if (this.length > maxBytes) throw new OutboundError('too-large', `more than ${maxBytes} bytes`)
    if (sink !== undefined && this.status === 200) return sink(bytes)
    this.parts.push(bytes)
  }

  whole(): OutboundResponse {
    const { wanted } = this.request
    const { 'retry-after': retryAfter, etag } = this.headers
    return {
      ...{ status: this.status, body: Buffer.concat(this.parts) },
      ...(retryAfter === undefined ? {} : { retryAfter }),
      ...(etag === undefined ? {} : { etag }),
      ...(wanted === undefined ? {} : { headers: namedOf(this.headers, wanted) }),
    }
  }
}

/** Each piece as it comes, without a copy; the next one waits where `take` does. */
function flowing(
  answer: IncomingMessage,
  take: (bytes: Buffer) => Promise<void> | void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let last: Promise<void> | undefined
    answer.on('data', (bytes: Buffer) => {
      try {
        const taken = take(bytes)
        if (taken === undefined) return
        answer.pause()
        last = taken.then(() => {
          answer.resume()
        })
        last.catch(reject)
      } catch (error) {
        reject(error)
      }
    })
    // a pause does not keep the end back
    answer.on('end', () => (last === undefined ? resolve() : last.then(resolve, reject)))
    answer.on('error', reject)
    answer.on('close', () => {
      if (!answer.complete) reject(new Error('the answer breaks off'))
    })
  })
}

function namedOf(headers: IncomingHttpHeaders, wanted: readonly string[]) {
  const given = wanted.map((name) => [name, headers[name]] as const)
  return Object.fromEntries(
    given.flatMap(([name, value]) => (value ? [[name, String(value)]] : [])),
  )
}

function outboundError(error: unknown, signal?: AbortSignal): OutboundError {
  if (error instanceof OutboundError) return error
  if (signal?.aborted === true)
    return new OutboundError('timeout', 'no complete answer in time', error)
  return new OutboundError('network', networkText(error), error)
}

/** The short code of the system, which names no address: ECONNREFUSED, CERT_HAS_EXPIRED. */
function networkText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && error.code !== undefined ? String(error.code) : ''
  // of the client itself: other side closed
  return code === '' || code.startsWith('UND_ERR_') ? error.message : code
}
