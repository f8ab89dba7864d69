// Browsers of other origins may call group D: answers name the origin, preflights are answered.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answerPreflight, nameOrigins, type Preflight } from '../shared/preflight.js'

const PREFLIGHT: Preflight = {
  methods: 'GET, POST, PUT, OPTIONS',
  headers: [
    ...['content-type', 'accept', 'x-cashbox-id', 'x-cashbox-accesstoken', 'x-possystem-id'],
    ...['x-operation-id', 'x-dry-run', 'x-terminal-id', 'x-print-width', 'X-App-Id'],
    'X-App-Secret',
  ].join(', '),
}
const EXPOSED = 'x-operation-id, x-print-width, x-delivery-state, x-trace-id, retry-after'

/** No credentials flag: cookies mean nothing here, and a token is a header of the caller's own. */
export function addCors(app: FastifyInstance): void {
  nameOrigins(app, { isAllowed: () => true, exposed: EXPOSED })
}

export function isPreflight(request: FastifyRequest): boolean {
  const { headers } = request
  return headers.origin !== undefined && headers['access-control-request-method'] !== undefined
}

export function sendPreflight(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return answerPreflight(request, reply, PREFLIGHT)
}
