// Statuses of refusals and the answer to an unexpected error, the same in every group.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorKind, FiscalError, fail } from '../../errors.js'
import type { XmlTree } from '../../lib/xml-write.js'

export const statusOf: Record<ErrorKind, number> = {
  invalid: 400,
  refused: 400,
  unauthenticated: 401,
  forbidden: 403,
  missing: 404,
  method: 405,
  conflict: 409,
  'too-large': 413,
  limited: 429,
  broken: 500,
  unavailable: 503,
}

const RETRY_SECONDS: Partial<Record<ErrorKind, number>> = { limited: 60, unavailable: 1 }

/** Any error as a refusal: Fastify's own become ours, unknown ones are logged and hidden. */
export function refusalFrom(error: unknown, request: FastifyRequest): FiscalError {
  if (error instanceof FiscalError) {
    if (error.kind === 'broken') request.log.error(about(request, error), error.message)
    return error
  }
  const known = error as { statusCode?: number; code?: string; message?: string }
  if (known.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return fail('BODY_TOO_LARGE', { limit: request.routeOptions.bodyLimit ?? 0 })
  }
  if (known.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    const type = request.headers['content-type'] ?? 'none'
    return fail('MEDIA_TYPE', { type, expected: 'application/json' })
  }
  if (known.code === 'FST_ERR_BAD_URL') return fail('ADDRESS_MALFORMED')
  if (known.statusCode !== undefined && known.statusCode >= 400 && known.statusCode < 500) {
    return fail('REQUEST_INVALID', { reason: known.message ?? 'The request is not valid.' })
  }
  request.log.error(about(request, error), 'unexpected error')
  return fail('INTERNAL')
}

/** The id is what the caller got as traceId, in one spelling or the other. */
function about(request: FastifyRequest, error: unknown): object {
  return { reqId: request.id, traceId: traceIdOf(request), err: error }
}

/** The id of the request as W3C trace context: version, trace, span, flags. */
export function traceIdOf({ id }: Pick<FastifyRequest, 'id'>): string {
  const hex = id.replaceAll('-', '').padEnd(32, '0').slice(0, 32)
  return `00-${hex}-${hex.slice(16)}-01`
}

/** Status and the headers that belong to a kind of refusal. */
export function prepareRefusal(reply: FastifyReply, refusal: FiscalError): FastifyReply {
  const seconds = refusal.details.seconds ?? RETRY_SECONDS[refusal.kind]
  if (seconds !== undefined) void reply.header('retry-after', String(seconds))
  if (refusal.kind === 'method') {
    void reply.header('allow', String(refusal.details.expected ?? ''))
  }
  return reply.code(statusOf[refusal.kind])
}

/** What a refusal says in XML: the members of the JSON form of group B. */
export function errorTree({ message, field, code }: FiscalError, traceId: string): XmlTree {
  return { message, ...(field === undefined ? {} : { field }), code, traceId }
}
