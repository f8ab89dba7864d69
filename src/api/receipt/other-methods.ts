// Methods that an address of receipts does not have: refused with those that it has, and the
// question of a browser whether a page of elsewhere may ask.
import type { FastifyInstance } from 'fastify'
import { fail } from '../../errors.js'
import type { ReceiptFrame } from './deps.js'

const METHODS = ['GET', 'HEAD', 'PUT', 'POST', 'PATCH', 'DELETE'] as const

/** `own`: those that are mounted already. */
export function mountOtherMethods(
  app: FastifyInstance,
  { preflight }: Pick<ReceiptFrame, 'preflight'>,
  { url, own }: { url: string; own: readonly string[] },
): void {
  const allowed = own.join(', ')
  const refuse = (method: string, address: string): never => {
    const path = address.split('?')[0] ?? ''
    throw fail('METHOD_WRONG', { method, path, expected: allowed })
  }
  const hidden = { url, exposeHeadRoute: false }
  app.route({
    ...hidden,
    method: METHODS.filter((method) => !own.includes(method)),
    // before the body is read
    onRequest: (request, _reply, _done) => refuse(request.method, request.url),
    handler: (request) => refuse(request.method, request.url),
  })
  app.route({
    ...hidden,
    method: 'OPTIONS',
    handler: (request, reply) => preflight(request, reply) ?? refuse(request.method, request.url),
  })
}
