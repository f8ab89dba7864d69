// Which pages in a browser may call group B. With MIDDLEWARE_AUTH=off everybody on the machine is
// believed, and pages of the whole world are opened there.
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type FiscalError, fail } from '../../errors.js'
import { answerPreflight, nameOrigins, type Preflight } from '../shared/preflight.js'
import type { RouteSpelling } from './routes.js'

export interface BrowserRules {
  /** Nobody shows credentials: host and origin are all there is to judge by. */
  local: boolean
  /** Further names of this server, with or without a port, in lower case. */
  hosts: ReadonlySet<string>
  /** Origins whose pages may call, in lower case; `*`: all. */
  origins: ReadonlySet<string>
}

type Headers = Pick<IncomingHttpHeaders, 'host' | 'origin' | 'sec-fetch-site'>

/** IPv4 in its usual form, `localhost`, IPv6; a browser writes no other. */
const LOOPBACK =
  /^(?:localhost\.?|127(?:\.\d{1,3}){3}|\[::1\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\])$/
const PORT = /:\d{1,5}$/
/** What a browser says of its own page, and of an address that somebody has typed. */
const OWN_SITE = new Set(['same-origin', 'none'])

/**
 * Throws HOST_REFUSED for a name that a stranger may have pointed here (DNS rebinding), and
 * ORIGIN_REFUSED for a page of another origin. Programs that are no browsers send no Origin.
 */
export function checkBrowser(rules: BrowserRules, headers: Headers): void {
  if (!rules.local) return
  const host = headers.host?.trim().toLowerCase()
  if (host !== undefined && host !== '' && !isOurs(rules, host)) {
    throw fail('HOST_REFUSED', { host: host.slice(0, 100) })
  }
  const { origin, 'sec-fetch-site': site } = headers
  if (origin !== undefined && isAllowed(rules, origin)) return
  const isOwnPage = origin === undefined || isSameOrigin(origin, host)
  if (isOwnPage && (site === undefined || OWN_SITE.has(String(site)))) return
  throw fail('ORIGIN_REFUSED', { origin: (origin ?? 'of another site').slice(0, 100) })
}

function isOurs({ hosts }: BrowserRules, host: string): boolean {
  const name = host.replace(PORT, '')
  return LOOPBACK.test(name) || hosts.has(name) || hosts.has(host)
}

function isSameOrigin(origin: string, host: string | undefined): boolean {
  return host !== undefined && origin.toLowerCase() === `http://${host}`
}

function isAllowed({ origins }: BrowserRules, origin: string): boolean {
  return origins.has('*') || origins.has(origin.toLowerCase())
}

const PREFLIGHT: Preflight = {
  methods: 'POST, GET, OPTIONS',
  headers: 'content-type, accept, cashboxid, accesstoken, queueid, authorization, soapaction',
}

/** Judges every call of the group, and says to browsers which pages may read the answers. */
export function guardBrowsers(app: FastifyInstance, rules: BrowserRules): void {
  if (rules.local) {
    app.addHook('onRequest', (request, _reply, done) => {
      checkBrowser(rules, request.headers)
      done()
    })
  }
  if (rules.origins.size === 0) return
  const exposed = 'retry-after, content-disposition'
  nameOrigins(app, { isAllowed: (origin) => isAllowed(rules, origin), exposed })
}

/** What a preflight of a shared address is for; see api/possystem/entry.ts. */
const OURS = { constraints: { entry: 'middleware' } }

/** OPTIONS of an address; without a setting there is nothing to answer. */
export function preflightRoute(
  app: FastifyInstance,
  rules: BrowserRules,
  { path, isShared }: { path: string; isShared: boolean },
): void {
  if (rules.origins.size === 0) return
  app.route({
    method: 'OPTIONS',
    url: path,
    ...(isShared ? OURS : {}),
    handler: (request, reply) => {
      if (request.headers.origin === undefined) throw otherMethod(request)
      checkOrigin(rules, request)
      return answerPreflight(request, reply, PREFLIGHT)
    },
  })
}

/** Everything here is called with POST. */
export function otherMethod({ method, url }: FastifyRequest): FiscalError {
  return fail('METHOD_WRONG', { method, path: url.split('?')[0] ?? '', expected: 'POST' })
}

/** Group D answers under the bare words as well. */
export function isSharedPath({ format, version, path }: RouteSpelling): boolean {
  return format === '' && version === '' && path.split('/').length === 2
}

function checkOrigin(rules: BrowserRules, { headers: { origin = '' } }: FastifyRequest): void {
  if (!isAllowed(rules, origin)) throw fail('ORIGIN_REFUSED', { origin: origin.slice(0, 100) })
}
