// The waiting list over all queues: gathers receipts while earlier batches commit, then writes many
// queues with one statement (group commit).
import { fail } from '../../errors.js'
import { Semaphore } from '../../lib/semaphore.js'
import { asSpan, type SpanAbout } from '../../lib/spans.js'
import { openQueueTurns, type QueueTurns } from '../../store/sign/queue-turns.js'
import { Ahead, type Behind } from './ahead.js'
import { commitFast } from './batch.js'
import { createHeads, type Heads } from './heads.js'
import type { SignDeps, SignJob, SignResult } from './job.js'
import { type Followers, runLane } from './lane.js'
import { refersToReceipts } from './references.js'
import { SharedStatements } from './shared-statements.js'
import { UnitLocks } from './units.js'
import { Caller, Few, isLate, type QueueWork, rejectAll, type Waiter } from './waiter.js'

/** Most receipts in one statement, and most statements at a time. */
const BATCH_RECEIPTS = 256
/**
 * No further queue joins a statement that has so many. With more, one statement carries nearly
 * everybody: the database waits while it is computed, and this process while it commits.
 */
const ENOUGH_RECEIPTS = 32
const BATCHES_IN_FLIGHT = 4
/**
 * Most receipts of one turn of the event loop that are computed behind a statement on its way: an
 * answer of the database that comes meanwhile is seen soon.
 */
const MOST_AHEAD = 16
/**
 * Batches take at most this part of the pool, and lanes the same; the rest is for everybody else.
 */
const SHARE_OF_POOL = 0.4

/** How often it is looked for callers whose time is over. */
const LOOK_MS = 100
/** After so many looks a line in front of which nobody was is let go. */
const QUIET_LOOKS = 20

/** The line in front of one queue. */
interface Line {
  queueId: string
  accountId: string
  waiters: Waiter[]
  /** In a batch or a lane right now: whoever comes waits for its end. */
  busy: boolean
  /** Read anew when it is free: what is kept at the end of a batch is its old configuration. */
  stale: boolean
  /** Where its batch, which is on its way, leaves it. */
  behind?: Behind | undefined
  /** What of its waiters is computed meanwhile. */
  ahead?: Ahead | undefined
  /** In the list of those that can go on with it. */
  isEarly: boolean
  /** Looks since somebody was there. */
  quiet: number
}

export class WaitingList {
  private readonly deps: SignDeps
  private readonly heads: Heads
  /** Kept for a while when they are empty: as with a busy Set, see Few. */
  private readonly lines = new Map<string, Line>()
  private readonly ready: Line[] = []
  /** Busy ones with receipts that can be computed now. */
  private readonly early: Line[] = []
  private readonly idle: (() => void)[] = []
  private readonly turns: Semaphore
  private readonly queueTurns: QueueTurns
  private readonly statements: SharedStatements
  private readonly locks = new UnitLocks()
  private readonly mostBatches: number
  private waiting = 0
  private batches = 0
  private lanes = 0
  private planned = false
  /** In a statement right now. */
  private readonly flying = new Few<readonly QueueWork[]>()
  private looking: NodeJS.Timeout | undefined

  constructor(deps: SignDeps) {
    this.deps = deps
    this.heads = createHeads(deps)
    const share = Math.max(1, Math.floor(SHARE_OF_POOL * deps.limits.connections))
    this.mostBatches = Math.min(BATCHES_IN_FLIGHT, share)
    this.turns = new Semaphore(share)
    this.queueTurns = openQueueTurns(deps.store)
    this.statements = new SharedStatements(deps.store, this.turns)
  }

  get length(): number {
    return this.waiting
  }

  join(job: SignJob): Promise<SignResult> {
    // receipts in lanes count: thousands of devices that do not answer are an overload as well
    if (this.waiting + this.lanes >= this.deps.limits.waiting) {
      this.deps.observe.settled(0)
      return Promise.reject(fail('OVERLOADED'))
    }
    return new Promise((resolve, reject) => {
      const line = this.lineOf(job)
      // a receipt request looks for an answer before it becomes a receipt
      const alone = job.words.asks || job.isWanted !== undefined || refersToReceipts(job)
      const place = this.deps.spans?.here()
      const caller = new Caller(this.deps, { job, alone, place, resolve, reject })
      if (line.waiters.length === 0) line.waiters = [caller]
      else line.waiters.push(caller)
      this.waiting += 1
      this.looking ??= setInterval(() => this.lookForLate(), LOOK_MS).unref()
      if (!line.busy && line.waiters.length === 1) this.ready.push(line)
      else this.goAhead(line)
      this.plan()
    })
  }

  /** What is known of a queue is read anew before its next receipt. */
  refresh(queueId: string): void {
    this.heads.drop(queueId)
    const line = this.lines.get(queueId)
    if (line?.busy === true) line.stale = true
  }

  async close(): Promise<void> {
    this.heads.forgetAll()
    await this.queueTurns.close()
    return this.heads.close()
  }

  /** Resolves when nothing waits or runs any more. */
  drained(): Promise<void> {
    if (this.isIdle()) return Promise.resolve()
    return new Promise((resolve) => this.idle.push(resolve))
  }

  private isIdle(): boolean {
    return this.waiting === 0 && this.batches === 0 && this.lanes === 0
  }

  private lineOf(job: SignJob): Line {
    const found = this.lines.get(job.queueId)
    if (found !== undefined) return found
    const line = {
      queueId: job.queueId,
      accountId: job.accountId,
      waiters: [],
      busy: false,
      stale: false,
      isEarly: false,
      quiet: 0,
    }
    this.lines.set(job.queueId, line)
    return line
  }

  /** No timer: what arrives in the same turn of the event loop goes together. */
  private plan(): void {
    if (this.planned || (!this.mayDispatch() && this.early.length === 0)) return
    this.planned = true
    setImmediate(() => {
      this.planned = false
      if (this.mayDispatch()) this.dispatch()
      else this.compute()
      this.plan()
    })
  }

  private mayDispatch(): boolean {
    return this.ready.length > 0 && this.batches < this.mostBatches
  }

  /** Its batch is on its way. */
  private goAhead(line: Line): void {
    if (line.isEarly || !line.busy || line.behind === undefined || line.waiters.length === 0) return
    line.ahead ??= this.aheadOf(line, line.behind)
    if (!line.ahead.canGoOn(line.waiters)) return
    line.isEarly = true
    this.early.push(line)
  }

  private aheadOf(line: Line, behind: Behind): Ahead {
    return new Ahead(this.deps, behind, () => {
      this.goAhead(line)
      this.plan()
    })
  }

  private compute(): void {
    let most = MOST_AHEAD
    while (most > 0) {
      const line = this.early.shift()
      if (line === undefined) return
      line.isEarly = false
      if (line.busy) most -= line.ahead?.goOn(line.waiters, most) ?? 0
      this.goAhead(line)
    }
  }

  private dispatch(): void {
    const taken: Line[] = []
    let receipts = 0
    while (receipts < ENOUGH_RECEIPTS) {
      const line = this.ready.shift()
      if (line === undefined) break
      line.busy = true
      const loaded = this.heads.peek(line.queueId)
      if (line.waiters[0]?.alone === true || loaded?.slow === true) {
        void this.lane(line)
      } else if (loaded !== undefined && !this.locks.take(loaded.shared, taken)) {
        this.park(line, loaded.shared)
      } else {
        taken.push(line)
        receipts += line.waiters.length
      }
    }
    if (taken.length > 0) void this.batch(taken)
  }

  /** Its signing unit is at work for another queue. */
  private park(line: Line, units: readonly string[]): void {
    this.locks.whenFree(units, () => this.release([line]))
  }

  private async batch(taken: Line[]): Promise<void> {
    const { deps, heads, locks } = this
    this.batches += 1
    const works = takeFast(taken)
    this.flying.add(works)
    this.waiting -= works.reduce((sum, work) => sum + work.waiters.length, 0)
    try {
      const back = await asSpan(deps.spans, spanOf(works.flatMap(({ waiters }) => waiters)), () =>
        commitFast({
          ...{ deps, heads, works, locks, owner: taken },
          leaving: (behind) => this.left(behind),
        }),
      )
      for (const [queueId, waiters] of back) this.putBack(queueId, waiters)
    } catch (error) {
      this.broke(works, error)
    } finally {
      this.batches -= 1
      this.flying.delete(works)
      locks.release(taken)
      this.release(taken)
    }
  }

  /** Whoever waits behind the queues of a statement that is on its way is computed meanwhile. */
  private left(behind: readonly Behind[]): void {
    for (const one of behind) {
      const line = this.lines.get(one.loaded.head.id)
      if (line === undefined) continue
      line.behind = one
      this.goAhead(line)
    }
    this.plan()
  }

  private async lane(line: Line): Promise<void> {
    const { deps, heads, turns, locks, queueTurns, statements } = this
    const waiter = line.waiters.shift()
    handedOver(line)
    this.lanes += 1
    if (waiter !== undefined) this.waiting -= 1
    try {
      if (waiter === undefined) return
      await asSpan(deps.spans, spanOf([waiter]), () =>
        runLane({
          ...{ deps, heads, turns, locks, queueTurns, statements, waiter },
          followers: this.followersOf(line),
        }),
      )
    } finally {
      this.lanes -= 1
      this.release([line])
    }
  }

  /** What is known of the queue is read anew before anybody follows. */
  private followersOf(line: Line): Followers {
    return {
      take: () => {
        const [next] = line.waiters
        if (line.stale || next === undefined || next.alone) return undefined
        line.waiters.shift()
        this.waiting -= 1
        return next
      },
      giveBack: (waiter) => this.putBack(line.queueId, [waiter]),
    }
  }

  /** A database that stands still makes nobody wait for longer than he was promised. */
  private lookForLate(): void {
    if (this.isIdle()) {
      clearInterval(this.looking)
      this.looking = undefined
      this.lines.clear()
      return
    }
    const late = (waiter: Waiter) => isLate(this.deps, waiter)
    for (const works of this.flying) {
      for (const { waiters } of works) rejectAll(waiters.filter(late), fail('DATABASE_AWAY'))
    }
    for (const line of this.lines.values()) {
      if (this.isLetGo(line)) continue
      const gone = line.waiters.filter(late)
      if (gone.length === 0) continue
      line.waiters = line.waiters.filter((waiter) => !gone.includes(waiter))
      this.waiting -= gone.length
      rejectAll(gone, fail('OVERLOADED'))
    }
  }

  private isLetGo(line: Line): boolean {
    line.quiet = line.busy || line.waiters.length > 0 ? 0 : line.quiet + 1
    if (line.quiet > QUIET_LOOKS) this.lines.delete(line.queueId)
    return line.quiet > 0
  }

  /** A fault of this program: nobody may wait for ever because of it, and no head is believed. */
  private broke(works: QueueWork[], error: unknown): void {
    this.deps.log.error({ err: error }, 'a batch broke')
    this.heads.forgetAll()
    for (const { waiters } of works) rejectAll(waiters, error)
  }

  private putBack(queueId: string, waiters: Waiter[]): void {
    this.lines.get(queueId)?.waiters.unshift(...waiters)
    this.waiting += waiters.length
  }

  private release(done: Line[]): void {
    for (const line of done) {
      // it has not been asked to go on before this comes to its turn
      const working = line.ahead?.working
      if (working !== undefined) {
        void working.then(() => this.release([line]))
        continue
      }
      line.busy = false
      if (line.stale) this.heads.drop(line.queueId)
      line.stale = false
      if (line.waiters.length > 0) this.ready.push(line)
      else handedOver(line)
    }
    this.plan()
    if (this.isIdle()) for (const resolve of this.idle.splice(0)) resolve()
  }
}

/** Below the call of the first receipt; those of the others are named. */
function spanOf(waiters: readonly Waiter[]): SpanAbout {
  const [below, ...because] = waiters.flatMap(({ place }) => place ?? [])
  const receipts = waiters.length
  return { name: 'sign batch', below, because, values: { 'fiskalwerk.receipts': receipts } }
}

/** Everything at the front of these lines that needs no turn of its own. */
function takeFast(taken: Line[]): QueueWork[] {
  let room = BATCH_RECEIPTS
  return taken.map((line) => {
    const end = line.waiters.findIndex((waiter) => waiter.alone)
    const count = Math.min(end < 0 ? line.waiters.length : end, Math.max(room, 1))
    room -= count
    return {
      queueId: line.queueId,
      accountId: line.accountId,
      waiters: firstOf(line, count),
      ahead: handedOver(line),
    }
  })
}

/** Takes the first ones off a line; nearly always all. */
function firstOf(line: Line, count: number): Waiter[] {
  const { waiters } = line
  if (count < waiters.length) return waiters.splice(0, count)
  line.waiters = []
  return waiters
}

function handedOver(line: Line): Ahead | undefined {
  const { ahead } = line
  line.ahead = undefined
  line.behind = undefined
  return ahead
}
