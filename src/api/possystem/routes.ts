// The addresses of group D as a table: with and without version, behind the id that a local
// launcher puts in front, and the methods that each of them does not have.
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { fail } from '../../errors.js'
import type { Method } from '../shared/openapi/route.js'
import { lookUp, methodsOf, takenBy } from '../shared/wrong-methods.js'
import { isPreflight } from './cors.js'
import { POSSYSTEM_ENTRY } from './entry.js'
import { pathOf } from './problem.js'

/** What one address does; below it everything is the same under each of its spellings. */
export interface PosRoute {
  method: Method
  /** Without version prefix. */
  path: string
  bodyLimit?: number
  onRequest?: NonNullable<RouteOptions['onRequest']>
  onSend?: NonNullable<RouteOptions['onSend']>
  handler: RouteOptions['handler']
}

const HEX = '[0-9a-fA-F]'
const HELPER = `/:helper(^${HEX}{8}-${HEX}{4}-${HEX}{4}-${HEX}{4}-${HEX}{12}$)`
const VERSIONED = ['/v2', '/v2.1', `${HELPER}/v2`, `${HELPER}/v2.1`]
const BASES = ['', ...VERSIONED]
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'] as const
/** Words that group B has at the root as well. */
const SHARED_WORDS = new Set(['/echo', '/sign', '/journal'])

export interface Mounting {
  /** Group B stands at the same place: its headers decide about the words of both. */
  shared: boolean
  /** Answers preflights of browsers; undefined: nobody does. */
  preflight: ((request: FastifyRequest, reply: FastifyReply) => FastifyReply) | undefined
}

export function mountRoutes(
  app: FastifyInstance,
  routes: readonly PosRoute[],
  mounting: Mounting,
): void {
  const table = methodsOf(routes)
  const taken = takenBy(table)
  for (const base of BASES) {
    for (const path of new Set(routes.map((route) => route.path))) {
      const own = routes.filter((route) => route.path === path)
      const isAlone = base === '' || taken.some((one) => one.path === path.toLowerCase())
      mountPath(app, { base, path, own, mounting, isAlone })
    }
  }
  const known = lookUp(VERSIONED, table)
  for (const base of VERSIONED) {
    for (const url of [base, `${base}/*`]) mountOther(app, { url, mounting, known })
  }
}

interface OnePath {
  base: string
  path: string
  own: readonly PosRoute[]
  mounting: Mounting
  /** Refuses other methods itself: nothing below its base does it for all. */
  isAlone: boolean
}

function mountPath(app: FastifyInstance, { base, path, own, mounting, isAlone }: OnePath): void {
  const url = base + path
  const divided = mounting.shared && base === '' && SHARED_WORDS.has(path)
  const constraints = divided ? { constraints: POSSYSTEM_ENTRY } : {}
  for (const { path: _path, ...route } of own) {
    app.route({ ...route, ...LATER, ...constraints, url })
  }
  if (!isAlone) return
  const allowed = own.map((route) => route.method)
  const known = new Set<string>(allowed.includes('GET') ? [...allowed, 'HEAD'] : allowed)
  const refuse = refusing(allowed)
  const method = METHODS.filter((one) => !known.has(one))
  app.route({ ...HIDDEN, ...constraints, url, method, handler: refuse })
  // a preflight has none of the headers that tell the groups apart
  mountOptions(app, { url, mounting, refuse })
}

type Refuse = (request: FastifyRequest) => never
/** Address, method and headers are judged before the body. */
const LATER = { config: { bodyJudgedLater: true } } as const
const HIDDEN = { ...LATER, exposeHeadRoute: false } as const

const refusing =
  (allowed: readonly string[] | undefined): Refuse =>
  (request) => {
    const about = { method: request.method, path: pathOf(request) }
    if (allowed === undefined) throw fail('ROUTE_UNKNOWN', about)
    throw fail('METHOD_WRONG', { ...about, expected: allowed.join(', ') })
  }

interface OtherPaths {
  url: string
  mounting: Mounting
  known(path: string): readonly string[] | undefined
}

/** What has the prefix of a version and is nothing, or nothing with this method. */
function mountOther(app: FastifyInstance, { url, mounting, known }: OtherPaths): void {
  const refuse: Refuse = (request) =>
    refusing(known(pathOf(request).slice(app.prefix.length)))(request)
  app.route({ ...HIDDEN, url, method: [...METHODS], handler: refuse })
  mountOptions(app, { url, mounting, refuse })
}

function mountOptions(
  app: FastifyInstance,
  { url, mounting, refuse }: { url: string; mounting: Mounting; refuse: Refuse },
): void {
  const { preflight } = mounting
  app.route({
    ...{ ...HIDDEN, url, method: 'OPTIONS' },
    handler: (request, reply) =>
      preflight !== undefined && isPreflight(request) ? preflight(request, reply) : refuse(request),
  })
}
