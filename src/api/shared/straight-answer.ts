// An answer whose text is there as a whole, handed to Node's own server: head and body are one
// write, and nothing looks at them again.
import type { FastifyReply } from 'fastify'

/**
 * For routes without hooks that change an answer on its way: those are passed by. Of headers it has
 * the ones of every answer, nothing that was set for this one.
 */
export function answerStraight(
  reply: FastifyReply,
  type: string,
  body: string | Buffer,
): FastifyReply {
  const own = ['content-type', type, 'content-length', String(Buffer.byteLength(body))]
  // for the list of the last calls, which no hook tells of it
  reply.request.sent = { payload: body, error: undefined, type }
  reply.hijack()
  reply.raw.writeHead(200, reply.always.concat(own)).end(body)
  return reply
}
