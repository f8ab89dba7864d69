// The sandbox: fault scripts of signing devices and sample receipts, for tests and integrators.
// Mounted by app.ts.
import type { FastifyInstance } from 'fastify'
import type { FaultDeps } from '../../core/faults.js'
import { fail } from '../../errors.js'
import { boxOfHeaders, type CallerDeps } from '../shared/caller.js'
import { mountSamples, type SampleDeps } from './samples.js'
import { sandboxRows } from './table.js'

export interface SandboxDeps extends CallerDeps {
  faults: FaultDeps
  /** Receipts to look at. */
  shown: SampleDeps
}

export function sandbox(app: FastifyInstance, deps: SandboxDeps): void {
  mountSamples(app, deps.shown)
  // clients name a type with every call, also where there is no body
  app.removeContentTypeParser('application/json')
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else void parse(request, body.toString(), done)
  })
  for (const { route, act } of sandboxRows) {
    app.route({
      method: route.method,
      url: route.path,
      handler: async (request) => {
        // before the headers are looked at: here is nothing to be found in production
        if (!deps.faults.sandbox) throw fail('NOT_IN_PRODUCTION')
        const box = await boxOfHeaders(deps, request)
        const { scuId } = request.params as { scuId: string }
        return act(deps.faults, { scuId, box }, request.body)
      },
    })
  }
}
