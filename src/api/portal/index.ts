// The portal: its pages, its sessions, and other groups once more for whoever is logged in. One
// plugin, mounted by app.ts.
import cookie from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import { sendDealerRefusal } from '../shared/account/refusal.js'
import { mountOperations, mountWrongMethods } from '../shared/account/routes.js'
import { admitSession } from './admit.js'
import type { FurtherMount, PortalDeps } from './deps.js'
import { sessionTable } from './operations.js'
import { pages } from './pages.js'

export const PORTAL = '/portal'

export function portal(
  app: FastifyInstance,
  deps: PortalDeps,
  further: readonly FurtherMount[],
): void {
  void app.register(cookie)
  void app.register((scope, _options, done) => {
    scope.setErrorHandler((error, request, reply) =>
      sendDealerRefusal(error, { request, reply }, { problemsOnly: true }),
    )
    scope.decorateRequest('dealer', null)
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => {
      parsed(null, body)
    })
    const mounting = { bases: [`${PORTAL}/session`], operations: sessionTable }
    mountOperations(scope, deps.session, mounting)
    mountWrongMethods(scope, mounting)
    done()
  })
  const admitted = admitSession(deps.session)
  for (const { base, register } of further) {
    void app.register((scope, _options, done) => {
      register(scope, PORTAL + base, admitted)
      done()
    })
  }
  pages(app, deps.folder)
}
