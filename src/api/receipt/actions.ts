// PUT /{QueueId}/{QueueItemId}: a third-party app does something with a receipt.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Action, readAction } from '../../core/receipts/action.js'
import { type Act, type Content, contentOf, perform } from '../../core/receipts/apply-action.js'
import { checkApp } from '../../core/receipts/apps.js'
import { published } from '../../core/receipts/read.js'
import { pairText } from '../../core/receipts/shown-pair.js'
import { fail } from '../../errors.js'
import { utf8Text } from '../../lib/text.js'
import { chooseFormat } from '../../render/accept.js'
import { reaching } from '../../store/client.js'
import { inTransaction } from '../../store/transaction.js'
import { ACTION_LIMIT } from '../shared/action-limit.js'
import { header } from '../shared/caller.js'
import { receiptAddress, receiptPlace } from '../shared/receipt-address.js'
import type { ReceiptDeps } from './deps.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set behind the check of the app's credentials; null where a call needs none. */
    receiptApp: string | null
  }
}

/** Credentials are checked before the body is read. */
export function mountActions(
  app: FastifyInstance,
  deps: ReceiptDeps,
  urls: readonly string[],
): void {
  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, end) => {
      end(null, body)
    })
    scope.decorateRequest('receiptApp', null)
    for (const url of urls) {
      scope.put(url, {
        bodyLimit: ACTION_LIMIT,
        onRequest: async (request) => {
          request.receiptApp = await appOf(deps, request)
        },
        handler: (request, reply) => act(deps, request, reply),
      })
    }
    done()
  })
}

/** Throws APP_WRONG, the same for every reason, and CREDENTIALS_LIMITED. */
async function appOf({ store, failures }: ReceiptDeps, request: FastifyRequest): Promise<string> {
  const appId = header(request, 'x-app-id')
  const secret = header(request, 'x-app-secret')
  if (appId === undefined || secret === undefined) throw fail('APP_WRONG')
  const app = await checkApp(store, { appId, secret })
  if (app !== undefined) return app.appId
  await failures.failed(appId, request.ip)
  throw fail('APP_WRONG')
}

async function act(
  deps: ReceiptDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { queueId, queueItemId } = request.params as { queueId: string; queueItemId: string }
  const receipt = await published(deps.store, { queueId, queueItemId })
  const work: Act = {
    receipt,
    action: await readAction(bodyText(request)),
    actor: {
      kind: 'app',
      appId: request.receiptApp ?? undefined,
      userAgent: header(request, 'user-agent'),
      address: request.ip,
    },
    languages: header(request, 'accept-language'),
    place: receiptPlace(deps.address, request),
    link: receiptAddress(deps.address, request, receipt),
  }
  const content = await reaching(() => contentOf(deps, work))
  await reaching(() => inTransaction(deps.store, (client) => perform(deps, client, work)))
  const { accountId, queueId: id, verified } = receipt
  if (verified) deps.retrievals.soon({ accountId, id })
  void reply.header('cache-control', 'private, no-store')
  if (content !== undefined) return sendContent(content, reply)
  return sendDone(deps, work, { request, reply })
}

function bodyText({ body }: FastifyRequest): string {
  const text = utf8Text(Buffer.isBuffer(body) ? body : Buffer.alloc(0))
  if (text === undefined) throw fail('BODY_MALFORMED', { reason: 'the bytes are no UTF-8' })
  return text
}

/** What is to be kept or printed is no page of this server. */
function sendContent(
  { contentType, headers, body, filename }: Content,
  reply: FastifyReply,
): FastifyReply {
  return reply
    .headers(headers)
    .header('content-disposition', `attachment; filename="${filename}"`)
    .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
    .type(contentType)
    .send(body)
}

const DONE: Record<Exclude<Action['action'], 'download' | 'print'>, number> = {
  accept: 204,
  view: 204,
  link: 204,
  send: 201,
  upload: 201,
}

function sendDone(
  { address }: ReceiptDeps,
  { action, receipt }: Act,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): FastifyReply {
  const { action: name } = action
  if (name === 'accept' && wantsJson(request)) {
    const text = pairText(receipt)
    return reply.type('application/json; charset=utf-8').send(text)
  }
  if (name === 'link') {
    const { queueId, queueItemId } = receipt
    void reply.header('location', receiptAddress(address, request, { queueId, queueItemId }))
  }
  return reply.code(name === 'download' || name === 'print' ? 200 : DONE[name]).send()
}

const JSON_FORMAT = {
  name: 'json',
  mediaType: 'application/json',
  contentType: '',
  wide: false,
} as const

/** Unless Accept names other types only. */
function wantsJson(request: FastifyRequest): boolean {
  const wish = { accept: header(request, 'accept'), format: undefined, printWidth: undefined }
  return chooseFormat([JSON_FORMAT], wish) !== undefined
}
