// Group E, the Receipt API: issued receipts for whoever has their address, and what third-party
// apps do with them. One plugin, mounted by app.ts.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { published } from '../../core/receipts/read.js'
import { mountActions } from './actions.js'
import type { ReceiptDeps, ReceiptFrame } from './deps.js'
import { enter } from './entrance.js'
import { open } from './open.js'
import { mountOtherMethods } from './other-methods.js'
import { calls } from './pages.js'
import {
  choiceOf,
  fixedChoice,
  information,
  isMissing,
  readsPages,
  toInformation,
} from './reader.js'
import { codeOfLink, document, documents, printState } from './reads.js'
import { receiptSettings } from './settings.js'

const UUID = '(^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$)'
const RECEIPT = `/:queueId${UUID}/:queueItemId${UUID}`
/** The versions in front are on labels that were printed long ago. */
const VERSIONS = ['', '/v0', '/v1'] as const

export function receipt(app: FastifyInstance, deps: ReceiptDeps, frame: ReceiptFrame): void {
  app.setErrorHandler(frame.refuse)
  const reads = readsOf(deps, frame)
  for (const version of VERSIONS) {
    const shown = version === ''
    for (const { path, name, handler } of reads) {
      const url = version + path === '' ? '/' : version + path
      app.get(url, { schema: shown ? calls[name] : { hide: true }, handler })
      // other methods of the root belong to other groups
      const own = path === RECEIPT ? ['GET', 'HEAD', 'PUT'] : ['GET', 'HEAD']
      if (path !== '') mountOtherMethods(app, frame, { url, own })
    }
  }
  const actions = VERSIONS.map((version) => ({
    url: version + RECEIPT,
    schema: version === '' ? calls.act : { hide: true },
  }))
  mountActions(app, deps, actions)
  const state = { schema: calls.printState, handler: reading(deps, printState) }
  app.get(`/v0/print${RECEIPT}`, state)
  receiptSettings(app, deps)
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

interface ReadRoute {
  path: string
  name: keyof typeof calls
  handler: Handler
}

function readsOf(deps: ReceiptDeps, frame: ReceiptFrame): ReadRoute[] {
  return [
    {
      ...{ path: '', name: 'enter' },
      handler: (request, reply) => enter(deps, frame, { request, reply }),
    },
    {
      ...{ path: '/receipt-information', name: 'information' },
      handler: async (request, reply) => information(request, reply),
    },
    { path: RECEIPT, name: 'show', handler: showing(deps) },
    { path: `${RECEIPT}/pdf`, name: 'pdf', handler: showing(deps, 'pdf') },
    { path: `${RECEIPT}/png`, name: 'png', handler: showing(deps, 'png') },
    { path: `${RECEIPT}/link/qrcode`, name: 'qrcode', handler: reading(deps, codeOfLink) },
    { path: `${RECEIPT}/documents`, name: 'documents', handler: reading(deps, documents) },
    {
      ...{ path: `${RECEIPT}/documents/:documentId`, name: 'document' },
      handler: reading(deps, document),
    },
  ]
}

type Reading = (
  deps: ReceiptDeps,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply>

function reading(deps: ReceiptDeps, read: Reading): Handler {
  return (request, reply) => read(deps, request, reply)
}

/** `fixed`: the format that the address names; left out: what the reader wants. */
function showing(deps: ReceiptDeps, fixed?: string): Handler {
  return async (request, reply) => {
    const choice = fixed === undefined ? choiceOf(request) : fixedChoice(request, fixed)
    const isPage = choice.format.name === 'html'
    try {
      const address = request.params as { queueId: string; queueItemId: string }
      const found = await published(deps.store, address)
      const handedOn = isPage || fixed !== undefined
      const rest = { features: 0, campaign: undefined, original: undefined }
      return await open(deps, { receipt: found, choice, handedOn, ...rest }, { request, reply })
    } catch (error) {
      if (!isMissing(error) || !isPage || !readsPages(request)) throw error
      return toInformation(deps.address, request, reply)
    }
  }
}
