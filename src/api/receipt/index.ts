// Group E, receipts in a browser: the page behind DocumentURL. One plugin, mounted by app.ts.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { recordDelivery } from '../../core/issue/delivery.js'
import type { RetrievalNotes } from '../../core/issue/journal.js'
import { published } from '../../core/issue/read.js'
import { PUBLIC_FORMATS, type ShowDeps, showReceipt } from '../../core/issue/show.js'
import { FiscalError } from '../../errors.js'
import { type Choice, chooseFormat, chooseLanguage } from '../../render/accept.js'
import { missingPage, type PageLinks, RECEIPT_POLICY } from '../../render/html.js'
import { LANGUAGES } from '../../render/words.js'
import { reaching, type Store } from '../../store/client.js'
import { header } from '../shared/caller.js'
import { queryValue } from '../shared/query.js'
import { type AddressDeps, receiptAddress } from '../shared/receipt-address.js'
import { receiptSettings, type SettingsRouteDeps } from './settings.js'
import { visitOf } from './visit.js'

export interface ReceiptDeps extends ShowDeps, SettingsRouteDeps {
  address: AddressDeps
  store: Store
  now(): Date
  retrievals: Pick<RetrievalNotes, 'soon'>
  /** Words within user agents that fetch previews of links; lower case. */
  robots: readonly string[]
}

const ID = '(^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$)'
/** The versions in front are on labels that were printed long ago. */
const VERSIONS = ['', '/v0', '/v1'] as const

/** Pages of receipts are nobody's but the reader's, and are asked for anew each time. */
const HEADERS = {
  'cache-control': 'private, no-cache',
  'content-security-policy': RECEIPT_POLICY,
  'x-robots-tag': 'noindex, nofollow',
  vary: 'Accept, x-print-width, Accept-Language',
}

export function receipt(app: FastifyInstance, deps: ReceiptDeps): void {
  for (const version of VERSIONS) {
    app.get(`${version}/:queueId${ID}/:queueItemId${ID}`, {
      schema: version === '' ? page : { hide: true },
      handler: (request, reply) => show(deps, request, reply),
    })
  }
  receiptSettings(app, deps)
}

const page = {
  summary: 'Show an issued receipt',
  description:
    'A page, or plain text when `Accept` or `?format=txt` asks for it. Opening it marks the ' +
    'receipt as viewed; with `AppId` it is only noted.',
  tags: ['Receipt'],
  params: {
    type: 'object',
    properties: {
      queueId: { type: 'string', format: 'uuid' },
      queueItemId: { type: 'string', format: 'uuid' },
    },
  },
  querystring: {
    type: 'object',
    properties: {
      format: { type: 'string', enum: PUBLIC_FORMATS.map(({ name }) => name) },
      AppId: { type: 'string', format: 'uuid' },
    },
  },
  response: {
    200: { description: 'The receipt.', content: { 'text/html': { schema: { type: 'string' } } } },
    404: { description: 'There is no such receipt.' },
  },
}

async function show(
  deps: ReceiptDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const address = request.params as { queueId: string; queueItemId: string }
  const choice = choiceOf(request)
  const languages = header(request, 'accept-language')
  void reply.headers(HEADERS)
  try {
    const found = await published(deps.store, address)
    const links = linksOf(deps, request, found)
    const copy = queryValue(request, 'copy') === 'true'
    const shown = await showReceipt(deps, found, { ...choice, languages, links, copy })
    const visit = visitOf(request, deps.robots)
    if (visit !== undefined) {
      const event = { ...visit, moment: deps.now() }
      await reaching(() => recordDelivery(deps.store.pool, found, event))
      if (found.verified) deps.retrievals.soon({ accountId: found.accountId, id: found.queueId })
    }
    return reply.headers(shown.headers).type(shown.contentType).send(shown.body)
  } catch (error) {
    if (!isMissing(error) || !readsPages(request)) throw error
    const language = chooseLanguage(LANGUAGES, languages) ?? 'en'
    return reply.code(404).type('text/html; charset=utf-8').send(missingPage(language))
  }
}

/** What the page leads to: its other formats, and what stands in the mail. */
function linksOf(
  { address }: ReceiptDeps,
  request: FastifyRequest,
  receipt: { queueId: string; queueItemId: string },
): PageLinks {
  return {
    address: receiptAddress(address, request, receipt),
    apps: [],
    hideShare: false,
    hideFeedback: false,
    pdfFirst: false,
  }
}

/** True for browsers: programs are told in their own form. */
function readsPages(request: FastifyRequest): boolean {
  return (header(request, 'accept') ?? '').toLowerCase().includes('text/html')
}

function isMissing(error: unknown): boolean {
  return error instanceof FiscalError && error.code === 'RECEIPT_UNKNOWN'
}

/** What cannot be had becomes the page: a reader is never told about media types. */
function choiceOf(request: FastifyRequest): Choice {
  const printWidth = header(request, 'x-print-width')
  const wish = { accept: header(request, 'accept'), format: queryValue(request, 'format') }
  const found = chooseFormat(PUBLIC_FORMATS, { ...wish, printWidth })
  const usual = { accept: undefined, format: undefined, printWidth }
  const choice = found ?? chooseFormat(PUBLIC_FORMATS, usual)
  if (choice === undefined) throw new Error('there is always a usual format')
  return choice
}
