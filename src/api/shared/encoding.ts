// Compressed bodies are refused, in every group: a few bytes must not become gigabytes. Called by
// app.ts, and by calls that judge their body later.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fail } from '../../errors.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body of this call means nothing, so nobody minds its form. */
    bodyIgnored?: boolean
    /** The call looks at its form by itself, behind checks that come first. */
    bodyJudgedLater?: boolean
  }
}

export function refuseCompressed(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { bodyIgnored, bodyJudgedLater } = request.routeOptions.config ?? {}
    if (bodyIgnored !== true && bodyJudgedLater !== true) checkPlain(request)
    done()
  })
}

/** Throws BODY_COMPRESSED. */
export function checkPlain(request: FastifyRequest): void {
  const encoding = request.headers['content-encoding']?.trim() ?? ''
  if (encoding === '' || encoding.toLowerCase() === 'identity') return
  throw fail('BODY_COMPRESSED', { encoding })
}
