// Somebody opens a receipt: found, shown or handed to an app, and noted. Called by index.ts and
// entrance.ts.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { shareAddress, shareApps } from '../../core/issue/apps.js'
import { recordDelivery } from '../../core/issue/delivery.js'
import { type Shown, showReceipt } from '../../core/issue/show.js'
import { sha256 } from '../../lib/hash.js'
import type { Choice } from '../../render/accept.js'
import { reaching } from '../../store/client.js'
import type { IssuedReceipt } from '../../store/issued.js'
import { header } from '../shared/caller.js'
import { queryValue } from '../shared/query.js'
import { receiptAddress } from '../shared/receipt-address.js'
import type { ReceiptDeps } from './deps.js'
import { READER_HEADERS, redirect } from './reader.js'
import { appOf, visitOf } from './visit.js'

export interface Opening {
  receipt: IssuedReceipt
  choice: Choice
  /** True for pages and for addresses that name their format: an app may take these over. */
  handedOn: boolean
  /** What the link asks for (`f`); 0: nothing. */
  features: number
  campaign: string | undefined
  /** What an app is told instead of the address of the two ids. */
  original: string | undefined
}

/** Notes the visit when there is something to see: shown, not changed since, or handed on. */
export async function open(
  deps: ReceiptDeps,
  opening: Opening,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const { receipt, choice, features } = opening
  const target = await handOver(deps, opening, request)
  if (target !== undefined) {
    await note(deps, opening, request)
    return redirect(reply, target)
  }
  const languages = header(request, 'accept-language')
  const copy = queryValue(request, 'copy')?.toLowerCase() === 'true'
  const wish = { ...choice, languages, copy, features }
  const shown = await showReceipt(deps, receipt, wish)
  await note(deps, opening, request)
  return sendShown(shown, { request, reply })
}

/** The registered address of the app that takes over; undefined for calls by apps themselves. */
async function handOver(
  { redirectAppOf, store, production, address }: ReceiptDeps,
  { receipt, handedOn, original }: Opening,
  request: FastifyRequest,
): Promise<string | undefined> {
  if (!handedOn || appOf(request) !== undefined) return undefined
  const appId = await redirectAppOf(receipt)
  if (appId === undefined) return undefined
  const [app] = await shareApps(store, [appId], production)
  if (app === undefined) return undefined
  const { queueId, queueItemId } = receipt
  const uri = original ?? receiptAddress(address, request, { queueId, queueItemId })
  return shareAddress(app.shareUrl, uri)
}

async function note(
  { store, robots, now, retrievals }: ReceiptDeps,
  { receipt, campaign }: Opening,
  request: FastifyRequest,
): Promise<void> {
  const visit = visitOf(request, robots)
  if (visit === undefined) return
  const event = { ...visit, moment: now(), campaign }
  await reaching(() => recordDelivery(store.pool, receipt, event))
  const { accountId, queueId, verified } = receipt
  if (verified) retrievals.soon({ accountId, id: queueId })
}

/** With its ETag; without its bytes for whoever has the same ones. */
function sendShown(
  { contentType, headers, body }: Shown,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): FastifyReply {
  const etag = headers.etag ?? `"${sha256(body).toString('base64url')}"`
  void reply.headers({ ...READER_HEADERS, ...headers, etag })
  if (isKnown(header(request, 'if-none-match'), etag)) return reply.code(304).send()
  return reply.type(contentType).send(body)
}

/** If-None-Match: any of its tags, weak or not. */
function isKnown(given: string | undefined, etag: string): boolean {
  if (given === undefined) return false
  return given.split(',').some((one) => {
    const tag = one.trim().replace(/^W\//, '')
    return tag === '*' || tag === etag
  })
}
