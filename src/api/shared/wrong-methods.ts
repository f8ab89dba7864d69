// Addresses of a table that are called with a method which they do not have: refused with those
// that they have. One route for all of them: a route for each costs more than all others together.
import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify'
import findMyWay, { type HTTPVersion, type Instance } from 'find-my-way'
import { fail } from '../../errors.js'
import { ROUTER } from './router.js'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const

/** One spelling of an address and a method that it has. */
export interface Known {
  method: HTTPMethods
  path: string
}

/** For every address below these bases, as seen from `app`. */
export function refuseOtherMethods(
  app: FastifyInstance,
  { bases, addresses }: { bases: readonly string[]; addresses: readonly Known[] },
): void {
  const table = methodsOf(addresses)
  const known = lookUp(bases, table)
  for (const base of bases) {
    for (const { path, allowed, methods } of takenBy(table)) {
      mount(app, { url: base + path, methods, allowed: () => allowed })
    }
    const allowed: Allowed = ({ url }) => known(pathOf(url).slice(app.prefix.length))
    mount(app, { url: `${base}/*`, methods: METHODS, allowed })
  }
}

type Allowed = (request: FastifyRequest) => readonly string[] | undefined

interface Refused {
  url: string
  methods: readonly HTTPMethods[]
  allowed: Allowed
}

function mount(app: FastifyInstance, { url, methods, allowed }: Refused): void {
  app.route({
    ...{ url, method: [...methods], exposeHeadRoute: false },
    onRequest: (request, reply, done) => {
      const own = allowed(request)
      // what nobody knows has its own ways to be told
      if (own === undefined) reply.callNotFound()
      else done(refusal(request, own))
    },
    handler: (_request, reply) => reply.callNotFound(),
  })
}

const refusal = ({ method, url }: FastifyRequest, allowed: readonly string[]) =>
  fail('METHOD_WRONG', { method, path: pathOf(url), expected: allowed.join(', ') })

const pathOf = (url: string): string => url.split('?')[0] ?? ''

/** The methods of each path, in lower case. */
export type MethodTable = ReadonlyMap<string, readonly HTTPMethods[]>

export function methodsOf(addresses: readonly Known[]): MethodTable {
  const table = new Map<string, HTTPMethods[]>()
  for (const { method, path } of addresses) {
    const key = path.toLowerCase()
    const own = table.get(key) ?? []
    if (!own.includes(method)) table.set(key, [...own, method])
  }
  return table
}

/** Whoever has GET has HEAD. */
const offered = (own: readonly HTTPMethods[]): readonly HTTPMethods[] =>
  own.includes('GET') ? [...own, 'HEAD'] : own

/**
 * Where an address has a word and another one a parameter: methods of the other one that would take
 * its calls.
 */
export function takenBy(table: MethodTable): Taken[] {
  return [...table].flatMap(([path, allowed]) => {
    const own = path.split('/')
    const wider = [...table].filter(([other]) => {
      const parts = other.split('/')
      const fits = parts.length === own.length && other !== path
      return fits && parts.every((part, at) => part === own[at] || part.startsWith(':'))
    })
    const taken = new Set(wider.flatMap(([, methods]) => offered(methods)))
    const methods = [...taken].filter((method) => !offered(allowed).includes(method))
    return methods.length === 0 ? [] : [{ path, allowed, methods }]
  })
}

interface Taken {
  path: string
  allowed: readonly HTTPMethods[]
  methods: readonly HTTPMethods[]
}

/** The methods of the address that a path is, found as the server finds its routes. */
export function lookUp(bases: readonly string[], table: MethodTable) {
  let router: Instance<HTTPVersion.V1> | undefined
  return (path: string): readonly string[] | undefined => {
    router ??= routerOf(bases, table)
    return router.find('GET', path)?.store as string[] | undefined
  }
}

/** Made for the first call that needs it: most servers never see one. */
function routerOf(bases: readonly string[], table: MethodTable): Instance<HTTPVersion.V1> {
  const router = findMyWay(ROUTER)
  for (const base of bases) {
    for (const [path, own] of table) router.on('GET', base + path, () => undefined, own)
  }
  return router
}
