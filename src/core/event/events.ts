// The stream of events of one account: read from a place, and followed from there.
import { fail } from '../../errors.js'
import { pause } from '../../lib/pause.js'
import { timeLimit } from '../../lib/time-limit.js'
import type { Store } from '../../store/client.js'
import {
  type EventRow,
  readEventPage,
  readEvents,
  type StreamHead,
  streamHead,
  wantReceipts,
} from '../../store/event/stream.js'
import type { Pump } from './pump.js'
import { SharedReads, SharedWaits } from './shared-reads.js'

export interface EventPage {
  items: EventRow[]
  /** Where to go on: behind everything that was looked at. */
  next: bigint
  /** Number of the newest event; 0: there was none. */
  head: bigint
  /** Number of the oldest event that is kept. */
  firstSeq: bigint
  /** The server stops: nothing more comes from it. */
  isLast: boolean
}

export interface EventWish {
  accountId: string
  /** Exclusive; undefined: from the oldest one on. */
  after: bigint | undefined
  types: readonly string[] | undefined
  cashBoxId?: string | undefined
  limit: number
  /** How long to wait while there is nothing. */
  waitMs: number
  /** Ends the wait. */
  signal: AbortSignal
}

export interface Events {
  /** Throws CURSOR_TOO_OLD and CURSOR_AHEAD. */
  page(wish: EventWish): Promise<EventPage>
  /**
   * A page for those who stay: everybody who stands at this place and wants the same gets the same
   * one. The more of them there are, the longer it gathers what comes.
   */
  next(wish: EventWish & { after: bigint }): Promise<EventPage>
  head(accountId: string): Promise<StreamHead>
  /** Undefined: there is none with this number. */
  one(accountId: string, seq: bigint): Promise<EventRow | undefined>
  /** Whether the account wants an event for every receipt. */
  wantReceipts(accountId: string, receipts: boolean): Promise<void>
}

export function createEvents({ store, pump }: { store: Store; pump: Pump }): Events {
  const shared: Reads = {
    ...{ store, pump, pages: new SharedReads(), waits: new SharedWaits() },
  }
  return {
    page: (wish) => pageOf(shared, wish, () => 0),
    next: (wish) => sharedPage(shared, wish),
    head: (accountId) => streamHead(store, accountId),
    one: async (accountId, seq) => {
      const [row] = await readEvents(store, { ...NEXT, accountId, after: seq - 1n, to: seq })
      return row
    },
    wantReceipts: (accountId, receipts) => wantReceipts(store, { accountId, receipts }),
  }
}

interface Reads {
  store: Store
  pump: Pump
  pages: SharedReads<Awaited<ReturnType<typeof readEventPage>>>
  waits: SharedWaits<EventPage>
}

const NEXT = { types: undefined, limit: 1 } as const

/** Each listener is a write of its own: a thousand of them are told ten times a second. */
const LISTENERS_PER_MS = 10
const MOST_GATHERING_MS = 100

function sharedPage(reads: Reads, wish: EventWish & { after: bigint }): Promise<EventPage> {
  const { accountId, after, types = [], cashBoxId = '', limit, waitMs } = wish
  const key = [accountId, after, limit, waitMs, cashBoxId, ...types].join(' ')
  return reads.waits.join(key, wish.signal, (signal) =>
    pageOf(reads, { ...wish, signal }, () =>
      Math.min(MOST_GATHERING_MS, reads.waits.members / LISTENERS_PER_MS),
    ),
  )
}

/** Milliseconds that it waits for more when something has come. */
type Gathering = () => number

async function pageOf(reads: Reads, wish: EventWish, gathering: Gathering): Promise<EventPage> {
  const limit = timeLimit(wish.waitMs, [wish.signal])
  try {
    return await waitedPage(reads, { ...wish, signal: limit.signal }, gathering)
  } finally {
    limit.done()
  }
}

async function waitedPage(reads: Reads, wish: EventWish, gathering: Gathering): Promise<EventPage> {
  const { accountId, types, cashBoxId, limit, waitMs, signal } = wish
  // whoever comes first sees what is there now, not what somebody else saw a moment ago
  let read = await readEventPage(reads.store, wish)
  checked(wish.after ?? read.head.firstSeq - 1n, read.head)
  for (;;) {
    const { items, head } = read
    // a full page may have left something behind its last event
    const next = items.length < limit ? head.seq : (items.at(-1)?.seq ?? head.seq)
    const page = { items, next, head: head.seq, firstSeq: head.firstSeq, isLast: false }
    if (items.length > 0 || waitMs === 0) return page
    const end = await reads.pump.waitFor({ accountId, after: next, signal })
    if (end !== 'new') return { ...page, isLast: end === 'stopping' }
    const more = gathering()
    if (more >= 1) await pause(more, signal)
    const key = [accountId, next, limit, cashBoxId, ...(types ?? [])].join(' ')
    read = await reads.pages.read(key, () => readEventPage(reads.store, { ...wish, after: next }))
  }
}

/** Nothing is left out in silence: neither what was taken away, nor what a database has lost. */
function checked(after: bigint, { seq, firstSeq }: StreamHead): void {
  if (after < firstSeq - 1n) {
    throw fail('CURSOR_TOO_OLD', { after: String(after), firstSeq: String(firstSeq) })
  }
  if (after > seq) throw fail('CURSOR_AHEAD', { after: String(after), head: String(seq) })
}
