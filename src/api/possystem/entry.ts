// Which group a call without version prefix is for, where groups B and D stand at the same address.
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** Any of them, and the call is for group D. */
export const OUR_HEADERS = [
  'x-cashbox-id',
  'x-cashbox-accesstoken',
  'x-operation-id',
  'x-possystem-id',
] as const
/** Without those: any of these, and it is for group B. */
const THEIRS = ['cashboxid', 'accesstoken'] as const

/** Name of the constraint, and its only value. */
const NAME = 'entry'
export const POSSYSTEM_ENTRY = { [NAME]: 'possystem' } as const

/**
 * Without any header the call is for group D, whose refusal names what is missing; with
 * MIDDLEWARE_AUTH=off, where group B asks for none, it is for group B.
 */
export function isForPosSystem(
  headers: IncomingMessage['headers'],
  middlewareAsks: boolean,
): boolean {
  // a preflight names the headers that the call will have
  const promised = headers['access-control-request-headers']?.toLowerCase().split(/[\s,]+/) ?? []
  const has = (name: string) => headers[name] !== undefined || promised.includes(name)
  if (OUR_HEADERS.some(has)) return true
  return middlewareAsks && !THEIRS.some(has)
}

type Strategy = Parameters<FastifyInstance['addConstraintStrategy']>[0]

/** Routes with POSSYSTEM_ENTRY answer such calls; all other calls pass them by. */
export function addEntry(app: FastifyInstance, middlewareAsks: boolean): void {
  const strategy: Strategy = {
    name: NAME,
    storage: () => new Map(),
    deriveConstraint: ({ headers }) =>
      isForPosSystem(headers, middlewareAsks) ? 'possystem' : 'middleware',
    validate: () => undefined,
    mustMatchWhenDerived: false,
  }
  app.addConstraintStrategy(strategy)
}
