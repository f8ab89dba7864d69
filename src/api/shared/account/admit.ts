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

/** Throws ACCOUNT_CREDENTIALS_WRONG, …_LIMITED, …_MISSING, MARKET_UNSUPPORTED. */
export async function admit(
  deps: AccountDeps,
  operation: Operation,
  request: FastifyRequest,
): Promise<Admitted> {
  if (operation.access === 'open') return NOBODY
  const admitted = await (deps.admitted?.(request, operation) ?? identify(deps, operation, request))
  const { account } = admitted
  // a refusal from here on speaks the language of his market
  request.dealer = admitted
  if (account === undefined) return admitted
  await deps.calls.called(account.id)
  const { posOperatorId } = Object(request.params) as { posOperatorId?: unknown }
  demandRole(deps, operation, { account, posOperatorId })
  return admitted
}

/**
 * Throws TILL_REFUSED, SCOPE_MISSING, DEALER_ROLE_MISSING, AUTO_INVITE_ROLE_MISSING,
 * MARKET_UNSUPPORTED.
 */
export function demandRole(
  deps: AccountDeps,
  operation: Operation,
  { account, posOperatorId }: { account: AccountIdentity; posOperatorId: unknown },
): void {
  if (account.till !== undefined && operation.till === undefined) throw fail('TILL_REFUSED')
  demandScope(operation, account)
  // what a dealer does for a merchant, the merchant does for itself
  const own = operation.right !== undefined && String(posOperatorId).toLowerCase() === account.id
  const free = own || (operation.access !== 'dealer' && operation.access !== 'account')
  if (!free && !account.roles.includes(DEALER)) throw fail('DEALER_ROLE_MISSING')
  if (operation.autoInvite === true && !account.autoInvite) throw fail('AUTO_INVITE_ROLE_MISSING')
  const { capability } = operation
  if (capability !== undefined && !has(deps, account, capability)) {
    throw fail('MARKET_UNSUPPORTED', { market: account.market })
  }
}

/** Throws SCOPE_MISSING, for callers with an API key that is not for this. */
function demandScope({ group, method, credentials }: Operation, { key }: AccountIdentity): void {
  if (key === undefined || key.scopes.includes('all')) return
  const reads = method === 'GET'
  const fits = (scope: string) => scope === `${group}:write` || (reads && scope === `${group}:read`)
  if (credentials !== true && key.scopes.some(fits)) return
  const needed = credentials === true ? 'all' : `${group}:${reads ? 'read' : 'write'}`
  throw fail('SCOPE_MISSING', { given: key.scopes.join(', '), needed })
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
  if (isTill(deps, request)) {
    const account = await tillOf(deps, request)
    if (account !== undefined) return { account, authenticated: true }
    await deps.failures.failed(header(request, 'cashboxid') ?? '', request.ip)
    throw fail('ACCOUNT_CREDENTIALS_WRONG')
  }
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

const isTill = ({ boxes }: AccountDeps, request: FastifyRequest): boolean =>
  boxes !== undefined &&
  header(request, 'accountid') === undefined &&
  header(request, 'cashboxid') !== undefined

/** Who sends these credentials, of an account or of a register; undefined: nobody. */
export function callerOf(
  deps: AccountDeps,
  request: FastifyRequest,
): Promise<AccountIdentity | undefined> {
  if (isTill(deps, request)) return tillOf(deps, request)
  const id = plainId(header(request, 'accountid')) ?? ''
  return deps.accounts.check(id, header(request, 'accesstoken') ?? '')
}

/** The account of a register that calls for itself. */
async function tillOf(
  { boxes, accounts }: AccountDeps,
  request: FastifyRequest,
): Promise<AccountIdentity | undefined> {
  const id = plainId(header(request, 'cashboxid')) ?? ''
  const till = await boxes?.check(id, header(request, 'accesstoken') ?? '')
  const account = till && (await accounts.ofAccount(till.accountId))
  return account && { ...account, till }
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
