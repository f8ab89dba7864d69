// Group F, the Platform: one plugin, mounted by app.ts.
import type { FastifyInstance } from 'fastify'
import { sendDealerRefusal } from '../shared/account/refusal.js'
import { mountOperations, mountWrongMethods } from '../shared/account/routes.js'
import type { PlatformDeps } from './deps.js'
import { BASE } from './document.js'
import { platformOperations } from './operations.js'

/** At its own address, unless told otherwise. */
export function platform(
  app: FastifyInstance,
  deps: PlatformDeps,
  { bases = [BASE] }: { bases?: readonly string[] } = {},
): void {
  app.setErrorHandler((error, request, reply) =>
    sendDealerRefusal(error, { request, reply }, { problemsOnly: true }),
  )
  app.decorateRequest('dealer', null)
  // long waits end first: the stop waits for calls that run
  app.addHook('preClose', () => deps.endWaits())
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => {
    parsed(null, body)
  })
  const mounting = { bases, operations: platformOperations }
  mountOperations(app, deps, mounting)
  mountWrongMethods(app, mounting)
}
