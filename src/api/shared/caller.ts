// Who is calling, by cash box id and access token: the same check in every group that a register
// talks to.
import type { FastifyRequest } from 'fastify'
import type { Credentials } from '../../core/accounts/credentials.js'
import { fail } from '../../errors.js'
import type { CashBoxAccess } from '../../store/rollout/cashboxes.js'
import type { FailureLimit } from './failure-limit.js'

export interface CallerDeps {
  credentials: Credentials
  failures: FailureLimit
}

/** What a call says about itself; of HTTP the request, of gRPC its metadata in the same words. */
export type CallOrigin = Pick<
  FastifyRequest,
  'headers' | 'params' | 'ip' | 'method' | 'url' | 'box'
>

/** A header without the white space around it; an empty one counts as missing. */
export function header(request: Pick<CallOrigin, 'headers'>, name: string): string | undefined {
  const value = request.headers[name]
  const text = Array.isArray(value) ? value[0] : value
  return text === undefined || text.trim() === '' ? undefined : text.trim()
}

/** The cash box of the headers `cashboxid` and `accesstoken`. Throws CREDENTIALS_…. */
export async function boxOfHeaders(deps: CallerDeps, request: CallOrigin): Promise<CashBoxAccess> {
  const id = header(request, 'cashboxid')
  const token = header(request, 'accesstoken')
  if (id === undefined) throw fail('CREDENTIALS_MISSING', { header: 'cashboxid' })
  if (token === undefined) throw fail('CREDENTIALS_MISSING', { header: 'accesstoken' })
  const access = await deps.credentials.check(id, token)
  if (access !== undefined) {
    request.box = access
    return access
  }
  await deps.failures.failed(id, request.ip)
  throw fail('CREDENTIALS_WRONG')
}
