// The table of operations becomes routes: every spelling of an address, the checks in their order,
// and the methods that an address does not have.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '../../../errors.js'
import { writeJson } from '../../../lib/json-write.js'
import type { Culture } from '../../../lib/language.js'
import {
  findOperator,
  grants,
  type OperatorAccess,
  type Right,
} from '../../../store/account/connections.js'
import { reaching } from '../../../store/client.js'
import type { CashBoxAccess } from '../../../store/rollout/cashboxes.js'
import { traceIdOf } from '../trace.js'
import { refuseOtherMethods } from '../wrong-methods.js'
import { admit, cultureFor } from './admit.js'
import { endsBeforeClose, type Tracked } from './at-work.js'
import type { AccountDeps, Admitted } from './deps.js'
import { handledOnce } from './once.js'
import { Answer, type AnyCall, type Method, type Operation } from './operation.js'
import { type Given, readCall } from './read.js'
import { JSON_TYPE, sendDealerRefusal } from './refusal.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set behind the checks of the headers. */
    dealer: Admitted | null
  }
}

interface Address {
  method: Method
  path: string
  operation: Operation
}

/** A table, and what all its paths begin with: that of the document first. */
export interface Mounting {
  bases: readonly string[]
  operations: readonly Operation[]
}

export function mountOperations(
  app: FastifyInstance,
  deps: AccountDeps,
  { bases, operations }: Mounting,
): void {
  const addresses = operations.flatMap(addressesOf)
  const tracked = endsBeforeClose(app)
  for (const base of bases) {
    for (const address of addresses) mountOne(app, deps, { base, address, tracked })
  }
}

/** Of all operations at once: some of an address read their body in another way than others. */
export function mountWrongMethods(app: FastifyInstance, { bases, operations }: Mounting): void {
  refuseOtherMethods(app, { bases, addresses: operations.flatMap(addressesOf) })
}

/** The address of the document first, then its other spellings. */
export function addressesOf(operation: Operation): Address[] {
  const { method, path, aliases = [] } = operation
  const own = [{ method, path }, ...aliases.map((alias) => ({ method, path, ...alias }))]
  return own.map((one) => ({ ...one, operation }))
}

function mountOne(
  app: FastifyInstance,
  deps: AccountDeps,
  { base, address, tracked }: { base: string; address: Address; tracked: Tracked },
): void {
  const { operation, method, path } = address
  app.route({
    url: base + path,
    method,
    ...(operation.unkept === true ? { config: { unkept: true } } : {}),
    ...(operation.bodyLimit === undefined ? {} : { bodyLimit: operation.bodyLimit }),
    onRequest: async (request) => {
      request.dealer = await admit(deps, operation, request)
    },
    errorHandler: (error, request, reply) => {
      const market = request.dealer?.account?.market
      const { language } = cultureFor(deps, request, market)
      const { problemsOnly, objectsOnly } = operation
      sendDealerRefusal(error, { request, reply }, { language, problemsOnly, objectsOnly })
    },
    handler: (request, reply) =>
      tracked(() => reaching(() => answer(deps, operation, { request, reply }))),
  })
}

interface Exchange {
  request: FastifyRequest
  reply: FastifyReply
}

async function answer(
  deps: AccountDeps,
  operation: Operation,
  exchange: Exchange,
): Promise<FastifyReply> {
  const { request, reply } = exchange
  const call = await calledBy(deps, operation, { ...exchange, given: request })
  return send(reply, operation, await handledOnce(operation, call))
}

/** The call behind all its checks; `given`: path, query and body, of the request or others. */
export async function calledBy(
  deps: AccountDeps,
  operation: Operation,
  { request, reply, given }: Exchange & { given: Given },
): Promise<AnyCall> {
  const { account, authenticated } = request.dealer ?? { account: undefined, authenticated: false }
  const culture = cultureFor(deps, request, account?.market)
  const read = readCall(operation, given, culture.language)
  if (account?.till !== undefined) confine(operation, account.till, read)
  const operator = await operatorOf(deps, operation, {
    accountId: account?.id,
    params: read.params,
  })
  const base = { deps, authenticated, culture, request, reply, ...read, subject: undefined }
  const call = withOwners({ ...base, operation: operation.id }, account, operator)
  if (operator !== undefined) demand(operator, leastOf(operation.right))
  if (operation.find !== undefined) call.subject = await operation.find(call)
  if (operator !== undefined) demand(operator, operation.right ?? 'None')
  return call
}

/** A register asks for itself; whatever else it names is unknown to it. */
function confine(
  { till }: Operation,
  { accountId, cashBoxId, queues }: CashBoxAccess,
  { params, query }: Pick<AnyCall, 'params' | 'query'>,
): void {
  if (till === 'queue' && !queues.some(({ id }) => id === params.id)) {
    throw fail('QUEUE_UNKNOWN', { queue: String(params.id) })
  }
  if (till !== 'list') return
  const { cashBoxId: wanted = cashBoxId, operatorId = accountId } = query
  if (wanted !== cashBoxId) throw fail('CASH_BOX_UNKNOWN', { cashBox: String(wanted) })
  if (operatorId !== accountId) throw fail('OPERATOR_UNKNOWN', { operator: String(operatorId) })
  query.cashBoxId = cashBoxId
}

interface Base extends Omit<AnyCall, 'account' | 'operator' | 'actor'> {
  culture: Culture
  operation: string
}

/** `account` and `operator` throw where there is none: a row that asks for one is wrong. */
function withOwners(
  { operation, ...base }: Base,
  account: Admitted['account'],
  operator: OperatorAccess | undefined,
): AnyCall {
  return {
    ...base,
    get account() {
      if (account === undefined) throw new Error(`${operation} asks nobody who he is`)
      return account
    },
    get operator() {
      if (operator === undefined) throw new Error(`the path of ${operation} names no operator`)
      return operator
    },
    get actor() {
      const accountId = this.account.id
      const onBehalfOf = operator === undefined || operator.id === accountId ? null : operator.id
      const { once } = this
      const { personId } = base.request.dealer ?? {}
      const who = { accountId, personId, apiKeyId: this.account.key?.id }
      return { ...who, onBehalfOf, operation, traceId: traceIdOf(base.request), once }
    },
  }
}

async function operatorOf(
  deps: AccountDeps,
  { right }: Operation,
  { accountId, params }: { accountId: string | undefined; params: Record<string, unknown> },
): Promise<OperatorAccess | undefined> {
  if (right === undefined || accountId === undefined) return undefined
  const operatorId = String(params.posOperatorId)
  const found = await findOperator(deps.store, { accountId, operatorId })
  if (found === undefined) throw fail('OPERATOR_UNKNOWN', { operator: operatorId })
  return found
}

/** Before a right is known to be enough, only who may read learns whether something is there. */
function leastOf(needed: Right | undefined): Right {
  return needed === undefined || needed === 'None' ? 'None' : 'Read'
}

function demand({ right: given }: OperatorAccess, needed: Right): void {
  if (!grants(given, needed)) throw fail('RIGHTS_TOO_LOW', { given, needed })
}

function send(reply: FastifyReply, { success }: Operation, result: unknown): FastifyReply {
  const given = result instanceof Answer ? result : undefined
  void reply.code(given?.status ?? success.status)
  if (given === undefined) {
    if (success.status === 204) return reply.send()
    return reply
      .header('content-type', JSON_TYPE)
      .serializer((text: string) => text)
      .send(writeJson(result ?? null))
  }
  void reply.headers(given.headers).header('content-type', given.contentType)
  const { body } = given
  if (typeof body === 'string') return reply.serializer((text: string) => text).send(body)
  // a stream hears of the end of its connection at once, one around it with its next piece
  const isWhole = Buffer.isBuffer(body) || body instanceof Readable
  return reply.send(isWhole ? body : Readable.from(body, { objectMode: false }))
}
