// The one HTTP client for calls to the outside: it reaches public addresses and what the administrator
// named, follows no redirect, and stops at a time and a size. Drivers get it as DriverTools.fetch.
import { lookup as systemLookup } from 'node:dns'
import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from './address.js'

export interface OutboundRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  headers: Record<string, string>
  body?: string | Buffer
  /** For the whole call: name, connection, request and answer. */
  timeoutMs: number
  /** Longest body of an answer. */
  maxBytes: number
}

export interface OutboundResponse {
  status: number
  body: Buffer
}

/** Rejects with OutboundError; an answer with any status except a redirect is a result. */
export type OutboundCall = (url: string, request: OutboundRequest) => Promise<OutboundResponse>

export type OutboundReason = 'refused' | 'redirect' | 'timeout' | 'too-large' | 'network'

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
  /** `host:port` of what may be reached although it is not public: `localhost:9000`, `[::1]:9000`. */
  allow: readonly string[]
  /** Name resolution; the system's unless a test brings its own. */
  lookup?: LookupFunction
}

const IDLE_CONNECTION_MS = 4_000

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
    const isAllowed = (name: string) => allowed.has(`${name}:${port}`)
    const isOpen = (ip: string) => isPublicAddress(ip) || isAllowed(ip)
    // node asks `lookup` for names only, so a literal address is judged here
    if (isIP(host) > 0 && !isOpen(host)) throw refused(host)
    const lookup = isAllowed(host) ? resolve : guarded(resolve, isOpen)
    return send(url, request, { lookup, agents })
  }
}

interface Wiring {
  lookup: LookupFunction
  agents: { 'http:': HttpAgent; 'https:': HttpsAgent }
}

function allowEntry(entry: string): string {
  const text = entry.trim()
  if (!/^(?:\[[^\]]+\]|[^[\]/@:?#\\]+):\d{1,5}$/.test(text) || !URL.canParse(`http://${text}`)) {
    throw new Error(`"${entry}" is not host:port`)
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
  return url
}

function portOf(url: URL): string {
  if (url.port !== '') return url.port
  return url.protocol === 'https:' ? '443' : '80'
}

/** Without the brackets of IPv6 and the final dot of a complete name. */
function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
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

function send(url: URL, call: OutboundRequest, wiring: Wiring): Promise<OutboundResponse> {
  const secure = url.protocol === 'https:'
  const signal = AbortSignal.timeout(Math.max(1, Math.ceil(call.timeoutMs)))
  const options = {
    method: call.method,
    headers: { 'accept-encoding': 'identity', ...lengthOf(call.body), ...call.headers },
    agent: secure ? wiring.agents['https:'] : wiring.agents['http:'],
    lookup: wiring.lookup,
    signal,
  }
  const answered = new Promise<OutboundResponse>((resolve, reject) => {
    const request = (secure ? httpsRequest : httpRequest)(url, options)
    request.on('error', reject)
    request.on('response', (answer) => {
      collect(answer, call.maxBytes).then(resolve, (error: unknown) => {
        reject(error)
        request.destroy()
      })
    })
    request.end(call.body)
  })
  return answered.catch((error: unknown) => {
    throw outboundError(error, signal)
  })
}

function lengthOf(body: string | Buffer | undefined): Record<string, string> {
  return body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
}

async function collect(answer: IncomingMessage, maxBytes: number): Promise<OutboundResponse> {
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
  return { status, body: Buffer.concat(parts, length) }
}

function outboundError(error: unknown, signal: AbortSignal): OutboundError {
  if (error instanceof OutboundError) return error
  if (signal.aborted) return new OutboundError('timeout', 'no complete answer in time', error)
  return new OutboundError('network', networkText(error), error)
}

/** The short code of the system, which names no address: ECONNREFUSED, ENOTFOUND, CERT_HAS_EXPIRED. */
function networkText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error ? String(error.code) : error.message
}
