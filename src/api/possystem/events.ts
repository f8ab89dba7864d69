// GET /instore/events: what devices in the store are told of receipts, as server-sent events.
// Mounted by index.ts.
import { Readable } from 'node:stream'
import type { Feed, FeedEvent } from '../../core/issue/feed.js'
import { JsonObject, parseJson } from '../../lib/json.js'
import { writeJson } from '../../lib/json-write.js'
import type { CallerDeps } from '../shared/caller.js'
import { header } from '../shared/caller.js'
import { type AddressDeps, receiptAddress } from '../shared/receipt-address.js'
import type { PosRead, Respond } from './read.js'

export interface EventsDeps extends Pick<CallerDeps, 'credentials'> {
  feed: Feed
  address: AddressDeps
}

const PING_MS = 15_000
/** What a browser or device waits before it comes back. */
const RETRY = 'retry: 3000\n\n'
/** A device that takes nothing for so many bytes is let go; it comes back with Last-Event-ID. */
const MOST_WAITING = 256 * 1024

const HEADERS = {
  'cache-control': 'no-store',
  // proxies hold answers back otherwise
  'x-accel-buffering': 'no',
}

/** Throws FEED_FULL. */
export function storeEvents(deps: EventsDeps): Respond {
  return async (read) => {
    const answer = { status: 200, headers: HEADERS, contentType: 'text/event-stream' }
    if (read.request.method === 'HEAD') return { ...answer, body: '' }
    return { ...answer, body: await openStream(deps, read) }
  }
}

async function openStream(deps: EventsDeps, read: PosRead): Promise<Readable> {
  const { access, query, request, terminalId } = read
  let end = (): void => undefined
  const stream = new Readable({
    read: () => undefined,
    destroy: (error, done) => {
      end()
      done(error)
    },
  })
  const write = (text: string): void => {
    if (stream.destroyed) return
    stream.push(text)
    if (stream.readableLength > MOST_WAITING) stream.destroy()
  }
  // asked now: what an address needs must not fail while an event is told
  const addressOf = addressing(deps.address, read)
  write(RETRY)
  const stop = await deps.feed.listen({
    ...{ accountId: access.accountId, cashBoxId: access.cashBoxId },
    terminalId: query.get('cbterminalid') ?? terminalId,
    lastEventId: header(request, 'last-event-id') ?? query.get('lasteventid'),
    onEvent: (event) => write(textOf(event, addressOf(event))),
    onEnd: () => stream.push(null),
  })
  const ping = setInterval(() => void pinged(deps, read, { stream, write }), PING_MS)
  end = () => {
    clearInterval(ping)
    stop()
  }
  if (stream.destroyed) end()
  return stream
}

/** Credentials that were taken back end the stream as well. */
async function pinged(
  { credentials }: EventsDeps,
  { request }: PosRead,
  { stream, write }: { stream: Readable; write(text: string): void },
): Promise<void> {
  const id = header(request, 'x-cashbox-id') ?? ''
  const token = header(request, 'x-cashbox-accesstoken') ?? ''
  try {
    if ((await credentials.check(id, token)) === undefined) stream.push(null)
    else write(': ping\n\n')
  } catch (error) {
    // the database is away: whoever was let in stays
    request.log.debug({ err: error }, 'a listener was not checked again')
    write(': ping\n\n')
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
  const told = kind === 'delivered' ? { ftQueueItemID: queueItemId } : receiptOf(content)
  const receipt = { ftQueueID: queueId, ftQueueItemID: queueItemId, DocumentURL: address }
  const data = kind === 'delivered' ? told : { ...receipt, ...told }
  return `id: ${id}\nevent: ${kind}\ndata: ${writeJson(data)}\n\n`
}

function receiptOf(content: string | null): object {
  const value = parseJson(content ?? '{}')
  if (!(value instanceof JsonObject)) return {}
  return Object.fromEntries(value.names.map((name, at) => [name, value.values[at]]))
}
