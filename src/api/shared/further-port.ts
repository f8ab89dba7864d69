// A further port on which the same app answers, with the same limits of its connections. Opened by
// serve.ts.
import { type AddressInfo, createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { KEEP_ALIVE_MS } from './connection.js'

export interface FurtherPortOptions {
  host: string
  /** 0 takes a free one. */
  port: number
  /** Most connections of this port. */
  most: number
}

export interface FurtherPort {
  port: number
  /** Resolves when its connections have ended; the app ends those that wait for nothing. */
  close(): Promise<void>
}

/** Rejects when the port cannot be had. */
export async function listenFurther(
  app: FastifyInstance,
  { host, port, most }: FurtherPortOptions,
): Promise<FurtherPort> {
  // the same that Node's own server of HTTP asks of its sockets
  const sockets = {
    ...{ noDelay: true, allowHalfOpen: true },
    ...{ keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS },
  }
  const tcp = createServer(sockets, (socket) => app.server.emit('connection', socket))
  tcp.maxConnections = most
  await new Promise<void>((resolve, reject) => {
    tcp.once('error', reject)
    tcp.listen({ host, port }, () => {
      tcp.off('error', reject)
      resolve()
    })
  })
  return {
    port: (tcp.address() as AddressInfo).port,
    close: () => new Promise((resolve) => tcp.close(() => resolve())),
  }
}
