// Compressed bodies are refused, in every group: a few bytes must not become gigabytes. Called by
// app.ts.
import type { FastifyInstance } from 'fastify'
import { fail } from '../../errors.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body of this call means nothing, so nobody minds its form. */
    bodyIgnored?: boolean
  }
}

export function refuseCompressed(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const encoding = request.headers['content-encoding']?.trim() ?? ''
    const plain = encoding === '' || encoding.toLowerCase() === 'identity'
    const minded = request.routeOptions.config?.bodyIgnored !== true
    done(plain || !minded ? undefined : fail('BODY_COMPRESSED', { encoding }))
  })
}
