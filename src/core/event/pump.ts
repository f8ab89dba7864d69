// Moves events from the inbox into the streams, over and over, and wakes whoever waits for one. In
// every process: one of them moves, and all of them look for their own listeners.
import { pause } from '../../lib/pause.js'
import { isAway, type Store } from '../../store/client.js'
import { isInboxEmpty, MOVE_SIZES, type Moved, moveEvents } from '../../store/event/mover.js'
import { streamSeqs } from '../../store/event/stream.js'

export interface Pump {
  start(): void
  /** Wakes everybody for good; resolves when nothing is asked any more. */
  stop(): Promise<void>
  /** Resolves when the stream has something behind `after`, or whatever else ends the wait. */
  waitFor(wait: StreamWait): Promise<WaitEnd>
}

/** over: `signal` ended the wait. stopping: the server stops, and no wait begins any more. */
export type WaitEnd = 'new' | 'over' | 'stopping'

export interface StreamWait {
  accountId: string
  after: bigint
  signal: AbortSignal
}

export interface PumpDeps {
  store: Store
  log: { warn(details: object, message: string): void }
  /** Outages or signing units have changed. */
  onUrgent?(): void
}

/** From one look to the next while somebody waits; what a look has taken is no further wait. */
const BUSY_MS = 20
const SHORTEST_MS = 5
/** Each look that finds something is a commit beside those of receipts. */
const IDLE_MS = 250
const AWAY_MS = 1_000
/** Moves that take less have room for more; those that take longer are made smaller. */
const QUICK_MS = 300
const SLOW_MS = 1_500
const USUAL = 2

export function createPump(deps: PumpDeps): Pump {
  return new Pumping(deps)
}

interface Waiter extends Omit<StreamWait, 'signal'> {
  wake(end: WaitEnd): void
}

class Pumping implements Pump {
  private readonly deps: PumpDeps
  private readonly waiters = new Set<Waiter>()
  private readonly stopping = new AbortController()
  private running: Promise<void> | undefined
  private pausing = new AbortController()
  /** Which of the sizes a move has. */
  private size = USUAL
  /** The last move has found something: the next one mostly does. */
  private isBusy = true

  constructor(deps: PumpDeps) {
    this.deps = deps
  }

  start(): void {
    this.running ??= this.run()
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    this.pausing.abort()
    for (const waiter of this.waiters) waiter.wake('stopping')
    await this.running
  }

  waitFor({ accountId, after, signal }: StreamWait): Promise<WaitEnd> {
    const { stopping, waiters } = this
    if (stopping.signal.aborted) return Promise.resolve('stopping')
    if (signal.aborted) return Promise.resolve('over')
    return new Promise((resolve) => {
      const end = () => waiter.wake('over')
      const waiter: Waiter = {
        ...{ accountId, after },
        wake: (how) => {
          waiters.delete(waiter)
          signal.removeEventListener('abort', end)
          resolve(how)
        },
      }
      waiters.add(waiter)
      signal.addEventListener('abort', end)
      // whoever waits must not wait for the end of a long pause
      this.pausing.abort()
    })
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const wait = await this.turn()
      if (wait === 0 || this.stopping.signal.aborted) continue
      this.pausing = new AbortController()
      await pause(wait, this.pausing.signal)
    }
  }

  /** Returns how long to wait for the next one, in milliseconds. */
  private async turn(): Promise<number> {
    const began = performance.now()
    try {
      const moved = await this.move()
      this.wakeAt(moved?.streams ?? [])
      await this.wakeOthers()
      if (moved?.isUrgent === true) this.deps.onUrgent?.()
      if (moved?.isMore === true) return 0
      if (this.waiters.size === 0) return IDLE_MS
      return Math.max(SHORTEST_MS, BUSY_MS - (performance.now() - began))
    } catch (error) {
      const text = isAway(error) ? 'events wait for the database' : 'events could not be moved'
      this.deps.log.warn({ err: error }, text)
      return AWAY_MS
    }
  }

  /**
   * As much at a time as the database takes quickly: an event that a hundred accounts hear of is a
   * hundred rows, and a move that its time ends would be begun anew for ever.
   */
  private async move(): Promise<Moved | undefined> {
    const began = performance.now()
    const [smallest] = MOVE_SIZES
    const most = MOVE_SIZES[this.size] ?? smallest
    // fifty times a second while somebody looks at a page, mostly for nothing
    if (!this.isBusy && (await isInboxEmpty(this.deps.store))) return undefined
    try {
      const moved = await moveEvents(this.deps.store, most)
      this.isBusy = (moved?.taken ?? 0) > 0
      const ms = performance.now() - began
      if (ms > SLOW_MS) this.size = Math.max(0, this.size - 1)
      else if (moved?.isMore === true && ms < QUICK_MS) this.size += 1
      this.size = Math.min(this.size, MOVE_SIZES.length - 1)
      return moved
    } catch (error) {
      if (performance.now() - began > SLOW_MS) this.size = Math.max(0, this.size - 1)
      throw error
    }
  }

  /** What was moved here is known. */
  private wakeAt(streams: readonly string[]): void {
    const changed = new Set(streams)
    for (const waiter of [...this.waiters]) if (changed.has(waiter.accountId)) waiter.wake('new')
  }

  /** Another process may have moved something, or a wait has begun behind it. */
  private async wakeOthers(): Promise<void> {
    if (this.waiters.size === 0) return
    const waiters = [...this.waiters]
    const ids = [...new Set(waiters.map(({ accountId }) => accountId))]
    const seqs = await streamSeqs(this.deps.store, ids)
    for (const waiter of waiters) {
      if ((seqs.get(waiter.accountId) ?? 0n) > waiter.after) waiter.wake('new')
    }
  }
}
