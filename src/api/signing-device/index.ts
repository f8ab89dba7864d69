// Group C, signing devices over REST JSON and SOAP: one plugin, mounted by app.ts.
import type { FastifyInstance, HTTPMethods } from 'fastify'
import { readBodies } from '../shared/encoding.js'
import type { SigningDeviceDeps } from './deps.js'
import { refuseAddress, sendProblem } from './errors.js'
import { DATA_LIMIT } from './messages.js'
import type { SigningRow } from './parts.js'
import { soapRoutes } from './soap.js'
import { BASES, SOAP_PATH, signingRows } from './table.js'
import { TSE_BASE, tseRows } from './tse-table.js'

const METHODS: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
/** Base64 of the most data, three times over: room for other members and white space. */
const BODY_LIMIT = 4 * DATA_LIMIT

export function signingDevice(app: FastifyInstance, deps: SigningDeviceDeps): void {
  app.setErrorHandler(sendProblem)
  readBodies(app)
  for (const row of signingRows) {
    for (const base of BASES) mount(app, deps, { row, base })
  }
  for (const row of tseRows) mount(app, deps, { row, base: TSE_BASE })
  soapRoutes(app, deps)
  app.route({
    method: METHODS.filter((method) => method !== 'POST'),
    url: SOAP_PATH,
    handler: (request) => refuseAddress(request, 'POST'),
  })
  for (const base of [BASES[0], TSE_BASE]) {
    app.route({
      method: METHODS,
      url: `${base}/*`,
      handler: (request) => refuseAddress(request, undefined),
    })
  }
}

function mount(
  app: FastifyInstance,
  deps: SigningDeviceDeps,
  { row, base }: { row: SigningRow; base: string },
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
