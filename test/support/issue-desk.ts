// The calls of group D about issued receipts, on a server of their own with real operations behind
// them.
import { createHash, randomInt, randomUUID } from 'node:crypto'
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import type { Prepare } from '../../src/api/possystem/call.js'
import {
  type IssueDeps,
  prepareIssue,
  prepareIssueUpdate,
  type UpdateIssuedDeps,
} from '../../src/api/possystem/issue.js'
import {
  codeOfIssued,
  deliveredOfIssued,
  deliveriesOfIssued,
  type IssuedDeps,
  readIssued,
} from '../../src/api/possystem/issued.js'
import { statusOf } from '../../src/api/shared/trace.js'
import type { Operations } from '../../src/core/operation/operation.js'
import { createOperations } from '../../src/core/operation/operations.js'
import type { QueueSend } from '../../src/core/receipts/apply-action.js'
import { FiscalError } from '../../src/errors.js'
import { type CashBoxAccess, findCashBox } from '../../src/store/rollout/cashboxes.js'
import type { Shop } from './shop.js'

export interface Desk {
  app: FastifyInstance
  /** POST with a cash box, an id of its own unless one is given. */
  post(url: string, body: string, options?: DeskOptions): Promise<DeskAnswer>
  put(url: string, body: string, options?: DeskOptions): Promise<DeskAnswer>
  get(url: string, options?: DeskOptions): Promise<DeskAnswer>
  warnings: object[]
  close(): Promise<void>
}

export interface DeskOptions {
  cashBoxId?: string
  operationId?: string
  headers?: Record<string, string>
}

export interface DeskAnswer {
  status: number
  headers: Record<string, unknown>
  text: string
  bytes: Buffer
  json(): Record<string, unknown>
}

/** Messages are a test of their own. */
const noMail: QueueSend = () => Promise.resolve()

const MOST_RUNNERS = 2 ** 31 - 1

export interface DeskSettings {
  acceptExternal?: boolean
  publicUrl?: string | undefined
  now?: () => Date
  queueSend?: QueueSend
}

export async function openDesk(shop: Shop, settings: DeskSettings = {}): Promise<Desk> {
  const { store } = shop.deps
  const warnings: object[] = []
  const now = settings.now ?? (() => new Date())
  const operations = createOperations({
    store,
    runner: randomInt(MOST_RUNNERS),
    now,
    log: { error: () => undefined },
    failureOf: () => ({ status: 500, contentType: 'text/plain', body: '' }),
  })
  const publicUrl = 'publicUrl' in settings ? settings.publicUrl : 'https://r.example'
  const address = { publicUrl, mount: { host: null, prefix: '' } }
  const acceptExternal = settings.acceptExternal ?? true
  const log = { warn: (details: object) => void warnings.push(details) }
  const { retrievals, rendering } = shop.deps
  const issuing = { store, now, acceptExternal, retrievals, log }
  const updating = { store, now, rendering, retrievals, queueSend: settings.queueSend ?? noMail }
  const deps = { store, address, rendering, issuing, updating }
  const app = fastify({ bodyLimit: 8 * 1024 * 1024 })
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof FiscalError)) throw error
    return reply.code(statusOf[error.kind]).send({ code: error.code, detail: error.message })
  })
  mountChanges({ app, shop, operations }, deps)
  mountReads({ app, shop }, deps)
  await app.ready()
  const call = caller(app, shop)
  return {
    app,
    warnings,
    post: (url, body, options) => call('POST', url, { ...options, body }),
    put: (url, body, options) => call('PUT', url, { ...options, body }),
    get: (url, options) => call('GET', url, options),
    close: async () => {
      await app.close()
      await operations.close()
    },
  }
}

interface Place {
  app: FastifyInstance
  shop: Shop
}

function mountChanges(
  { app, shop, operations }: Place & { operations: Operations },
  deps: IssueDeps & UpdateIssuedDeps,
): void {
  const change = async (request: FastifyRequest, prepare: Prepare) => {
    const access = await accessOf(shop, request)
    const bodyText = String(request.body)
    const { accountId, cashBoxId } = access
    const operation = {
      ...{ accountId, cashBoxId, id: String(request.headers['x-operation-id']) },
      ...{ method: request.method, path: request.url, headers: '{}', requestText: bodyText },
      bodyHash: createHash('sha256').update(bodyText).digest(),
    }
    const rest = { posSystemId: '', terminalId: undefined, bodyText, request }
    return operations.run(operation, () => prepare({ access, operation, ...rest }))
  }
  for (const [method, url, prepare] of [
    ['POST', '/issue', prepareIssue(deps)],
    ['PUT', '/issue/:queueId/:itemId', prepareIssueUpdate(deps)],
  ] as const) {
    app.route({
      method,
      url,
      handler: async (request, reply) => {
        const { answer, replayed } = await change(request, prepare)
        const status = replayed && answer.status < 300 ? 200 : answer.status
        return reply.code(status).header('content-type', answer.contentType).send(answer.body)
      },
    })
  }
}

function mountReads({ app, shop }: Place, deps: IssuedDeps): void {
  for (const [url, respond] of [
    ['', readIssued(deps)],
    ['/link/qrcode', codeOfIssued(deps)],
    ['/delivered', deliveredOfIssued(deps)],
    ['/deliveries', deliveriesOfIssued(deps)],
  ] as const) {
    app.get(`/issue/:queueId/:itemId${url}`, async (request, reply) => {
      const access = await accessOf(shop, request)
      const params = request.params as Record<string, string>
      const given = Object.entries(request.query as Record<string, string>)
      const query = new Map(given.map(([name, value]) => [name.toLowerCase(), value]))
      const answer = await respond({ access, request, params, query })
      const { status, headers, contentType, body } = answer
      if (contentType !== undefined) void reply.header('content-type', contentType)
      return reply
        .code(status)
        .headers(headers)
        .send(body === '' ? undefined : body)
    })
  }
}

function caller(app: FastifyInstance, shop: Shop) {
  return async (
    method: 'GET' | 'POST' | 'PUT',
    url: string,
    { body, ...options }: DeskOptions & { body?: string } = {},
  ): Promise<DeskAnswer> => {
    const answer = await app.inject({
      method,
      url,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        'x-cashbox-id': options.cashBoxId ?? shop.box.cashBoxId,
        'x-operation-id': options.operationId ?? randomUUID(),
        ...options.headers,
      },
      ...(body === undefined ? {} : { payload: body }),
    })
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text: answer.body,
      bytes: answer.rawPayload,
      json: () => JSON.parse(answer.body) as Record<string, unknown>,
    }
  }
}

async function accessOf(shop: Shop, request: FastifyRequest): Promise<CashBoxAccess> {
  const access = await findCashBox(shop.deps.store, String(request.headers['x-cashbox-id']))
  if (access === undefined) throw new Error('no such cash box')
  return access
}
