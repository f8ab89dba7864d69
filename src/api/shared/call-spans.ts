// Every call over HTTP as a span, below that of its caller where he has sent one along.
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Span, Spans } from '../../lib/spans.js'

/** The id of a call is that of its trace, so that refusals and the log lead to it. */
export function callId(spans: Spans, headers: IncomingHttpHeaders): string | undefined {
  const place = spans.from(headers)
  if (place === undefined) return undefined
  return spans.traceOf(place).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

export function traceCalls(app: FastifyInstance, spans: Spans): void {
  const open = new WeakMap<FastifyRequest, Span>()
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, headers, id } = request
    const below = spans.from(headers) ?? spans.root(id.replaceAll('-', ''))
    const span = spans.begin({ ...{ name: method, kind: 'server' as const, below } })
    open.set(request, span)
    span.inside(done)
  })
  // the bytes of a body are told by its connection, which knows of no call
  app.addHook('preValidation', (request, _reply, done) => {
    const span = open.get(request)
    if (span === undefined) done()
    else span.inside(done)
  })
  const end = (request: FastifyRequest, status: number | undefined): void => {
    const span = open.get(request)
    open.delete(request)
    if (span === undefined) return
    const { method, routeOptions } = request
    const { url: route, config } = routeOptions
    // the route stands for the path: receipts can be read by whoever has their address
    span.rename(route === undefined ? method : `${method} ${route}`)
    span.note({
      ...{ 'http.request.method': method, 'fiskalwerk.group': config.group ?? 'other' },
      ...(route === undefined ? {} : { 'http.route': route }),
      ...(status === undefined ? {} : { 'http.response.status_code': status }),
    })
    span.end(status === undefined || status >= 500 ? String(status ?? 'left') : undefined)
  }
  app.addHook('onResponse', (request, reply, done) => {
    end(request, reply.statusCode)
    done()
  })
  app.addHook('onRequestAbort', (request, done) => {
    end(request, undefined)
    done()
  })
}
