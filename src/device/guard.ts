// Which places a call from the inside may reach: public addresses, and what the administrator
// named. Names are resolved once, and the connection goes to exactly what was judged.
import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from './address.js'

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

export interface Place {
  /** Without the brackets of IPv6. */
  host: string
  port: string
  /** Whoever runs the server named this address: it may be private. */
  named: boolean
}

/** How the host is resolved. Throws OutboundError for a closed address. */
export type Guard = (place: Place) => LookupFunction

/** Throws for an entry of `allow` that is not `host:port`. */
export function createGuard(options: OutboundOptions): Guard {
  const allowed = new Set(options.allow.map(allowEntry))
  const resolve = options.lookup ?? systemLookup
  return ({ host, port, named }) => {
    const isAllowed = (name: string) => named || allowed.has(`${name}:${port}`)
    const isOpen = (ip: string) => isAllowed(ip) || isPublicAddress(ip)
    // node asks `lookup` for names only, so a literal address is judged here
    if (isIP(host) > 0 && !isOpen(host)) throw refused(host)
    return isAllowed(host) ? resolve : guarded(resolve, isOpen)
  }
}

export function portOf(url: URL): string {
  if (url.port !== '') return url.port
  return url.protocol === 'https:' ? '443' : '80'
}

/** Without the brackets of IPv6. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}

function allowEntry(entry: string): string {
  const text = entry.trim()
  if (!/^(?:\[[^\]]+\]|[^[\]/@:?#\\]+):\d{1,5}$/.test(text) || !URL.canParse(`http://${text}`)) {
    throw new Error(`OUTBOUND_ALLOW: "${entry}" is not host:port`)
  }
  const url = new URL(`http://${text}`)
  return `${bareHost(url.hostname)}:${portOf(url)}`
}

function refused(host: string): OutboundError {
  return new OutboundError('refused', `${host} is not a public address and not in OUTBOUND_ALLOW`)
}

/** One closed address among open ones is an attack or a mistake: no part of it is used. */
function guarded(resolve: LookupFunction, isOpen: (ip: string) => boolean): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, options, (error, found, family) => {
      if (error !== null) return done(error, found, family)
      const addresses = typeof found === 'string' ? [found] : found.map((one) => one.address)
      if (addresses.length === 0 || !addresses.every(isOpen)) return done(refused(hostname), '')
      done(null, found, family)
    })
  }
}
