// Browsers of other origins may call group D: answers name the origin, preflights are answered.
// Called by index.ts.
import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'

const METHODS = 'GET, POST, PUT, OPTIONS'
const ALLOWED = [
  ...['content-type', 'accept', 'x-cashbox-id', 'x-cashbox-accesstoken', 'x-possystem-id'],
  ...['x-operation-id', 'x-dry-run', 'x-terminal-id', 'x-print-width', 'X-App-Id', 'X-App-Secret'],
].join(', ')
const EXPOSED = 'x-operation-id, x-print-width, x-delivery-state, x-trace-id, retry-after'
/** Seconds that a browser may remember a preflight. */
const MAX_AGE = '600'

type OnSend = Parameters<onSendHookHandler<unknown>>

/** No credentials flag: cookies mean nothing here, and a token is a header of the caller's own. */
export function addCors(app: FastifyInstance): void {
  // at the end: an answer may vary by headers of its own
  app.addHook('onSend', (...[request, reply, payload, done]: OnSend) => {
    const vary = reply.getHeader('vary')
    void reply.header('vary', vary === undefined ? 'Origin' : `${vary}, Origin`)
    const { origin } = request.headers
    if (origin !== undefined) {
      void reply
        .header('access-control-allow-origin', origin)
        .header('access-control-expose-headers', EXPOSED)
    }
    // a promise would cost every answer a turn
    done(null, payload)
  })
}

export function isPreflight(request: FastifyRequest): boolean {
  const { headers } = request
  return headers.origin !== undefined && headers['access-control-request-method'] !== undefined
}

export function sendPreflight(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (request.headers['access-control-request-private-network'] === 'true') {
    void reply.header('access-control-allow-private-network', 'true')
  }
  return reply
    .code(204)
    .header('access-control-allow-methods', METHODS)
    .header('access-control-allow-headers', ALLOWED)
    .header('access-control-max-age', MAX_AGE)
    .send()
}
