// Tells of every call over HTTP: group, status, how long. Routes know their group by their place.
import type { FastifyInstance } from 'fastify'
import type { CallObserver } from '../../core/metrics.js'
import { FiscalError } from '../../errors.js'

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

/** Every route of this scope belongs to the group. */
export function markGroup(scope: FastifyInstance, group: string): void {
  scope.addHook('onRoute', (route) => {
    route.config = { ...route.config, group }
  })
}
