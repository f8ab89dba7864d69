// Tells of every call over HTTP: group, status, how long. Routes know their group by their place.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CallObserver } from '../../core/metrics.js'
import { FiscalError } from '../../errors.js'
import { isUuid } from '../../lib/id.js'
import { traceIdOf } from './trace.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The group of interfaces of a route; left out: it belongs to none. */
    group?: string
  }
}

const OUTSIDE = 'other'

export function tellCalls(app: FastifyInstance, calls: CallObserver): void {
  app.addHook('onResponse', (request, reply, done) => {
    const group = request.routeOptions.config.group ?? OUTSIDE
    calls.answered(group, reply.statusCode, reply.elapsedTime / 1000)
    done()
  })
  app.addHook('onError', async (_request, _reply, error) => {
    if (isLimit(error)) calls.limited(error.code)
  })
}

function isLimit(error: Error): error is FiscalError {
  return error instanceof FiscalError && (error.kind === 'limited' || error.code === 'OVERLOADED')
}

export interface AccessLog {
  info(details: object, message: string): void
}

/**
 * A line for every call. The route stands for the path, and there is no query: receipts can be read
 * by whoever has their address. No network address either: a proxy knows it.
 */
export function logCalls(app: FastifyInstance, log: AccessLog): void {
  const left = new WeakSet<FastifyRequest>()
  app.addHook('onResponse', (request, reply, done) => {
    if (!left.has(request)) log.info(lineOf(request, reply), 'call')
    done()
  })
  // whoever leaves before the answer has called as well
  app.addHook('onRequestAbort', (request, done) => {
    left.add(request)
    log.info({ ...about(request), status: null, ms: null }, 'call broken off')
    done()
  })
}

function lineOf(request: FastifyRequest, reply: FastifyReply): object {
  const { statusCode: status, elapsedTime } = reply
  return { ...about(request), status, ms: Math.round(elapsedTime * 10) / 10 }
}

function about(request: FastifyRequest): object {
  const { method, routeOptions } = request
  const { url: route, config } = routeOptions
  const caller = CALLERS.map((name) => request.headers[name]).find(isId)
  return {
    ...{ traceId: traceIdOf(request), group: config.group ?? OUTSIDE, method },
    ...{ route: route ?? null, caller: caller ?? null },
  }
}

/** Headers with the id of a CashBox or an account; anything else in them is nobody's id. */
const CALLERS = ['cashboxid', 'x-cashbox-id', 'accountid'] as const
const isId = (value: unknown): value is string => typeof value === 'string' && isUuid(value)

/** Every route of this scope belongs to the group. */
export function markGroup(scope: FastifyInstance, group: string): void {
  scope.addHook('onRoute', (route) => {
    route.config = { ...route.config, group }
  })
}
