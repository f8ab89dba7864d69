// The one HTTP client for calls to the outside: it reaches public addresses and what the admin
// named, follows no redirect, stops at a time and a size. Drivers get it as DriverTools.fetch.
import { lookup as systemLookup } from 'node:dns'
import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { type TimeLimit, timeLimit } from '../lib/time-limit.js'
import { isPublicAddress } from './address.js'

export interface OutboundRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  headers: Record<string, string>
  body?: string | Buffer
  /** For the whole call: name, connection, request and answer; Infinity: as long as it takes. */
  timeoutMs: number
  /** Longest body of an answer. */
  maxBytes: number
  /**
   * The call changes nothing, so it may be sent twice. It then shares kept connections, and goes
   * out once more where the other side closed one just then. Other calls open one each.
   */
  repeatable?: boolean
  /** Whoever runs the server named this address: it may be private. Never set from a request. */
  named?: boolean
  /** Ends the call early, with the reason `aborted`. */
  signal?: AbortSignal
  /** Key and certificate (PEM) of the caller, where the other side wants to know. */
  client?: { key: string; cert: string }
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

export type OutboundReason =
  | 'refused'
  | 'redirect'
  | 'timeout'
  | 'aborted'
  | 'too-large'
  | 'network'

/** Why there is no answer. `refused`: the call was not allowed and nothing was sent. */
export class OutboundError extends Error {
  override name = 'OutboundError'
  readonly reason: OutboundReason

  constructor(reason: OutboundReason, message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

export interface OutboundOptions {
  /** `host:port` that may be reached although it is not public: `localhost:9000`, `[::1]:9000`. */
  allow: readonly string[]
  /** Name resolution; the system's unless a test brings its own. */
  lookup?: LookupFunction
}

const IDLE_CONNECTION_MS = 4_000
const KEEP_ALIVE_MS = 15_000

/** Throws for an entry of `allow` that is not `host:port`. */
export function createOutbound(options: OutboundOptions): OutboundCall {
  const allowed = new Set(options.allow.map(allowEntry))
  const resolve = options.lookup ?? systemLookup
  const pool = { keepAlive: true, timeout: IDLE_CONNECTION_MS }
  const agents = { 'http:': new HttpAgent(pool), 'https:': new HttpsAgent(pool) }

  return async (address, request) => {
    const url = checkedUrl(address)
    const port = portOf(url)
    const host = bareHost(url.hostname)
    const isAllowed = (name: string) => request.named === true || allowed.has(`${name}:${port}`)
    const isOpen = (ip: string) => isPublicAddress(ip) || isAllowed(ip)
    // node asks `lookup` for names only, so a literal address is judged here
    if (isIP(host) > 0 && !isOpen(host)) throw refused(host)
    const lookup = isAllowed(host) ? resolve : guarded(resolve, isOpen)
    const limit = limitOf(request)
    try {
      return await new Call(url, request, { lookup, agents, signal: limit.signal }).answer()
    } finally {
      limit.done()
    }
  }
}

/** Whatever ends the call first: its time, or whoever wanted it. */
function limitOf({ timeoutMs, signal }: OutboundRequest): TimeLimit {
  return timeLimit(Math.max(1, Math.ceil(timeoutMs)), signal === undefined ? [] : [signal])
}

interface Wiring {
  lookup: LookupFunction
  agents: { 'http:': HttpAgent; 'https:': HttpsAgent }
  signal: AbortSignal
}

function allowEntry(entry: string): string {
  const text = entry.trim()
  if (!/^(?:\[[^\]]+\]|[^[\]/@:?#\\]+):\d{1,5}$/.test(text) || !URL.canParse(`http://${text}`)) {
    throw new Error(`OUTBOUND_ALLOW: "${entry}" is not host:port`)
  }
  const url = new URL(`http://${text}`)
  return `${bareHost(url.hostname)}:${portOf(url)}`
}

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

function portOf(url: URL): string {
  if (url.port !== '') return url.port
  return url.protocol === 'https:' ? '443' : '80'
}

/** Without the brackets of IPv6. */
function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}

function refused(host: string): OutboundError {
  return new OutboundError('refused', `${host} is not a public address and not in OUTBOUND_ALLOW`)
}

/** Resolves once, and the connection goes to exactly the addresses that were judged. */
function guarded(resolve: LookupFunction, isOpen: (ip: string) => boolean): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, options, (error, found, family) => {
      if (error !== null) return done(error, found, family)
      const addresses = typeof found === 'string' ? [found] : found.map((one) => one.address)
      // one closed address among open ones is an attack or a mistake: no part of it is used
      if (addresses.length === 0 || !addresses.every(isOpen)) return done(refused(hostname), '')
      done(null, found, family)
    })
  }
}

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
      return await (this.request.repeatable === true ? this.sendRepeatable() : this.send(false))
    } catch (error) {
      if (this.request.signal?.aborted === true) {
        throw new OutboundError('aborted', 'the call was given up', error)
      }
      throw outboundError(error, this.wiring.signal)
    }
  }

  private async sendRepeatable(): Promise<OutboundResponse> {
    const { agents } = this.wiring
    try {
      return await this.send(this.url.protocol === 'https:' ? agents['https:'] : agents['http:'])
    } catch (error) {
      if (error instanceof StaleConnection) return this.send(false)
      throw error
    }
  }

  private send(agent: HttpAgent | false): Promise<OutboundResponse> {
    const { body } = this.request
    return new Promise<OutboundResponse>((resolve, reject) => {
      const sent = this.open(agent)
      // a call may be silent for long; the system finds out when nobody is there any more
      sent.setSocketKeepAlive(true, KEEP_ALIVE_MS)
      sent.on('error', (error) => {
        const isStale = sent.reusedSocket && 'code' in error && error.code === 'ECONNRESET'
        reject(isStale ? new StaleConnection('closed by the other side', { cause: error }) : error)
      })
      sent.on('response', (answer) => {
        collect(answer, this.request).then(resolve, (error: unknown) => {
          reject(error)
          sent.destroy()
        })
      })
      sent.end(body)
    })
  }

  private open(agent: HttpAgent | false): ClientRequest {
    const { method, headers, body, client } = this.request
    const { lookup, signal } = this.wiring
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const sentHeaders = { 'accept-encoding': 'identity', ...length, ...headers }
    const options = { method, headers: sentHeaders, agent, lookup, signal, ...client }
    const request = this.url.protocol === 'https:' ? httpsRequest : httpRequest
    return request(this.url, options)
  }
}

/** A kept connection that the other side had closed when the request went out. */
class StaleConnection extends Error {}

async function collect(
  answer: IncomingMessage,
  { maxBytes, wanted }: OutboundRequest,
): Promise<OutboundResponse> {
  const status = answer.statusCode ?? 0
  if (status >= 300 && status < 400) throw new OutboundError('redirect', `answered ${status}`)
  const parts: Buffer[] = []
  let length = 0
  for await (const part of answer) {
    const bytes: Buffer = part
    length += bytes.length
    if (length > maxBytes) throw new OutboundError('too-large', `more than ${maxBytes} bytes`)
    parts.push(bytes)
  }
  const { 'retry-after': retryAfter, etag } = answer.headers
  return {
    ...{ status, body: Buffer.concat(parts, length) },
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(etag === undefined ? {} : { etag }),
    ...(wanted === undefined ? {} : { headers: headersOf(answer, wanted) }),
  }
}

function headersOf({ headers }: IncomingMessage, wanted: readonly string[]) {
  const given = wanted.map((name) => [name, headers[name]] as const)
  return Object.fromEntries(
    given.flatMap(([name, value]) => (value ? [[name, String(value)]] : [])),
  )
}

function outboundError(error: unknown, signal: AbortSignal): OutboundError {
  if (error instanceof OutboundError) return error
  if (signal.aborted) return new OutboundError('timeout', 'no complete answer in time', error)
  return new OutboundError('network', networkText(error), error)
}

/** The short code of the system, which names no address: ECONNREFUSED, CERT_HAS_EXPIRED. */
function networkText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error ? String(error.code) : error.message
}
