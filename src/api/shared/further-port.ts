// A further port on which the same app answers, with the same limits of its connections. Opened by
// serve.ts.
import { createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Listening, ListenOn } from '../../lib/listen.js'
import { KEEP_ALIVE_MS } from './connection.js'

/**
 * `most`: connections of this port. Its close waits for them; the app ends those that wait for
 * nothing. Rejects when the port cannot be had.
 */
export function listenFurther(
  app: FastifyInstance,
  { listen, most }: { listen: ListenOn; most: number },
): Promise<Listening> {
  // the same that Node's own server of HTTP asks of its sockets
  const sockets = {
    ...{ noDelay: true, allowHalfOpen: true },
    ...{ keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS },
  }
  const tcp = createServer(sockets, (socket) => app.server.emit('connection', socket))
  tcp.maxConnections = most
  return listen(tcp)
}
