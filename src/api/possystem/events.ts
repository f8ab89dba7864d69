// GET /instore/events: what devices in the store are told of receipts, as server-sent events.
// Mounted by index.ts.
import type { Readable } from 'node:stream'
import type { Feed, FeedEvent } from '../../core/receipts/instore-events.js'
import { JsonObject, parseJson } from '../../lib/json.js'
import { writeJson } from '../../lib/json-write.js'
import type { CallerDeps } from '../shared/caller.js'
import { header } from '../shared/caller.js'
import { type AddressDeps, receiptAddress } from '../shared/receipt-address.js'
import { STREAM_HEADERS, Telling } from '../shared/telling.js'
import type { PosRead, Respond } from './read.js'

export interface EventsDeps extends Pick<CallerDeps, 'credentials'> {
  feed: Feed
  address: AddressDeps
}

const PING_MS = 15_000
/** A device for which so many bytes wait is told nothing more until it has taken them. */
const MOST_WAITING = 256 * 1024

/** Throws FEED_FULL. */
export function storeEvents(deps: EventsDeps): Respond {
  return async (read) => {
    const answer = { status: 200, headers: STREAM_HEADERS, contentType: 'text/event-stream' }
    if (read.request.method === 'HEAD') return { ...answer, body: '' }
    return { ...answer, body: await openStream(deps, read) }
  }
}

async function openStream(deps: EventsDeps, read: PosRead): Promise<Readable> {
  const { access, query, request, terminalId } = read
  // asked now: what an address needs must not fail while an event is told
  const addressOf = addressing(deps.address, read)
  const telling = new Telling(() => isStillGood(deps, read), MOST_WAITING)
  const stop = await deps.feed.listen({
    ...{ accountId: access.accountId, cashBoxId: access.cashBoxId },
    terminalId: query.get('cbterminalid') ?? terminalId,
    lastEventId: header(request, 'last-event-id') ?? query.get('lasteventid'),
    isReady: () => telling.hasRoom,
    onEvent: (event) => telling.say(textOf(event, addressOf(event))),
    onEnd: () => telling.end(),
  })
  const ping = setInterval(() => telling.ping(), PING_MS)
  // this answer has no end of its own: a device that says goodbye is gone
  const { socket } = request.raw
  const leave = () => socket.destroy()
  socket.once('end', leave)
  telling.stream.once('close', () => {
    socket.off('end', leave)
    clearInterval(ping)
    stop()
  })
  return telling.stream
}

async function isStillGood({ credentials }: EventsDeps, { request }: PosRead): Promise<boolean> {
  const id = header(request, 'x-cashbox-id') ?? ''
  const token = header(request, 'x-cashbox-accesstoken') ?? ''
  try {
    return (await credentials.check(id, token)) !== undefined
  } catch (error) {
    // the database is away: whoever was let in stays
    request.log.debug({ err: error }, 'a listener was not checked again')
    return true
  }
}

type Named = Pick<FeedEvent, 'queueId' | 'queueItemId'>

function addressing(address: AddressDeps, { request }: PosRead): (receipt: Named) => string {
  const { protocol, host } = request
  const of = (receipt: Named): string => receiptAddress(address, { protocol, host }, receipt)
  of({ queueId: '', queueItemId: '' })
  return of
}

function textOf({ id, kind, content, ...ids }: FeedEvent, address: string): string {
  const { queueId, queueItemId } = ids
  const told = contentOf(content)
  const names = { ftQueueID: queueId, ftQueueItemID: queueItemId, DocumentURL: address }
  const item = { ftQueueItemID: queueItemId }
  const data = kind === 'receipt' ? { ...names, ...told } : { ...item, ...told }
  return `id: ${id}\nevent: ${kind}\ndata: ${writeJson(data)}\n\n`
}

function contentOf(content: string | null): object {
  const value = parseJson(content ?? '{}')
  if (!(value instanceof JsonObject)) return {}
  return Object.fromEntries(value.names.map((name, at) => [name, value.values[at]]))
}
