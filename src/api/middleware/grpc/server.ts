// Group B over gRPC: a port of its own, the three operations under both of their names, limits of
// connections and calls, a graceful end. Started by serve.ts.
import { readFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { createSecureContext } from 'node:tls'
import {
  type handleServerStreamingCall,
  type handleUnaryCall,
  logVerbosity,
  type Metadata,
  Server,
  ServerCredentials,
  setLogVerbosity,
} from '@grpc/grpc-js'
import { fail } from '../../../errors.js'
import type { Listening, ListenOn } from '../../../lib/listen.js'
import type { CallOrigin } from '../../shared/caller.js'
import { checkBrowser } from '../browsers.js'
import type { MiddlewareDeps } from '../deps.js'
import { createAbout } from './about.js'
import { type GrpcCall, operationsOf } from './calls.js'
import { MOST_BYTES, sendPieces } from './chunks.js'
import { loadContract } from './contract.js'
import { createGuard } from './guard.js'
import { chunkWriter } from './messages.js'
import { type ErrorLog, NOTHING, statusOf } from './status.js'

/** Milliseconds; every wait of a connection has an end. */
export interface GrpcTimes {
  /** Until the message of a call is here. */
  arrival: number
  /** Without a piece of a journal taken. */
  silence: number
  /** Between two questions whether a client is still there, and for its answer. */
  alive: number
  answer: number
  /** Without a call; clients connect again by themselves. */
  idle: number
  /** For calls that run when the server stops. */
  stop: number
}

export const GRPC_TIMES: GrpcTimes = {
  arrival: 30_000,
  silence: 30_000,
  alive: 30_000,
  answer: 10_000,
  idle: 300_000,
  stop: 8_000,
}

export interface GrpcOptions {
  listen: ListenOn
  /** Id or alias of the queue of calls that name none. */
  queue?: string | undefined
  /** Files in PEM; left out: no TLS. */
  tls?: { cert: string; key: string }
  /** Most connections, and most open calls of all of them together. */
  most: number
  log: ErrorLog
  times?: GrpcTimes
}

export interface GrpcServer {
  port: number
  /** Says that no further calls are wanted, and answers them. */
  drain(): void
  /** Running calls end first. */
  close(): Promise<void>
}

/** Calls of one connection at once; clients let further ones wait. */
const MOST_STREAMS = 128

/** Rejects when the port cannot be had, and for a certificate that is none. */
export async function startGrpc(deps: MiddlewareDeps, options: GrpcOptions): Promise<GrpcServer> {
  // what it would print comes from callers: odd metadata and broken streams
  setLogVerbosity(logVerbosity.NONE)
  const times = options.times ?? GRPC_TIMES
  const connections = new Connections()
  const letGo = (peer: string) => connections.letGo(peer)
  const late = (peer: string) => connections.late(peer)
  const guard = createGuard({ most: options.most, arrivalMs: times.arrival, late })
  const about = createAbout()
  const server = new Server({
    'grpc.max_receive_message_length': deps.bodyLimit,
    'grpc.max_send_message_length': -1,
    'grpc.max_concurrent_streams': MOST_STREAMS,
    'grpc.keepalive_time_ms': times.alive,
    'grpc.keepalive_timeout_ms': times.answer,
    'grpc.max_connection_idle_ms': times.idle,
    'grpc.enable_channelz': 0,
    interceptors: [guard, about.interceptor],
  })
  const { log, queue } = options
  register(server, deps, { log, queue, silenceMs: times.silence, letGo })
  about.addTo(server)
  const injector = server.createConnectionInjector(credentialsOf(options.tls))
  const tcp = createServer({ noDelay: true, keepAlive: true }, (socket) => {
    connections.add(socket)
    // until the library listens, and after it has stopped to
    socket.on('error', () => socket.destroy())
    injector.injectConnection(socket)
  })
  tcp.maxConnections = options.most
  const listening = await options.listen(tcp)
  return {
    port: listening.port,
    drain: about.drain,
    close: () => {
      about.stop()
      return stop({ listening, server, connections }, times.stop)
    },
  }
}

/** So many messages may get stuck on the way; then the connection is not worth its memory. */
const MOST_LATE = 8

/** The open ones by address and port of their client. */
class Connections {
  private readonly known = new Map<string, { socket: Socket; late: number }>()
  private lastGone = (): void => undefined

  add(socket: Socket): void {
    const peer = `${socket.remoteAddress}:${socket.remotePort}`
    this.known.set(peer, { socket, late: 0 })
    socket.once('close', () => {
      this.known.delete(peer)
      if (this.known.size === 0) this.lastGone()
    })
  }

  /** Resolves when none is open. */
  async ended(): Promise<void> {
    if (this.known.size === 0) return
    await new Promise<void>((resolve) => {
      this.lastGone = resolve
    })
  }

  letGo(peer: string): void {
    this.known.get(peer)?.socket.destroy()
  }

  late(peer: string): void {
    const connection = this.known.get(peer)
    if (connection === undefined) return
    connection.late += 1
    if (connection.late >= MOST_LATE) connection.socket.destroy()
  }

  letAllGo(): void {
    for (const { socket } of this.known.values()) socket.destroy()
  }
}

function credentialsOf(tls: GrpcOptions['tls']): ServerCredentials {
  if (tls === undefined) return ServerCredentials.createInsecure()
  const pair = { cert_chain: fileOf(tls.cert), private_key: fileOf(tls.key) }
  try {
    createSecureContext({ cert: pair.cert_chain, key: pair.private_key })
  } catch (error) {
    throw new Error(`GRPC_TLS: certificate and key are no pair in PEM: ${textOf(error)}`)
  }
  return ServerCredentials.createSsl(null, [pair])
}

function fileOf(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new Error(`GRPC_TLS: a file cannot be read: ${textOf(error)}`)
  }
}

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

interface Surroundings {
  log: ErrorLog
  queue: string | undefined
  silenceMs: number
  letGo(peer: string): void
}

const asBytes = (bytes: Buffer): Buffer => bytes

/** Messages are read and written by the operations: whoever may not call is told so first. */
function register(server: Server, deps: MiddlewareDeps, around: Surroundings): void {
  const contract = loadContract()
  const operations = operationsOf(deps, contract)
  const unary = (run: (call: GrpcCall) => Promise<Buffer | undefined>) => {
    const handle: handleUnaryCall<Buffer, Buffer> = (call, answer) => {
      begin(() => run({ origin: admitted(deps, call, around.queue), message: call.request })).then(
        (message) => (message === undefined ? answer(NOTHING) : answer(null, message)),
        (error: unknown) => answer(statusOf(error, around.log)),
      )
    }
    return handle
  }
  const journal: handleServerStreamingCall<Buffer, Buffer> = (call) => {
    const { silenceMs } = around
    const letGo = () => around.letGo(call.getPeer())
    const leaving = new AbortController()
    call.once('cancelled', () => leaving.abort(fail('EXPORT_LOST')))
    begin(() => {
      const origin = admitted(deps, call, around.queue)
      return operations.journal({ origin, message: call.request, leaving: leaving.signal })
    })
      .then((pieces) => sendPieces(call, pieces, { silenceMs, letGo }))
      .catch((error: unknown) => call.emit('error', statusOf(error, around.log)))
  }
  const handlers: Record<string, handleUnaryCall<Buffer, Buffer> | typeof journal> = {
    Echo: unary(operations.echo),
    Sign: unary(operations.sign),
    Journal: journal,
  }
  for (const [name, { isStream }] of contract.operations) {
    const handler = handlers[name]
    if (handler === undefined) throw new Error(`IPOS.proto has an operation ${name} of its own`)
    const type = isStream ? 'serverStream' : 'unary'
    // copied by the library before the next message is asked for
    const write = isStream ? chunkWriter(MOST_BYTES) : asBytes
    for (const spelling of [name, `v1/${name}`]) {
      server.register(`${contract.service}/${spelling}`, handler, write, asBytes, type)
    }
  }
}

/** What is thrown at once rejects. */
async function begin<T>(run: () => Promise<T>): Promise<T> {
  return run()
}

interface Origin {
  metadata: Metadata
  getPeer(): string
  getPath(): string
  getHost(): string
}

/** Throws HOST_REFUSED and ORIGIN_REFUSED where nobody shows credentials. */
function admitted(
  { browsers }: MiddlewareDeps,
  call: Origin,
  usual: string | undefined,
): CallOrigin {
  const origin = originOf(call, usual)
  if (browsers.local) checkBrowser(browsers, { ...origin.headers, host: call.getHost() })
  return origin
}

/** The metadata in the words of HTTP. */
function originOf(call: Origin, usual: string | undefined): CallOrigin {
  const word = (name: string): string | undefined => {
    const value = call.metadata.get(name)[0]
    return value === undefined ? undefined : value.toString()
  }
  const queue = word('queueid')?.trim() || (usual ?? '')
  return {
    headers: {
      cashboxid: word('cashboxid'),
      accesstoken: word('accesstoken'),
      origin: word('origin'),
      'sec-fetch-site': word('sec-fetch-site'),
    },
    params: queue === '' ? {} : { queue },
    ip: call.getPeer().replace(/:\d+$/, ''),
    method: 'POST',
    url: call.getPath(),
  }
}

interface Parts {
  listening: Listening
  server: Server
  connections: Connections
}

async function stop({ listening, server, connections }: Parts, graceMs: number): Promise<void> {
  const closed = listening.close()
  await new Promise<void>((resolve) => {
    const late = setTimeout(resolve, graceMs)
    // an error says that calls were cut off: nothing is left to do. Since Node 24 the library
    // calls back before calls under way are answered; a connection ends behind its last answer
    server.tryShutdown(() => {
      void connections.ended().then(() => {
        clearTimeout(late)
        resolve()
      })
    })
  })
  server.forceShutdown()
  connections.letAllGo()
  await closed
}
