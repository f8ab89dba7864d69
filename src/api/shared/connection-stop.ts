// What becomes of the connections when the server stops: those whose calls are being worked on get
// their answer, all others end at once.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { isWorkedOn, openAnswers } from './open-answers.js'

/** No connection holds up a stop but those whose calls are being worked on. */
export function endConnections(app: FastifyInstance): void {
  const open = new Set<Socket>()
  let stopping = false
  const endUnlessNeeded = (socket: Socket): void => {
    if (!openAnswers(socket).some(isWorkedOn)) socket.destroy()
  }
  // the next call behind it, of which a part has come, is not waited for
  const endBehind = (answer: ServerResponse, socket: Socket): void => {
    answer.once('close', () => endUnlessNeeded(socket))
  }
  app.server.on('connection', (socket: Socket) => {
    if (stopping) return socket.destroy()
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  app.server.on('request', ({ socket }: IncomingMessage, answer: ServerResponse) => {
    if (stopping) endBehind(answer, socket)
  })
  app.addHook('preClose', (done) => {
    stopping = true
    // for Node a connection that has sent a part of something is neither idle nor late when it
    // closes, nor is one that browsers open in advance
    for (const socket of open) {
      for (const answer of openAnswers(socket)) endBehind(answer, socket)
      endUnlessNeeded(socket)
    }
    done()
  })
}
