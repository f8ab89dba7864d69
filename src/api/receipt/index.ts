// Group E, the Receipt API: issued receipts for whoever has their address, and what third-party
// apps do with them. One plugin, mounted by app.ts.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { published } from '../../core/receipts/read.js'
import type { ApiRoute } from '../shared/openapi/route.js'
import { mountActions } from './actions.js'
import type { ReceiptDeps, ReceiptFrame } from './deps.js'
import { enter } from './entrance.js'
import { mountGuest } from './guest.js'
import { open } from './open.js'
import { mountOtherMethods } from './other-methods.js'
import {
  choiceOf,
  fixedChoice,
  information,
  isMissing,
  readsPages,
  toInformation,
} from './reader.js'
import { codeOfLink, document, documents, printState as readPrintState } from './reads.js'
import { receiptSettings } from './settings.js'
import { act, guestRows, printState, RECEIPT, type ReadName, reads, settings } from './table.js'
import { wallet } from './wallet.js'

export function receipt(app: FastifyInstance, deps: ReceiptDeps, frame: ReceiptFrame): void {
  app.setErrorHandler(frame.refuse)
  const handlers = handlersOf(deps, frame)
  for (const { name, route } of reads) {
    for (const path of addressesOf(route)) {
      // `/v1/` is `/v1`
      const url = path.replace(/(.)\/$/, '$1')
      app.get(url, { handler: handlers[name] })
      // other methods of the root belong to other groups
      const own = route.path === RECEIPT ? ['GET', 'HEAD', 'PUT'] : ['GET', 'HEAD']
      if (name !== 'enter') mountOtherMethods(app, frame, { url, own })
    }
  }
  mountActions(app, deps, addressesOf(act))
  mountGuest(app, deps, {
    frame,
    urls: { send: addressesOf(guestRows.send), note: addressesOf(guestRows.note) },
  })
  app.get(printState.path, { handler: reading(deps, readPrintState) })
  receiptSettings(app, deps, addressesOf(settings))
}

const addressesOf = ({ path, also = [] }: ApiRoute): string[] => [path, ...also]

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

function handlersOf(deps: ReceiptDeps, frame: ReceiptFrame): Record<ReadName, Handler> {
  return {
    enter: (request, reply) => enter(deps, frame, { request, reply }),
    information: async (request, reply) => information(request, reply),
    show: showing(deps),
    pdf: showing(deps, 'pdf'),
    png: showing(deps, 'png'),
    qrcode: reading(deps, codeOfLink),
    wallet: reading(deps, wallet),
    documents: reading(deps, documents),
    document: reading(deps, document),
  }
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
