// Hands every call over HTTP to the list of the last ones: who called, what came, what went. Only
// where there is such a list; nothing here waits for it.
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onErrorHookHandler,
  onSendHookHandler,
} from 'fastify'
import type { CallLog, SeenCall } from '../../core/event/call/log.js'
import { isUuid } from '../../lib/id.js'
import type { CashBoxAccess } from '../../store/rollout/cashboxes.js'
import { traceIdOf } from './trace.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Such a call is not in the list: it reads the list, or comes again and again by itself. */
    unkept?: boolean
  }
  interface FastifyRequest {
    /** Behind the check of the credentials, where a register calls. */
    box?: CashBoxAccess
    /** What the list of the last calls tells of the answer. */
    sent?: Sent
  }
}

interface Sent {
  payload: unknown
  error: Error | undefined
  /** Its media type, where no header of the reply says so. */
  type?: string
}

const OUTSIDE = 'other'
const PORTAL = /^\/portal\//i

export function keepCalls(app: FastifyInstance, log: CallLog): void {
  const failing: onErrorHookHandler = (...[request, , error, done]) => {
    request.sent = { payload: undefined, error }
    done()
  }
  const sending: onSendHookHandler = (...[request, , payload, done]) => {
    if (request.sent === undefined) request.sent = { payload, error: undefined }
    else request.sent.payload = payload
    done(null, payload)
  }
  app.addHook('onError', failing)
  app.addHook('onSend', sending)
  app.addHook('onResponse', (request, reply, done) => {
    const { sent } = request
    if (sent !== undefined && isKept(request) && log.wants()) keep(log, { request, reply, sent })
    done()
  })
  app.addHook('onClose', () => log.settled())
}

/** Calls of somebody, or of somebody who says so; logins of people are nobody's business. */
function isKept({ routeOptions, method, url, headers, dealer, box }: FastifyRequest): boolean {
  if (routeOptions.config.unkept === true || method === 'OPTIONS') return false
  if ((dealer?.account ?? box) !== undefined) return true
  if (PORTAL.test(url)) return false
  return BOXES.some((name) => isId(headers[name])) || isId(headers.accountid)
}

function keep(
  log: CallLog,
  { request, reply, sent }: { request: FastifyRequest; reply: FastifyReply; sent: Sent },
): void {
  const { statusCode: status, elapsedTime: ms } = reply
  const who = whoOf(request)
  const caller = who.cashBoxId ?? who.accountId ?? who.said.cashBoxId ?? who.said.accountId
  if (caller === undefined) return
  const isProven = (who.cashBoxId ?? who.accountId) !== undefined
  const type = sent.type ?? reply.getHeader('content-type')
  // most of many calls are never looked at: what is told of one is read when it is written
  log.take({ caller, isProven, seen: () => seenCall(request, sent, { ...who, status, ms, type }) })
}

function seenCall(
  request: FastifyRequest,
  { payload, error }: Sent,
  { type, ...more }: ReturnType<typeof whoOf> & Pick<SeenCall, 'status' | 'ms'> & { type: unknown },
): SeenCall {
  const { headers, method, url, routeOptions, body } = request
  const isText = typeof payload === 'string' || Buffer.isBuffer(payload)
  const isPortal = PORTAL.test(url)
  return {
    ...more,
    ...{ via: isPortal ? 'portal' : 'program', api: apiOf(request), method },
    ...{ route: routeOptions.url, path: url, error, traceId: traceIdOf(request) },
    headers: isPortal ? portalHeaders(request) : programHeaders(request),
    secrets: SECRETS.map((name) => headers[name]).filter(isSecret),
    body: Buffer.isBuffer(body) || typeof body === 'string' ? body : undefined,
    answer: isText ? payload : undefined,
    isStream: !isText && payload !== undefined && payload !== null,
    answerType: typeof type === 'string' ? type : undefined,
  }
}

function whoOf({ headers, dealer, box }: FastifyRequest) {
  const account = dealer?.authenticated === true ? dealer.account : undefined
  const cashBoxId = box?.cashBoxId ?? account?.till?.cashBoxId
  const accountId = account?.id ?? box?.accountId
  const saidBox = BOXES.map((name) => headers[name])
    .find(isId)
    ?.toLowerCase()
  const saidAccount = isId(headers.accountid) ? headers.accountid.toLowerCase() : undefined
  return { accountId, cashBoxId, said: { accountId: saidAccount, cashBoxId: saidBox } }
}

/** Groups whose calls come through the portal have the names that they have elsewhere. */
function apiOf({ url, routeOptions }: FastifyRequest): string {
  if (/^\/portal\/platform\//i.test(url)) return 'platform'
  return PORTAL.test(url) ? 'dealer' : (routeOptions.config.group ?? OUTSIDE)
}

const BOXES = ['cashboxid', 'x-cashbox-id'] as const
const SECRETS = ['accesstoken', 'x-cashbox-accesstoken', 'x-app-secret', 'authorization'] as const
const LEAST_SECRET = 6
const isId = (value: unknown): value is string => typeof value === 'string' && isUuid(value)
const isSecret = (value: unknown): value is string =>
  typeof value === 'string' && value.length >= LEAST_SECRET

/** Those that change what a call does; who calls stands for itself as a variable. */
const PLAIN = [
  ...['content-type', 'accept', 'accept-language', 'idempotency-key', 'soapaction'],
  ...['x-operation-id', 'x-possystem-id', 'x-terminal-id', 'queueid'],
]
const LONGEST_HEADER = 200
const BOX = ['$CASHBOX_ID', '$CASHBOX_TOKEN'] as const
const ACCOUNT = ['$ACCOUNT_ID', '$ACCOUNT_TOKEN'] as const

function programHeaders({ headers }: FastifyRequest): Record<string, string> {
  const shown: Record<string, string> = {}
  const [id, token] = headers.accountid === undefined ? BOX : ACCOUNT
  if (headers.accountid !== undefined) shown.accountid = id
  if (headers.cashboxid !== undefined) shown.cashboxid = BOX[0]
  if (headers['x-cashbox-id'] !== undefined) shown['x-cashbox-id'] = BOX[0]
  if (headers.accesstoken !== undefined) shown.accesstoken = token
  if (headers['x-cashbox-accesstoken'] !== undefined) shown['x-cashbox-accesstoken'] = BOX[1]
  return { ...shown, ...plainHeaders(headers) }
}

const portalHeaders = ({ headers }: FastifyRequest): Record<string, string> => ({
  ...{ accountid: ACCOUNT[0], accesstoken: ACCOUNT[1] },
  ...plainHeaders(headers),
})

function plainHeaders(headers: FastifyRequest['headers']): Record<string, string> {
  const shown: Record<string, string> = {}
  for (const name of PLAIN) {
    const value = headers[name]
    // what every client sends says nothing
    if (typeof value !== 'string' || value === '*/*' || value === '*') continue
    shown[name] = value.slice(0, LONGEST_HEADER)
  }
  return shown
}
