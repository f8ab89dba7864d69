// What browsers with pages of other origins are told: who may read an answer, and what may be sent.
import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'

/** Seconds that a browser may remember a preflight. */
const MAX_AGE = '600'

type OnSend = Parameters<onSendHookHandler<unknown>>

interface Readers {
  /** Pages of this origin may read answers. */
  isAllowed(origin: string): boolean
  /** Headers of an answer that they may read, with commas. */
  exposed: string
}

/** Every answer of the group names the origin that asked, where its pages may read it. */
export function nameOrigins(app: FastifyInstance, { isAllowed, exposed }: Readers): void {
  // at the end: an answer may vary by headers of its own
  app.addHook('onSend', (...[request, reply, payload, done]: OnSend) => {
    const vary = reply.getHeader('vary')
    void reply.header('vary', vary === undefined ? 'Origin' : `${vary}, Origin`)
    const { origin } = request.headers
    if (origin !== undefined && isAllowed(origin)) {
      void reply
        .header('access-control-allow-origin', origin)
        .header('access-control-expose-headers', exposed)
    }
    // a promise would cost every answer a turn
    done(null, payload)
  })
}

/** What a call may be made with; both lists with commas. */
export interface Preflight {
  methods: string
  headers: string
}

/** Answers a preflight, that of a private network too. */
export function answerPreflight(
  request: FastifyRequest,
  reply: FastifyReply,
  { methods, headers }: Preflight,
): FastifyReply {
  if (request.headers['access-control-request-private-network'] === 'true') {
    void reply.header('access-control-allow-private-network', 'true')
  }
  return reply
    .code(204)
    .header('access-control-allow-methods', methods)
    .header('access-control-allow-headers', headers)
    .header('access-control-max-age', MAX_AGE)
    .send()
}
