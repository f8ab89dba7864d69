// The portal: its pages, its sessions, and groups A and F once more for whoever is logged in. One
// plugin, mounted by app.ts.
import cookie from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import { dealer } from '../dealer/index.js'
import { BASE as PLATFORM } from '../platform/document.js'
import { platform } from '../platform/index.js'
import { sendDealerRefusal } from '../shared/account/refusal.js'
import { mountOperations, mountWrongMethods } from '../shared/account/routes.js'
import { admitSession } from './admit.js'
import type { PortalDeps } from './deps.js'
import { sessionTable } from './operations.js'
import { pages } from './pages.js'

export const PORTAL = '/portal'

export function portal(app: FastifyInstance, deps: PortalDeps): void {
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
  void app.register((scope, _options, done) => {
    dealer(scope, { ...deps.dealer, admitted }, { bases: [`${PORTAL}/api`] })
    done()
  })
  void app.register((scope, _options, done) => {
    const base = `${PORTAL}${PLATFORM.replace('/v1', '')}`
    platform(scope, { ...deps.platform, admitted }, { bases: [base] })
    done()
  })
  pages(app, deps.folder)
}
