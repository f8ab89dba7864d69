// GET /instore/events: what devices in the store are told of receipts, as server-sent events.
// Mounted by index.ts.
import { Readable } from 'node:stream'
import type { Feed, FeedEvent } from '../../core/receipts/instore-events.js'
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
/** A device for which so many bytes wait is told nothing more until it has taken them. */
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
  // asked now: what an address needs must not fail while an event is told
  const addressOf = addressing(deps.address, read)
  const telling = new Telling(() => isStillGood(deps, read))
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

/** What one device is told, each time only if it may still hear it. */
class Telling {
  readonly stream = new Readable({ read: () => undefined })
  private readonly isGood: () => Promise<boolean>
  private held: string[] = []
  private heldBytes = 0
  private ended = false
  private refused = 0

  constructor(isGood: () => Promise<boolean>) {
    this.isGood = isGood
    this.stream.push(RETRY)
  }

  get hasRoom(): boolean {
    return this.heldBytes + this.stream.readableLength <= MOST_WAITING
  }

  /** False: there is no room, and nothing was taken. */
  say(text: string): boolean {
    if (!this.hasRoom) return false
    if (this.ended || this.stream.destroyed) return true
    this.held.push(text)
    this.heldBytes += Buffer.byteLength(text)
    if (this.held.length === 1) void this.tell()
    return true
  }

  /** A device that had no room twice is let go; it comes back with Last-Event-ID. */
  ping(): void {
    if (this.say(': ping\n\n')) this.refused = 0
    else if (this.refused > 0) this.stream.destroy()
    else this.refused = 1
  }

  end(): void {
    if (!this.ended) this.stream.push(null)
    this.ended = true
  }

  private async tell(): Promise<void> {
    const good = await this.isGood()
    const text = this.held.join('')
    this.held = []
    this.heldBytes = 0
    if (this.ended || this.stream.destroyed) return
    if (good) this.stream.push(text)
    else this.end()
  }
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
