// Who calls, and whether this operation is for him at all: 401, 429 and 403, before a byte of the
// body is read.
import type { FastifyRequest } from 'fastify'
import type { AccountIdentity } from '../../../core/accounts/account-credentials.js'
import { fail } from '../../../errors.js'
import { acceptedCulture, type Culture, cultureOf, ENGLISH } from '../../../lib/language.js'
import { header } from '../caller.js'
import type { AccountDeps, Admitted } from './deps.js'
import type { Operation } from './operation.js'

const DEALER = 'PosDealer'
const NOBODY: Admitted = { account: undefined, authenticated: false }

/** Throws ACCOUNT_CREDENTIALS_WRONG, CREDENTIALS_LIMITED, ACCOUNT_LIMITED, …_MISSING, MARKET_…. */
export async function admit(
  deps: AccountDeps,
  operation: Operation,
  request: FastifyRequest,
): Promise<Admitted> {
  if (operation.access === 'open') return NOBODY
  const admitted = await (deps.admitted?.(request) ?? identify(deps, operation, request))
  const { account } = admitted
  // a refusal from here on speaks the language of his market
  request.dealer = admitted
  if (account === undefined) return admitted
  await deps.calls.called(account.id)
  const free = operation.access === 'any'
  if (!free && !account.roles.includes(DEALER)) throw fail('DEALER_ROLE_MISSING')
  if (operation.autoInvite === true && !account.autoInvite) throw fail('AUTO_INVITE_ROLE_MISSING')
  const { capability } = operation
  if (capability !== undefined && !has(deps, account, capability)) {
    throw fail('MARKET_UNSUPPORTED', { market: account.market })
  }
  return admitted
}

function has(
  deps: AccountDeps,
  { market }: AccountIdentity,
  capability: NonNullable<Operation['capability']>,
): boolean {
  return deps.factsOf(market)?.capabilities[capability] === true
}

async function identify(
  deps: AccountDeps,
  { access }: Operation,
  request: FastifyRequest,
): Promise<Admitted> {
  const id = plainId(header(request, 'accountid'))
  const token = header(request, 'accesstoken')
  if (id === undefined) throw fail('ACCOUNT_CREDENTIALS_WRONG')
  if (token === undefined) {
    const account = access === 'account' ? await deps.accounts.ofAccount(id) : undefined
    // without a token nobody learns which accounts there are beside dealers
    if (account?.roles.includes(DEALER)) return { account, authenticated: false }
    if (access === 'account') await deps.failures.failed(id, request.ip)
    throw fail('ACCOUNT_CREDENTIALS_WRONG')
  }
  const account = await deps.accounts.check(id, token)
  if (account !== undefined) return { account, authenticated: true }
  await deps.failures.failed(id, request.ip)
  throw fail('ACCOUNT_CREDENTIALS_WRONG')
}

/** Without braces. */
function plainId(text: string | undefined): string | undefined {
  return text?.replace(/^\{(.*)\}$/, '$1')
}

/** The language asked for, else that of the account's market, else English. */
export function cultureFor(
  deps: Pick<AccountDeps, 'factsOf'>,
  request: FastifyRequest,
  market: string | undefined,
): Culture {
  const asked = acceptedCulture(header(request, 'accept-language'))
  if (asked !== undefined) return asked
  const usual = market === undefined ? undefined : deps.factsOf(market)?.culture
  return (usual === undefined ? undefined : cultureOf(usual)) ?? ENGLISH
}
