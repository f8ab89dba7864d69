// TCP and TLS behind the guard of the HTTP client, for devices that speak no HTTP. A certificate
// that nobody issued is known by its fingerprint, before a byte is sent.
import { type LookupFunction, type Socket, connect as tcpConnect } from 'node:net'
import { type TLSSocket, connect as tlsConnect } from 'node:tls'
import { timeLimit } from '../lib/time-limit.js'
import { bareHost, createGuard, OutboundError, type OutboundOptions } from './guard.js'

export interface ConnectRequest {
  host: string
  port: number
  /** Until the connection stands. */
  timeoutMs: number
  /** Left out: plain TCP. Without a fingerprint the certificate must have a known issuer. */
  tls?: { fingerprint?: string }
  /** Whoever runs the server named this address: it may be private. Never set from a request. */
  named?: boolean
}

/** Rejects with OutboundError. Whoever gets the socket closes it. */
export type Connect = (request: ConnectRequest) => Promise<Socket>

/** Throws for an entry of `allow` that is not `host:port`. */
export function createConnect(options: OutboundOptions): Connect {
  const guard = createGuard(options)
  return async ({ timeoutMs, tls, named = false, ...place }) => {
    const host = bareHost(place.host).replace(/\.+$/, '')
    const { port } = place
    const lookup = guard({ host, port: String(port), named })
    const limit = timeLimit(Math.max(1, Math.ceil(timeoutMs)), [])
    const target = { host, port, lookup, signal: limit.signal }
    try {
      if (tls === undefined) return await opened(tcpConnect({ host, port, lookup }), target)
      return await secured({ ...target, fingerprint: tls.fingerprint })
    } finally {
      limit.done()
    }
  }
}

export interface Target {
  host: string
  port: number
  lookup: LookupFunction
  signal: AbortSignal
  fingerprint?: string | undefined
  client?: { key: string; cert: string } | undefined
}

/** TLS that is used only when the right certificate has answered. */
export async function secured(target: Target): Promise<TLSSocket> {
  const { host, port, lookup, fingerprint, client } = target
  const isPinned = fingerprint !== undefined
  const socket = tlsConnect({
    ...{ host, port, lookup, ...client },
    ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
    // a pinned certificate is its own proof; without one the system's issuers decide
    rejectUnauthorized: !isPinned,
  })
  await opened(socket, target, 'secureConnect')
  if (fingerprint === undefined || isSame(fingerprint, socket)) return socket
  socket.destroy()
  throw new OutboundError('refused', 'another certificate answers than the one that was pinned')
}

function isSame(fingerprint: string, socket: TLSSocket): boolean {
  const bare = (text: string) => text.replaceAll(':', '').toLowerCase()
  const { fingerprint256: given } = socket.getPeerCertificate()
  return given !== undefined && bare(given) === bare(fingerprint)
}

function opened<S extends Socket>(socket: S, { signal }: Target, ready = 'connect'): Promise<S> {
  return new Promise<S>((resolve, reject) => {
    const give = (error: OutboundError) => {
      socket.destroy()
      reject(error)
    }
    const late = () => give(new OutboundError('timeout', 'no connection in time'))
    if (signal.aborted) return late()
    signal.addEventListener('abort', late, { once: true })
    const failed = (error: NodeJS.ErrnoException) => {
      signal.removeEventListener('abort', late)
      give(error instanceof OutboundError ? error : networkError(error))
    }
    socket.once('error', failed)
    socket.once(ready, () => {
      signal.removeEventListener('abort', late)
      socket.off('error', failed)
      socket.setKeepAlive(true)
      // the end of a question is not kept back until the other side has said something
      socket.setNoDelay(true)
      resolve(socket)
    })
  })
}

function networkError(error: NodeJS.ErrnoException): OutboundError {
  return new OutboundError('network', error.code ?? error.message, error)
}
