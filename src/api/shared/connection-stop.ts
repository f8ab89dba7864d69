// What becomes of the connections when the server stops: those whose calls are being worked on get
// their answer, all others end at once. Called by connection.ts.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Calls of each connection that have no answer yet. */
type Open = Map<Socket, Set<IncomingMessage>>

/** A call whose body has not arrived is not worked on: nothing has been changed by it. */
function isWorkedOn(calls: ReadonlySet<IncomingMessage>): boolean {
  return [...calls].some(({ complete }) => complete)
}

/** No connection holds up a stop but those whose calls are being worked on. */
export function endConnections(app: FastifyInstance): void {
  const open: Open = new Map()
  let stopping = false
  const endUnlessNeeded = (socket: Socket): void => {
    if (!isWorkedOn(open.get(socket) ?? new Set())) socket.destroy()
  }
  app.server.on('connection', (socket: Socket) => {
    if (stopping) return socket.destroy()
    open.set(socket, new Set())
    socket.once('close', () => open.delete(socket))
  })
  app.addHook('onRequest', ({ raw }, reply, done) => {
    const { socket } = raw
    // a call that came through no connection has none to end
    const calls = open.get(socket)
    if (calls === undefined) return done()
    calls.add(raw)
    reply.raw.once('close', () => {
      calls.delete(raw)
      // the next call behind it, of which a part has come, is not waited for
      if (stopping) endUnlessNeeded(socket)
    })
    done()
  })
  app.addHook('preClose', (done) => {
    stopping = true
    // for Node a connection that has sent a part of something is neither idle nor late when it
    // closes, nor is one that browsers open in advance
    for (const socket of open.keys()) endUnlessNeeded(socket)
    done()
  })
}
