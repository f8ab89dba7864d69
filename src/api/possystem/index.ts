// Group D, the PosSystem API 2.1: one plugin, mounted by app.ts.
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  RouteOptions,
} from 'fastify'
import { keptText } from '../../core/receipts/update.js'
import { fail } from '../../errors.js'
import { isUuid } from '../../lib/id.js'
import { ACTION_LIMIT } from '../shared/action-limit.js'
import { header } from '../shared/caller.js'
import { readBodies } from '../shared/encoding.js'
import { abortOperation } from './abort.js'
import { bodyText } from './body.js'
import type { Perform, Prepare } from './call.js'
import { Callers } from './callers.js'
import { addCors, sendPreflight } from './cors.js'
import type { PosSystemDeps } from './deps.js'
import { prepareEcho } from './echo.js'
import { headOf, type Needs, type PosHead } from './headers.js'
import { exportJournal } from './journal.js'
import { lookUpOne, lookUpReference } from './look-up.js'
import { pair, pairInStore } from './pair.js'
import { readPayResponse } from './pay-response.js'
import { sendProblem } from './problem.js'
import { type PosRead, type Respond, sendAnswer } from './read.js'
import { readRecord } from './record.js'
import { type Mounting, mountRoutes, type PosRoute } from './routes.js'
import { type Operated, posCallOf, preparing, type RunDeps, runOperation, waiting } from './run.js'
import { possystemTable } from './table.js'
import { launcherRoutes } from './table-older.js'
import { callOf, VERSION } from './table-parts.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set behind the checks of the headers; null where a call needs none. */
    posHead: PosHead | null
  }
}

type DoorDeps = PosSystemDeps & RunDeps

/** `shared`: group B stands at the same place. */
export function possystem(app: FastifyInstance, given: PosSystemDeps, shared: boolean): void {
  const deps: DoorDeps = { ...given, callers: new Callers(given.settings.waitMaxMs) }
  app.setErrorHandler(sendProblem)
  // bodies are read by the operations: what is repeated must be compared byte by byte
  readBodies(app)
  app.addHook('onRequest', (request, _reply, done) => {
    // Fastify refuses an empty type; for us it is a missing one
    if (request.headers['content-type']?.trim() === '') delete request.headers['content-type']
    done()
  })
  app.decorateRequest('posHead', null)
  if (deps.settings.cors) addCors(app)
  endWaits(app, deps.callers)
  const preflight: Mounting['preflight'] = deps.settings.cors ? sendPreflight : undefined
  mountRoutes(app, posRoutes(deps), { shared, preflight })
  mountLegacy(app, deps)
  app.addHook('preClose', (done) => {
    deps.parts.endEvents?.()
    done()
  })
}

/** What a stopping server gives those who wait for an answer; a payment may take minutes. */
const STOP_MS = 4_000

/** They lose their connection, and repeat the call with another server, or with this one later. */
function endWaits(app: FastifyInstance, callers: Callers): void {
  app.addHook('preClose', (done) => {
    setTimeout(() => callers.sendAway(), STOP_MS).unref()
    done()
  })
}

/** A receipt, and a pair of request and response; other bodies have the limit of the app. */
const SIGN_LIMIT = 2 * 1024 * 1024
const ISSUE_LIMIT = 4 * 1024 * 1024
const BODY_LIMIT = 256 * 1024

/** Every row of the table that this server serves, under each of its addresses. */
function posRoutes(deps: DoorDeps): PosRoute[] {
  const calls = callsOf(deps)
  return possystemTable.routes.flatMap((row) => {
    const call = calls[callOf(row)]
    if (call === undefined) return []
    const { method, path } = row
    return [path.slice(VERSION.length), ...(row.also ?? [])].map((one) =>
      routeOf(deps, { ...call, method, path: one }),
    )
  })
}

const RECEIPT = '/issue/:queueId/:itemId'

/** What a row of the table does, by its method and address. */
function callsOf(deps: DoorDeps): Record<string, Call | undefined> {
  const { parts } = deps
  return {
    'POST /echo': operation(deps, { prepare: prepareEcho(deps) }),
    'POST /pay': operation(deps, { prepare: parts.pay, isReal: true }),
    'POST /PayResponse': { needs: 'operation', handler: payResult(deps) },
    'POST /sign': signing(deps),
    'POST /issue': operation(deps, { prepare: parts.issue, bodyLimit: ISSUE_LIMIT, isReal: true }),
    [`PUT ${RECEIPT}`]: operation(deps, {
      ...{ prepare: parts.updateIssued, bodyLimit: ACTION_LIMIT },
      ...{ onSend: linked(deps), kept: keptText },
    }),
    [`GET ${RECEIPT}`]: read(parts.readIssued),
    [`GET ${RECEIPT}/link/qrcode`]: read(parts.qrCode),
    [`GET ${RECEIPT}/delivered`]: read(parts.delivered),
    [`GET ${RECEIPT}/deliveries`]: read(parts.deliveries),
    [`GET ${RECEIPT}/link`]: read(parts.link),
    [`GET ${RECEIPT}/documents`]: read(parts.documents),
    [`GET ${RECEIPT}/documents/:documentId`]: read(parts.document),
    'GET /instore/events': read(parts.events),
    'POST /journal': { needs: 'journal', handler: journal(deps) },
    'GET /journal/OperationItem/:id': { needs: 'operation', handler: reading(readRecord(deps)) },
    'GET /operation/:id': read(lookUpOne(deps)),
    'POST /operation/:id/abort': read(abortOperation(deps)),
    'GET /operation': read(lookUpReference(deps)),
    'POST /pair': { needs: 'nothing', handler: pairing(deps, pair) },
    'POST /api/instore/pair': { needs: 'nothing', handler: pairing(deps, pairInStore) },
  }
}

function mountLegacy(app: FastifyInstance, { parts: { legacy } }: DoorDeps): void {
  if (legacy === undefined) return
  for (const word of ['print', 'response'] as const) {
    app.post(launcherRoutes[word].path, {
      bodyLimit: word === 'print' ? ISSUE_LIMIT : BODY_LIMIT,
      handler: async (request, reply) => sendAnswer(reply, await legacy[word](request)),
    })
  }
}

/** How a call is done, whatever its address. */
interface Call {
  needs: Needs
  bodyLimit?: number
  onSend?: NonNullable<RouteOptions['onSend']>
  /** False where no answer is long. */
  compress?: false
  handler: RouteOptions['handler']
}

/** What a link was made for is told in a header; a repetition tells it again. */
function linked({ parts }: DoorDeps): NonNullable<RouteOptions['onSend']> {
  return (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
    if (reply.statusCode === 204) void reply.headers(parts.linkHeaders?.(request) ?? {})
    return Promise.resolve(payload)
  }
}

/** The headers are checked before the body is read. */
function routeOf(deps: PosSystemDeps, { needs, ...route }: Call & PosRoute): PosRoute {
  if (needs === 'nothing') return route
  // not async: one promise less for every call
  const onRequest: onRequestHookHandler = (request, reply, done) => {
    const id = needs !== 'cashbox' ? header(request, 'x-operation-id') : undefined
    if (id !== undefined && isUuid(id)) void reply.header('x-operation-id', id)
    headOf(deps, request, needs).then((head) => {
      request.posHead = head
      done()
    }, done)
  }
  return { ...route, onRequest }
}

type OperationCall = Omit<Call, 'needs' | 'handler'> &
  Pick<Operated, 'kept'> & {
    prepare?: Prepare | undefined
    perform?: Perform | undefined
    /** There is no trying of money, and none of what the world then sees. */
    isReal?: boolean
  }

/** Undefined while nobody serves it: the address does not exist then. */
function operation(
  deps: DoorDeps,
  { prepare, perform: given, kept, isReal = false, ...call }: OperationCall,
): (Call & { handler: Handler }) | undefined {
  const perform = given ?? (prepare && preparing(deps.operations, prepare))
  if (perform === undefined) return undefined
  const handler: Handler = (request, reply) => {
    if (isReal && isDryRun(request)) throw fail('HEADER_INVALID', NOT_TRIED)
    return runOperation(deps, { head: headFor(request), perform, kept }, { request, reply })
  }
  return { ...call, compress: false, needs: 'operation', handler }
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** The only operation that can be tried. */
function signing(deps: DoorDeps): Call | undefined {
  const call = operation(deps, { perform: deps.parts.sign, bodyLimit: SIGN_LIMIT })
  if (call === undefined) return undefined
  const dryRun = reading(deps.parts.dryRun ?? refuseDryRun, true)
  const handler: Handler = (request, reply) =>
    isDryRun(request) ? dryRun(request, reply) : call.handler(request, reply)
  return { ...call, handler }
}

const NOT_TRIED = {
  header: 'x-dry-run',
  expected: 'no such header here, because this call cannot be tried without doing it',
}

/** Throws HEADER_INVALID for a word of which nobody knows whether it was meant. */
function isDryRun(request: FastifyRequest): boolean {
  const word = header(request, 'x-dry-run')?.toLowerCase() ?? 'false'
  if (word === 'true' || word === 'false') return word === 'true'
  throw fail('HEADER_INVALID', { header: 'x-dry-run', expected: 'true, false or nothing' })
}

/** A receipt that was to be tried must not be signed. */
const refuseDryRun: Respond = () => {
  throw fail('HEADER_INVALID', { header: 'x-dry-run', expected: 'no such header on this server' })
}

function read(respond: Respond | undefined): Call | undefined {
  return respond === undefined ? undefined : { needs: 'cashbox', handler: reading(respond) }
}

function reading(respond: Respond, withBody = false) {
  return async (request: FastifyRequest, reply: FastifyReply) =>
    sendAnswer(reply, await respond(readOf(request, withBody ? bodyText(request) : '')))
}

function payResult(deps: DoorDeps) {
  return (request: FastifyRequest, reply: FastifyReply) =>
    waiting(deps, reply, async (leaving) => {
      const { access, operationId: id } = headFor(request)
      const { accountId, cashBoxId } = access
      return sendAnswer(reply, await readPayResponse(deps, { accountId, cashBoxId, id }, leaving))
    })
}

function journal(deps: DoorDeps) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const call = posCallOf(headFor(request), request)
    return sendAnswer(reply, await exportJournal(deps, call))
  }
}

function pairing(deps: PosSystemDeps, redeem: typeof pair) {
  return async (request: FastifyRequest, reply: FastifyReply) =>
    sendAnswer(reply, await redeem(deps, request))
}

function headFor({ posHead }: FastifyRequest): PosHead {
  if (posHead === null) throw new Error('the headers of this call were not checked')
  return posHead
}

function readOf(request: FastifyRequest, body: string): PosRead {
  const { access, posSystemId, terminalId } = headFor(request)
  const params = request.params as Record<string, string>
  const query = queryOf(request)
  return { access, params, query, posSystemId, terminalId, bodyText: body, request }
}

/** Names in lower case; of a doubled one the last value. */
function queryOf(request: FastifyRequest): Map<string, string> {
  return new Map(
    Object.entries(request.query as Record<string, unknown>).map(([name, value]) => [
      name.toLowerCase(),
      String(Array.isArray(value) ? value.at(-1) : value),
    ]),
  )
}
