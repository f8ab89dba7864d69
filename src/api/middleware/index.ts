// Group B, the Middleware over REST JSON, versions 0 and 1: one plugin, mounted by app.ts.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '../../errors.js'
import { callerOf, namesQueue } from './auth.js'
import type { MiddlewareDeps } from './deps.js'
import { echo } from './echo.js'
import { sendRefusal } from './errors.js'
import { journal } from './journal.js'
import { routeSchemas } from './pages.js'
import { type RouteSpelling, routeSpellings } from './routes.js'
import { sign } from './sign.js'

const JSON_TYPE = 'application/json; charset=utf-8'

export function middleware(app: FastifyInstance, deps: MiddlewareDeps): void {
  app.setErrorHandler(sendRefusal)
  // bodies are read by the operations: the journal ignores its own, sign needs the exact bytes
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body)
  })
  // the label of a body does not matter, not even one that is no media type
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.mediaType === undefined) delete request.headers['content-type']
    done()
  })
  for (const spelling of routeSpellings()) {
    app.route({
      method: 'POST',
      url: spelling.path,
      // the other two have the small limit of the app: a message, and a body that is not read
      ...(spelling.operation === 'sign' ? { bodyLimit: deps.bodyLimit } : {}),
      config: { bodyIgnored: spelling.operation === 'journal' },
      schema: routeSchemas(spelling),
      handler: handlers[spelling.operation](deps, spelling),
    })
    app.route({
      method: ['GET', 'PUT', 'DELETE', 'PATCH'],
      url: spelling.path,
      schema: { hide: true },
      handler: (request) => {
        const path = request.url.split('?')[0] ?? ''
        throw fail('METHOD_WRONG', { method: request.method, path, expected: 'POST' })
      },
    })
  }
}

/** Answers to a null message, which has the configuration read anew. */
const NOTHING = new Set(['', 'null', '{"message":null}'])

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

const handlers: Record<
  RouteSpelling['operation'],
  (deps: MiddlewareDeps, spelling: RouteSpelling) => Handler
> = {
  echo:
    (deps, { version }) =>
    async (request, reply) => {
      const asks = deps.authentication || namesQueue(request)
      const caller = asks ? await callerOf(deps, request) : undefined
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const answer = echo(body, version)
      if (NOTHING.has(answer)) await deps.refresh(caller?.access)
      return text(reply, answer)
    },
  sign:
    (deps, { version }) =>
    async (request, reply) => {
      const { status, body } = await sign(deps, request, version)
      return text(reply.code(status), body)
    },
  journal: (deps) => async (request, reply) => {
    const { contentType, body } = await journal(deps, request)
    return reply
      .header('content-type', contentType)
      .send(Readable.from(body, { objectMode: false }))
  },
}

/** The text as it is stored; not serialized a second time. */
function text(reply: FastifyReply, body: string): FastifyReply {
  if (body === '') return reply.send()
  return reply
    .header('content-type', JSON_TYPE)
    .serializer((value: string) => value)
    .send(body)
}
