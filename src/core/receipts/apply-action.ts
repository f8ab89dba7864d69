// Does what somebody wants with an issued receipt: content first, then everything that is kept, in
// one transaction of the caller.
import { fail } from '../../errors.js'
import { randomId } from '../../lib/id.js'
import { JsonObject, parseJson } from '../../lib/json.js'
import { textIn } from '../../model/json-members.js'
import type { Format } from '../../render/accept.js'
import type { Store } from '../../store/client.js'
import { isDelivered } from '../../store/receipt/deliveries.js'
import type { IssuedReceipt } from '../../store/receipt/issued.js'
import { insertDocument, MOST_DOCUMENTS } from '../../store/receipt/receipt-documents.js'
import { insertAlias } from '../../store/receipt/receipt-names.js'
import type { Connection } from '../../store/transaction.js'
import type { Action } from './action.js'
import { type DeliveryEvent, type DeliveryMethod, recordDelivery } from './delivery.js'
import { PAIR_DEPTH } from './pair.js'
import { isPathFree, type OwnPlace, pathHere } from './receipt-path.js'
import type { SendWish } from './send-wish.js'
import { type ShowDeps, type Shown, showReceipt } from './show.js'

/** Who wants it: a third-party app, the register, or whoever has the address. */
export interface Actor {
  kind: 'app' | 'pos' | 'customer'
  appId: string | undefined
  userAgent: string | undefined
  /** Network address; only its hash is kept. */
  address: string
}

/** Queues a message on the connection of the transaction that the call is written in. */
export type QueueSend = (on: Connection, wish: SendWish) => Promise<unknown>

export interface ActionDeps extends ShowDeps {
  store: Store
  now(): Date
  queueSend: QueueSend
}

export interface Act {
  receipt: IssuedReceipt
  action: Action
  actor: Actor
  /** Accept-Language */
  languages: string | undefined
  place: OwnPlace
  /** Public address of the receipt. */
  link: string
}

/** What download and print give back. */
export interface Content extends Shown {
  /** For content-disposition. */
  filename: string
}

/** The content that an action gives back; undefined: none. Nothing is kept yet. */
export async function contentOf(deps: ActionDeps, act: Act): Promise<Content | undefined> {
  const { action, receipt, languages } = act
  if (action.action !== 'download' && action.action !== 'print') return undefined
  const isPrint = action.action === 'print'
  const copy = isPrint && (await isDelivered(deps.store.pool, receipt, 'printed'))
  const { format } = action
  const paper = isPrint
    ? { widthMm: action.widthMm, brand: action.brand ?? 'epson', copy }
    : { widthMm: USUAL_MM, copy }
  const wish = { format, languages, ...paper }
  const shown = await showReceipt(deps, receipt, wish)
  return { ...shown, filename: filenameOf(receipt, format) }
}

const USUAL_MM = 80
const EXTENSIONS: Record<string, string> = { escpos: 'bin' }

/** `receipt-ft1-AT0.pdf`: the number of the receipt, as far as names of files may hold it. */
export function filenameOf({ response }: IssuedReceipt, { name }: Format): string {
  const value = parseJson(response, { trailingComma: true, depth: PAIR_DEPTH })
  const number = value instanceof JsonObject ? textIn(value, 'ftReceiptIdentification') : ''
  const plain = number.replace(/[^\w.-]+/g, '-').replace(/^[-.]+|[-.]+$/g, '')
  const part = plain === '' ? '' : `-${plain.slice(0, 60)}`
  return `receipt${part}.${EXTENSIONS[name] ?? name}`
}

/** Writes what an action does. Throws FIELD_INVALID, DOCUMENTS_FULL, MESSAGES_LIMITED:
 * nothing is done then. */
export async function perform(deps: ActionDeps, on: Connection, act: Act): Promise<void> {
  const { action, receipt } = act
  if (action.action === 'link') await bind(deps, on, act)
  if (action.action === 'upload') await keep(deps, on, act)
  if (action.action === 'send') await queue(deps, on, act)
  await recordDelivery(on, receipt, eventOf(act, deps.now()))
}

const METHODS = {
  accept: 'customeraccepted',
  view: 'viewed',
  download: 'downloaded',
  print: 'printed',
  upload: 'uploaded',
} as const satisfies Partial<Record<Action['action'], DeliveryMethod>>

/** Of a message only that it was wanted; its arrival is an event of its own. */
function eventOf({ action, actor }: Act, moment: Date): DeliveryEvent {
  const { action: name } = action
  if (name === 'link') {
    const method = action.handout ? 'customeraccepted' : 'linked'
    return { ...actor, moment, method, counts: action.handout }
  }
  if (name === 'send') return { ...actor, moment, method: action.scheme, counts: false }
  return { ...actor, moment, method: METHODS[name], counts: name !== 'upload' }
}

async function bind(deps: ActionDeps, on: Connection, act: Act): Promise<void> {
  const { action, receipt, actor, place } = act
  if (action.action !== 'link') return
  const path = pathHere(place, action)
  if (path === undefined) return
  const { accountId, queueId, queueItemId } = receipt
  const ids = { accountId, queueId, queueItemId, appId: actor.appId ?? null }
  const free = isPathFree(path)
  const bound = free ? await insertAlias(on, { ...ids, path, createdAt: deps.now() }) : 'taken'
  if (bound === 'bound') return
  const expected = bound === 'taken' ? 'a path that is free' : 'a receipt with fewer paths'
  throw fail('FIELD_INVALID', { field: 'Target.Path', expected })
}

async function keep(deps: ActionDeps, on: Connection, act: Act): Promise<void> {
  const { action, receipt, actor } = act
  if (action.action !== 'upload') return
  const { mediaType, filename, content, hash } = action
  const { accountId, queueId, queueItemId } = receipt
  const kept = await insertDocument(on, {
    ...{ accountId, queueId, queueItemId, id: randomId(), mediaType, filename, content, hash },
    appId: actor.appId ?? null,
    createdAt: deps.now(),
  })
  if (kept === 'full') throw fail('DOCUMENTS_FULL', { most: MOST_DOCUMENTS })
}

async function queue({ queueSend }: ActionDeps, on: Connection, act: Act): Promise<void> {
  const { action, receipt, actor, languages, link } = act
  if (action.action !== 'send') return
  const { scheme, address, attach, send } = action
  await queueSend(on, { receipt, scheme, address, attach, send, link, languages, actor })
}
