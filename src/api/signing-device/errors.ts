// Refusals in the shape of group C: problem details (RFC 9457) with the members code and traceId.
import { STATUS_CODES } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type FiscalError, fail } from '../../errors.js'
import { prepareRefusal, refusalFrom } from '../shared/trace.js'

export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = refusalOf(error, request)
  const { statusCode } = prepareRefusal(reply, refusal)
  const body = {
    type: 'about:blank',
    title: STATUS_CODES[statusCode],
    status: statusCode,
    detail: refusal.message,
    code: refusal.code,
    field: refusal.field,
    traceId: request.id,
  }
  void reply
    .header('content-type', 'application/problem+json')
    .serializer((text: string) => text)
    .send(JSON.stringify(body))
}

/** An address below this group that leads nowhere, or is called with the wrong method. */
export function refuseAddress(request: FastifyRequest, expected: string | undefined): never {
  const { method } = request
  const path = request.url.split('?')[0] ?? ''
  if (expected === undefined) throw fail('ROUTE_UNKNOWN', { method, path })
  throw fail('METHOD_WRONG', { method, path, expected })
}

/** Data too large for a body is data too large for a signature: one answer for both. */
function refusalOf(error: unknown, request: FastifyRequest): FiscalError {
  const refusal = refusalFrom(error, request)
  const limit = request.routeOptions.config.dataLimit
  if (refusal.code !== 'BODY_TOO_LARGE' || limit === undefined) return refusal
  return fail('FIELD_INVALID', { field: 'dataBase64', expected: `at most ${limit} bytes of data` })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Most decoded bytes of the data that this operation takes. */
    dataLimit?: number
  }
}
