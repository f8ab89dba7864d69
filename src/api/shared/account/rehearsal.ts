// Whether a call may be made, and if not, why. All its checks are made, and where its work is one
// audited change, that is done too and taken back at its end: the answer is the one that the call
// itself would get.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Once } from '../../../core/audit/once.js'
import { FiscalError } from '../../../errors.js'
import { writeJson } from '../../../lib/json-write.js'
import { demandRole } from './admit.js'
import type { AccountDeps } from './deps.js'
import type { Operation } from './operation.js'
import { calledBy } from './routes.js'

/** A table of operations with what they need. */
export interface ActionTable {
  deps: AccountDeps
  operations: readonly Operation[]
}

export interface Wish {
  /** Texts, as in an address. */
  path: Readonly<Record<string, string>>
  query: Readonly<Record<string, string>>
  /** Undefined: none. */
  body: unknown
}

interface Caller {
  request: FastifyRequest
  reply: FastifyReply
}

/** Ends the transaction of a change that everything has let pass. */
class Rehearsed extends Error {}

const TAKEN_BACK: Once = {
  claim: async () => undefined,
  keep: async () => {
    throw new Rehearsed()
  },
}

/**
 * Undefined: it may be made. `checked` tells how far was looked: `rights` alone, or everything.
 * Throws what is no refusal.
 */
export async function rehearse(
  deps: AccountDeps,
  operation: Operation,
  { request, reply, wish }: Caller & { wish: Wish },
): Promise<{ refusal: FiscalError | undefined; checked: 'rights' | 'all' }> {
  const checked = operation.rehearsable === true ? 'all' : 'rights'
  const { path: params, query, body } = wish
  const given = {
    ...{ params, query, headers: { 'content-type': 'application/json' } },
    body: body === undefined ? undefined : Buffer.from(writeJson(body)),
  }
  try {
    await deps.admitted?.(request, operation)
    const account = request.dealer?.account
    const posOperatorId = params.posOperatorId
    if (account !== undefined) demandRole(deps, operation, { account, posOperatorId })
    const call = await calledBy(deps, operation, { request, reply, given })
    if (checked === 'rights') return { refusal: undefined, checked }
    call.once = TAKEN_BACK
    await operation.handle(call)
  } catch (error) {
    if (error instanceof Rehearsed) return { refusal: undefined, checked }
    if (error instanceof FiscalError) return { refusal: error, checked }
    throw error
  }
  throw new Error(`${operation.id} cannot be taken back`)
}
