// Group C, the Austrian signing device over REST JSON and SOAP: one plugin, mounted by app.ts.
import type { FastifyInstance, HTTPMethods } from 'fastify'
import { readBodies } from '../shared/encoding.js'
import type { SigningDeviceDeps } from './deps.js'
import { refuseAddress, sendProblem } from './errors.js'
import { DATA_LIMIT } from './messages.js'
import { soapRoutes } from './soap.js'
import { BASES, type SigningRow, SOAP_PATH, signingRows } from './table.js'

const METHODS: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
/** Base64 of the most data, three times over: room for other members and white space. */
const BODY_LIMIT = 4 * DATA_LIMIT

export function signingDevice(app: FastifyInstance, deps: SigningDeviceDeps): void {
  app.setErrorHandler(sendProblem)
  readBodies(app)
  for (const row of signingRows) {
    for (const base of BASES) mount(app, deps, { row, base })
  }
  soapRoutes(app, deps)
  app.route({
    method: METHODS.filter((method) => method !== 'POST'),
    url: SOAP_PATH,
    handler: (request) => refuseAddress(request, 'POST'),
  })
  app.route({
    method: METHODS,
    url: `${BASES[0]}/*`,
    handler: (request) => refuseAddress(request, undefined),
  })
}

function mount(
  app: FastifyInstance,
  deps: SigningDeviceDeps,
  { row, base }: { row: SigningRow; base: (typeof BASES)[number] },
): void {
  const { route, name, dataLimit, handle } = row
  const { method } = route
  const url = `${base}/${name}`
  app.route({
    method,
    url,
    bodyLimit: BODY_LIMIT,
    config: dataLimit === undefined ? {} : { dataLimit },
    handler: (request) => handle(deps, request),
  })
  // Fastify answers HEAD where it answers GET
  const own = method === 'GET' ? ['GET', 'HEAD'] : [method]
  app.route({
    method: METHODS.filter((other) => !own.includes(other)),
    url,
    handler: (request) => refuseAddress(request, method),
  })
}
