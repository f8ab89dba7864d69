// Group C, the Austrian signing device over REST JSON and SOAP: one plugin, mounted by app.ts.
import type { FastifyInstance, HTTPMethods } from 'fastify'
import { readBodies } from '../shared/encoding.js'
import type { SigningDeviceDeps } from './deps.js'
import { refuseAddress, sendProblem } from './errors.js'
import { DATA_LIMIT } from './messages.js'
import { routeSchema } from './pages.js'
import { type OperationName, operations } from './rest.js'
import { SOAP_PATH, soapRoutes } from './soap.js'

/** The path of the interface first; clients of its first years call the shorter one. */
const BASES = ['/api/v0/iatsscd', '/api'] as const
const METHODS: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
/** Base64 of the most data, three times over: room for other members and white space. */
const BODY_LIMIT = 4 * DATA_LIMIT

export function signingDevice(app: FastifyInstance, deps: SigningDeviceDeps): void {
  app.setErrorHandler(sendProblem)
  readBodies(app)
  for (const name of Object.keys(operations) as OperationName[]) {
    for (const base of BASES) mount(app, deps, { name, base })
  }
  soapRoutes(app, deps)
  app.route({
    method: METHODS.filter((method) => method !== 'POST'),
    url: SOAP_PATH,
    schema: { hide: true },
    handler: (request) => refuseAddress(request, 'POST'),
  })
  app.route({
    method: METHODS,
    url: `${BASES[0]}/*`,
    schema: { hide: true },
    handler: (request) => refuseAddress(request, undefined),
  })
}

function mount(
  app: FastifyInstance,
  deps: SigningDeviceDeps,
  { name, base }: { name: OperationName; base: (typeof BASES)[number] },
): void {
  const { method, answer } = operations[name]
  const url = `${base}/${name}`
  app.route({
    method,
    url,
    bodyLimit: BODY_LIMIT,
    config: name === 'sign' ? { dataLimit: DATA_LIMIT } : {},
    schema: routeSchema(name, base === BASES[0]),
    handler: (request) => answer(deps, request),
  })
  // Fastify answers HEAD where it answers GET
  const own = method === 'GET' ? ['GET', 'HEAD'] : [method]
  app.route({
    method: METHODS.filter((other) => !own.includes(other)),
    url,
    schema: { hide: true },
    handler: (request) => refuseAddress(request, method),
  })
}
