// Group A, the Dealer API: one plugin, mounted by app.ts.
import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import { sendDealerRefusal } from '../shared/account/refusal.js'
import { type Mounting, mountOperations, mountWrongMethods } from '../shared/account/routes.js'
import type { DealerDeps } from './deps.js'
import { dealerOperations } from './operations.js'

/** That of the document, and the others. */
const BASES = ['/api', '/v0/api', '/v1/api']

/** The whole table at its own addresses, unless told otherwise. */
export function dealer(
  app: FastifyInstance,
  deps: DealerDeps,
  { operations = dealerOperations, bases = BASES }: Partial<Mounting> = {},
): void {
  app.setErrorHandler((error, request, reply) => sendDealerRefusal(error, { request, reply }))
  app.decorateRequest('dealer', null)
  const streams = operations.filter(({ upload }) => upload === 'stream')
  const others = operations.filter(({ upload }) => upload !== 'stream')
  void app.register((scope, _options, done) => {
    // bodies are read here: numbers keep their digits, and what is no JSON gets a refusal of ours
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => {
      parsed(null, body)
    })
    mountOperations(scope, deps, { bases, operations: others })
    mountWrongMethods(scope, { bases, operations })
    done()
  })
  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, parsed) => parsed(null, payload))
    // a file that is too large is told by its limit here, which has words of its own
    void scope.register(multipart, { throwFileSizeLimit: false })
    scope.after(() => mountOperations(scope, deps, { bases, operations: streams }))
    done()
  })
}
