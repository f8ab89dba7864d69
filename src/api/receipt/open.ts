// Somebody opens a receipt: found, shown or handed to an app, and noted.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { shareAddress, shareApps } from '../../core/receipts/apps.js'
import { recordDelivery } from '../../core/receipts/delivery.js'
import { type Shown, showReceipt } from '../../core/receipts/show.js'
import { NO_BRANDING } from '../../model/branding.js'
import type { Choice } from '../../render/accept.js'
import { strongTag } from '../../render/etag.js'
import type { PageLinks } from '../../render/html.js'
import { reaching } from '../../store/client.js'
import type { IssuedReceipt } from '../../store/receipt/issued.js'
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

interface Turn {
  request: FastifyRequest
  reply: FastifyReply
}

/** Notes the visit when there is something to see: shown, not changed since, or handed on. */
export async function open(
  deps: ReceiptDeps,
  opening: Opening,
  { request, reply }: Turn,
): Promise<FastifyReply> {
  const { receipt, choice } = opening
  const { over, links } = await linksOf(deps, opening, request)
  if (over !== undefined) {
    await note(deps, opening, request)
    return redirect(reply, over)
  }
  const languages = header(request, 'accept-language')
  const copy = queryValue(request, 'copy')?.toLowerCase() === 'true'
  const shown = await showReceipt(deps, receipt, { ...choice, languages, copy, links })
  await note(deps, opening, request)
  return sendShown(shown, { request, reply })
}

/** What `f` asks for. */
const HIDE_SHARE = 1
const HIDE_FEEDBACK = 2
const PDF_FIRST = 4

/** What the page leads to; `over`: where the reader is sent instead, unless an app itself calls. */
async function linksOf(
  { store, production, address }: ReceiptDeps,
  { receipt, handedOn, original, features }: Opening,
  request: FastifyRequest,
): Promise<{ over: string | undefined; links: PageLinks }> {
  const { queueId, queueItemId, files, branding = NO_BRANDING } = receipt
  const own = receiptAddress(address, request, { queueId, queueItemId })
  const { feedbackAppId = '', shareAppIds, showFeedback, wallets } = branding
  const apps = await shareApps(store, [feedbackAppId, ...shareAppIds], production)
  const hrefOf = (shareUrl: string): string => shareAddress(shareUrl, original ?? own)
  const main = apps.find(({ appId }) => appId === feedbackAppId.toLowerCase())
  const over = main === undefined ? undefined : hrefOf(main.shareUrl)
  const wanted = new Set(shareAppIds.map((id) => id.toLowerCase()))
  const offered = new Map(apps.map((app) => [app.appId, app]))
  const app = appOf(request)
  const links: PageLinks = {
    address: own,
    // who came back from the app must not be sent there again
    query: over === undefined || app === undefined ? '' : `?AppId=${app}`,
    apps: [...offered.values()]
      .filter(({ appId }) => wanted.has(appId))
      .map(({ name, shareUrl }) => ({ name, href: hrefOf(shareUrl) })),
    wallets,
    files: files.map(({ id, filename, size }) => {
      return { name: filename, href: `${own}/documents/${id}`, size }
    }),
    feedback: showFeedback ? over : undefined,
    hideShare: (features & HIDE_SHARE) !== 0,
    hideFeedback: (features & HIDE_FEEDBACK) !== 0,
    pdfFirst: (features & PDF_FIRST) !== 0,
  }
  return { over: handedOn && app === undefined ? over : undefined, links }
}

export async function note(
  { store, robots, now, retrievals }: ReceiptDeps,
  { receipt, campaign }: Pick<Opening, 'receipt' | 'campaign'>,
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
function sendShown(shown: Shown, { request, reply }: Turn): FastifyReply {
  const { contentType, headers, body, etag = strongTag(Buffer.from(shown.body)) } = shown
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
