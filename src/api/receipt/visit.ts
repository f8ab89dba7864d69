// Who opens the page of a receipt: a person, an app, a robot that previews its link, or nobody.
import type { FastifyRequest } from 'fastify'
import type { DeliveryEvent } from '../../core/receipts/delivery.js'
import { isUuid } from '../../lib/id.js'
import { header } from '../shared/caller.js'
import { queryValue } from '../shared/query.js'

/** Headers by which browsers and proxies say that nobody looks yet. */
const AHEAD: readonly (readonly [string, RegExp])[] = [
  ['purpose', /\bprefetch\b|\bpreview\b/i],
  ['sec-purpose', /\bprefetch\b/i],
  ['x-moz', /\bprefetch\b/i],
  ['x-purpose', /\bpreview\b/i],
]

/** The event that a GET is; undefined for a call at which nobody looks. */
export function visitOf(
  request: FastifyRequest,
  robots: readonly string[],
): Omit<DeliveryEvent, 'moment'> | undefined {
  if (request.method !== 'GET') return undefined
  if (AHEAD.some(([name, word]) => word.test(header(request, name) ?? ''))) return undefined
  const userAgent = header(request, 'user-agent')
  const appId = appOf(request)
  const agent = userAgent?.toLowerCase() ?? ''
  const robot = robots.some((word) => agent.includes(word))
  const kind = appId !== undefined ? 'app' : robot ? 'robot' : 'customer'
  return { method: 'viewed', kind, appId, userAgent, address: request.ip }
}

/** Known or not, of the query or of the header; what is no uuid counts as absent. */
export function appOf(request: FastifyRequest): string | undefined {
  const given = [queryValue(request, 'AppId'), header(request, 'x-app-id')]
  return given.find((one) => one !== undefined && isUuid(one))?.toLowerCase()
}
