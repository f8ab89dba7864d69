// Which answers each connection still waits for.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** The last answers of each connection, those that have been given included. */
const answers = new WeakMap<Socket, ServerResponse[]>()

/** Remembers what is answered on which connection. */
export function noteAnswers(app: FastifyInstance): void {
  app.server.on('request', ({ socket }: IncomingMessage, answer: ServerResponse) => {
    const known = answers.get(socket)
    if (known === undefined) {
      answers.set(socket, [answer])
      return
    }
    // no listener for each of them: few are open at a time, and the places of the others are free
    const free = known.findIndex(({ closed }) => closed)
    known[free === -1 ? known.length : free] = answer
  })
}

/** Those that have not been given. */
export function openAnswers(socket: Socket): ServerResponse[] {
  return answers.get(socket)?.filter(({ closed }) => !closed) ?? []
}

/** A call that has arrived as a whole has an effect; one whose body has not has changed nothing. */
export const isWorkedOn = ({ closed, req }: ServerResponse): boolean => !closed && req.complete
