// Group B, the Middleware over REST and SOAP, versions 0 and 1: one plugin, mounted by app.ts.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readBodies } from '../shared/encoding.js'
import { guardBrowsers, isSharedPath, otherMethod, preflightRoute } from './browsers.js'
import type { MiddlewareDeps } from './deps.js'
import { sendRefusal } from './errors.js'
import { JSON_TYPE } from './form.js'
import { soapRoutes } from './soap.js'
import { middlewareRows } from './table.js'

const USUAL: ReadonlySet<string> = new Set(['application/json', JSON_TYPE])

export function middleware(app: FastifyInstance, deps: MiddlewareDeps): void {
  app.setErrorHandler(sendRefusal)
  guardBrowsers(app, deps.browsers)
  // bodies are read by the operations: the journal ignores its own, sign needs the exact bytes
  readBodies(app)
  // the label of a body does not matter, not even one that is no media type
  app.addHook('onRequest', (request, _reply, done) => {
    const { 'content-type': type } = request.raw.headers
    // asked of Fastify it is taken apart, which nearly nobody's has to be
    const isReadable = USUAL.has(type ?? '') || request.mediaType !== undefined
    if (!isReadable) delete request.headers['content-type']
    if (deps.portQueues.size > 0) nameQueue(deps, request)
    done()
  })
  for (const row of middlewareRows) {
    const { path, format, bodyIgnored, isLarge } = row
    app.route({
      method: 'POST',
      url: path,
      // the other two have the small limit of the app: a message, and a body that is not read
      ...(isLarge ? { bodyLimit: deps.bodyLimit } : {}),
      config: { bodyIgnored, format },
      // only the journal is long
      ...(bodyIgnored ? {} : { compress: false as const }),
      handler: row.handler(deps, row),
    })
    app.route({
      method: ['GET', 'PUT', 'DELETE', 'PATCH'],
      url: path,
      config: { format },
      handler: (request) => {
        throw otherMethod(request)
      },
    })
    preflightRoute(app, deps.browsers, { path, isShared: isSharedPath(row) })
  }
  soapRoutes(app, deps)
}

/** What a call names itself counts more than its port. */
function nameQueue({ portQueues }: MiddlewareDeps, { headers, socket }: FastifyRequest): void {
  const usual = portQueues.get(socket.localPort ?? 0)
  if (usual !== undefined && !headers.queueid?.length) headers.queueid = usual
}
