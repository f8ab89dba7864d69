// Which answers each connection still waits for.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

const ANSWERS = Symbol('answers')

interface Answering extends Socket {
  /** The last answers of this connection, those that have been given included. */
  [ANSWERS]?: ServerResponse[]
}

/** Remembers what is answered on which connection. */
export function noteAnswers(app: FastifyInstance): void {
  app.server.on('request', ({ socket }: IncomingMessage, answer: ServerResponse) => {
    const connection: Answering = socket
    connection[ANSWERS] ??= []
    const known = connection[ANSWERS]
    // no listener for each of them: few are open at a time, and the places of the others are free
    const free = known.findIndex(({ closed }) => closed)
    known[free === -1 ? known.length : free] = answer
  })
}

/** Those that have not been given. */
export function openAnswers(socket: Answering): ServerResponse[] {
  return socket[ANSWERS]?.filter(({ closed }) => !closed) ?? []
}

/** A call that has arrived as a whole has an effect; one whose body has not has changed nothing. */
export const isWorkedOn = ({ closed, req }: ServerResponse): boolean => !closed && req.complete
