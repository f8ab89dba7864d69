// Tells devices in the store what happens to receipts of their cash box, wherever it happens: this
// process looks for all of its listeners at once.
import { fail } from '../../errors.js'
import { isUuid } from '../../lib/id.js'
import { isAway, type Store } from '../../store/client.js'
import {
  completeTransaction,
  type EventCursor,
  type EventKind,
  eventsAfter,
  forgetEvents,
  type InstoreEvent,
} from '../../store/receipt/instore-events.js'
import { isNone } from './announce.js'

export interface FeedListener {
  accountId: string
  cashBoxId: string
  /** cbTerminalID of the device; undefined: it takes those of all terminals. */
  terminalId: string | undefined
  /** The id of the last event that it had. */
  lastEventId: string | undefined
  /** False while it can take nothing: it is asked again, and told only when it can. */
  isReady(): boolean
  /** False: not taken; it comes again once the listener is ready. */
  onEvent(event: FeedEvent): boolean
  /** The server stops, or gives the listener up. */
  onEnd(): void
}

export interface FeedEvent {
  id: string
  kind: EventKind
  queueId: string
  queueItemId: string
  /** As JSON text; null for a delivery. */
  content: string | null
}

export interface Feed {
  /** Throws FEED_FULL. What it returns ends the listening. */
  listen(listener: FeedListener): Promise<() => void>
  /** Takes away events that are too old to be told. */
  sweep(): Promise<number>
  /** Ends all listeners. */
  close(): void
}

export interface FeedDeps {
  store: Store
  now(): Date
  /** Most listeners of this process. */
  most: number
  log: { warn(details: object, message: string): void }
}

/** Between two looks. */
const LOOK_MS = 300
/** Most listeners of one cash box in this process. */
export const MOST_PER_BOX = 32
const KEPT_MS = 24 * 60 * 60 * 1000
const NO_ITEM = '00000000-0000-0000-0000-000000000000'

export function createFeed(deps: FeedDeps): Feed {
  return new Looking(deps)
}

interface Place {
  listener: FeedListener
  after: EventCursor
}

class Looking implements Feed {
  private readonly deps: FeedDeps
  private readonly places = new Set<Place>()
  private timer: NodeJS.Timeout | undefined
  private closed = false

  constructor(deps: FeedDeps) {
    this.deps = deps
  }

  async listen(listener: FeedListener): Promise<() => void> {
    const { most } = this.deps
    const same = [...this.places].filter(({ listener: one }) => isSameBox(one, listener))
    if (this.places.size >= most) throw fail('FEED_FULL', { most })
    if (same.length >= MOST_PER_BOX) throw fail('FEED_FULL', { most: MOST_PER_BOX })
    const place: Place = { listener, after: { transaction: 0n, queueItemId: NO_ITEM } }
    // it counts from now on, and is told nothing until its place is known
    this.places.add(place)
    try {
      const complete = await completeTransaction(this.deps.store)
      place.after = startOf(listener.lastEventId, complete)
    } catch (error) {
      this.places.delete(place)
      throw error
    }
    if (this.closed) listener.onEnd()
    else this.wind()
    return () => void this.places.delete(place)
  }

  sweep(): Promise<number> {
    return forgetEvents(this.deps.store, new Date(this.deps.now().getTime() - KEPT_MS))
  }

  close(): void {
    this.closed = true
    clearTimeout(this.timer)
    for (const { listener } of this.places) listener.onEnd()
    this.places.clear()
  }

  private wind(): void {
    if (this.timer !== undefined || this.closed) return
    this.timer = setTimeout(() => {
      void this.look().finally(() => {
        this.timer = undefined
        if (this.places.size > 0) this.wind()
      })
    }, LOOK_MS)
    this.timer.unref()
  }

  private async look(): Promise<void> {
    // who cannot take anything must not hold the others back either
    const places = [...this.places].filter(
      ({ after, listener }) => after.transaction > 0n && listener.isReady(),
    )
    if (places.length === 0) return
    try {
      const events = await eventsAfter(this.deps.store, oldest(places))
      for (const place of places) this.tell(place, events)
    } catch (error) {
      // told when the database is back: nobody's place has moved
      const text = isAway(error) ? 'events wait for the database' : 'events could not be read'
      this.deps.log.warn({ err: error }, text)
    }
  }

  private tell(place: Place, events: readonly InstoreEvent[]): void {
    const { listener } = place
    for (const event of events) {
      if (!isSameBox(event, listener) || !isBehind(event, place.after)) continue
      if (!this.places.has(place)) return
      const { kind, queueId, queueItemId, content } = event
      const after = { transaction: event.transaction, queueItemId }
      const told = { id: idOf(after), kind, queueId, queueItemId, content }
      if (takes(listener.terminalId, event.terminalId) && !listener.onEvent(told)) return
      place.after = after
    }
  }
}

type Boxed = Pick<FeedListener, 'accountId' | 'cashBoxId'>

function isSameBox(a: Boxed, b: Boxed): boolean {
  return a.accountId === b.accountId && a.cashBoxId === b.cashBoxId
}

/** Receipts of a terminal go to its devices and to those of none; others to those of none alone. */
export function takes(filter: string | undefined, terminalId: string | null): boolean {
  return filter === undefined || isNone(filter) || filter === terminalId
}

/** One question per cash box, from the place of whoever is furthest behind. */
function oldest(places: readonly Place[]) {
  const boxes = new Map<string, Place>()
  for (const place of places) {
    const { accountId, cashBoxId } = place.listener
    const name = `${accountId}/${cashBoxId}`
    const known = boxes.get(name)
    if (known === undefined || isBehind(known.after, place.after)) boxes.set(name, place)
  }
  return [...boxes.values()].map(({ listener: { accountId, cashBoxId }, after }) => {
    return { accountId, cashBoxId, after }
  })
}

function isBehind(one: EventCursor, other: EventCursor): boolean {
  if (one.transaction !== other.transaction) return one.transaction > other.transaction
  return one.queueItemId > other.queueItemId
}

const idOf = ({ transaction, queueItemId }: EventCursor): string => `${transaction}-${queueItemId}`

/**
 * Behind the event that a device names; a number that was never given, as after a change of the
 * database, counts as none: from now on.
 */
function startOf(lastEventId: string | undefined, complete: bigint): EventCursor {
  const [, number = '', item = ''] = /^(\d{1,18})-(.{36})$/.exec(lastEventId ?? '') ?? []
  const given = number === '' || !isUuid(item) ? undefined : BigInt(number)
  if (given === undefined || given === 0n || given >= complete) {
    return { transaction: complete, queueItemId: NO_ITEM }
  }
  return { transaction: given, queueItemId: item.toLowerCase() }
}
