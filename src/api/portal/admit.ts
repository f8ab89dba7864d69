// Who calls from the portal: the session of the cookie takes the place of account id and token.
import type { FastifyRequest } from 'fastify'
import type { AccountCredentials } from '../../core/accounts/account-credentials.js'
import { csrfFits, type Session, type Sessions } from '../../core/accounts/people/sessions.js'
import { fail } from '../../errors.js'
import type { EmployeeRole } from '../../store/account/people.js'
import { reaching } from '../../store/client.js'
import type { Admitted } from '../shared/account/deps.js'
import { header } from '../shared/caller.js'
import { sessionToken } from './cookie.js'

const READS = new Set(['GET', 'HEAD'])
const ORDER: readonly EmployeeRole[] = ['None', 'Reader', 'Member', 'Administrator']

/** Throws SESSION_MISSING, CSRF_WRONG, ACCOUNT_CHANGED. */
export async function sessionOf(
  { sessions }: { sessions: Sessions },
  request: FastifyRequest,
): Promise<Session> {
  const token = sessionToken(request)
  const session = token === undefined ? undefined : await reaching(() => sessions.find(token))
  if (session === undefined) throw fail('SESSION_MISSING')
  const reads = READS.has(request.method)
  if (!reads && (isForeign(request) || !csrfFits(session, header(request, 'x-csrf-token')))) {
    throw fail('CSRF_WRONG')
  }
  const account = header(request, 'x-account')
  // a download that a link opens cannot name it
  const named = account !== undefined || !reads
  if (named && session.accountId !== null && account !== session.accountId) {
    throw fail('ACCOUNT_CHANGED')
  }
  return session
}

/** Browsers say where a call comes from, and pages cannot change that. */
export function isForeign(request: FastifyRequest): boolean {
  const site = header(request, 'sec-fetch-site')
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

/** Throws ROLE_TOO_LOW. */
export function demandRole({ role }: Session, needed: EmployeeRole): void {
  const given = role ?? 'None'
  if (ORDER.indexOf(given) < ORDER.indexOf(needed)) throw fail('ROLE_TOO_LOW', { given, needed })
}

/** Throws CONFIRM_NEEDED. */
export function demandConfirmed({ confirmed }: Session): void {
  if (!confirmed) throw fail('CONFIRM_NEEDED')
}

interface SessionAdmission {
  sessions: Sessions
  accounts: AccountCredentials
  environment: 'sandbox' | 'production'
}

/** What of an operation decides who may call it. */
interface Wanted {
  credentials?: boolean
  confirmed?: boolean
  publishes?: boolean
  method?: string
}

/** For the operations of groups A and F: whoever may read may read, who may write may write. */
export function admitSession(deps: SessionAdmission) {
  return async (request: FastifyRequest, operation?: Wanted): Promise<Admitted> => {
    const session = await sessionOf(deps, request)
    // of the operation, where another one asks whether it may be called
    const reads = READS.has(operation?.method ?? request.method)
    demandRole(session, reads ? 'Reader' : 'Member')
    if (operation?.credentials === true) {
      demandRole(session, 'Administrator')
      // what is shown tells no secret
      if (!reads) demandConfirmed(session)
    }
    const publishes = operation?.publishes === true && deps.environment === 'production'
    if (operation?.confirmed === true || publishes) demandConfirmed(session)
    const account =
      session.accountId === null ? undefined : await deps.accounts.ofAccount(session.accountId)
    if (account === undefined) throw fail('SESSION_MISSING')
    return { account, authenticated: true, personId: session.personId }
  }
}
