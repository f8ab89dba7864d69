// A caller in front of a queue.
import { fail } from '../../errors.js'
import type { SpanPlace } from '../../lib/spans.js'
import { isAway } from '../../store/client.js'
import type { Entry } from './entry-draft.js'
import type { LoadedQueue, SignDeps, SignJob, SignResult } from './job.js'

export interface Waiter {
  job: SignJob
  /** Needs a lane: it asks, its queue may have to wait for a device, or it broke a batch. */
  alone: boolean
  /** Its cash box did not hold the queue when it was looked at; once more, and it is refused. */
  doubted?: boolean
  /** When it joined, by the clock of `timeLeft`. */
  since: number
  /** Its call, where traces are wanted. */
  place?: SpanPlace | undefined
  resolve(result: SignResult): void
  reject(error: unknown): void
}

/** A waiter of whom it is told how long he waited. */
export class Caller implements Waiter {
  readonly job: SignJob
  alone: boolean
  doubted = false
  readonly since = steadyNow()
  readonly place: SpanPlace | undefined
  private readonly deps: Pick<SignDeps, 'observe'>
  private readonly waiter: Pick<Waiter, 'resolve' | 'reject'>
  private isSettled = false

  constructor(
    deps: Pick<SignDeps, 'observe'>,
    waiter: Pick<Waiter, 'job' | 'alone' | 'place' | 'resolve' | 'reject'>,
  ) {
    this.deps = deps
    this.job = waiter.job
    this.alone = waiter.alone
    this.place = waiter.place
    this.waiter = waiter
  }

  resolve(result: SignResult): void {
    this.settled()
    this.waiter.resolve(result)
  }

  reject(error: unknown): void {
    this.settled()
    this.waiter.reject(error)
  }

  /** Who was told that his time is over hears of nothing any more. */
  private settled(): void {
    if (this.isSettled) return
    this.isSettled = true
    this.deps.observe.settled((steadyNow() - this.since) / 1000)
  }
}

/** What comes of waiters, computed before their turn. */
interface Computed {
  /** Of those at the front who were computed on this very queue. */
  entriesOf(loaded: LoadedQueue, waiters: readonly Waiter[]): Entry[]
}

export interface QueueWork {
  queueId: string
  accountId: string
  waiters: Waiter[]
  /** What of it is computed already. */
  ahead?: Computed | undefined
}

/** Milliseconds by a clock that never jumps: a change of the time of day makes nobody late. */
export function steadyNow(): number {
  return performance.now()
}

/** How long this caller may still be kept waiting; nobody waits for ever. */
export function timeLeft(deps: SignDeps, waiter: Waiter): number {
  return waiter.since + deps.limits.waitingMs - steadyNow()
}

/**
 * Of its time a caller spends so much waiting; the rest is for the answer to reach him before the
 * time is over.
 */
const WAITS = 0.9

/** Nobody answers in time any more: a receipt that is committed after all is found by its id. */
export function isLate(deps: SignDeps, waiter: Waiter): boolean {
  return timeLeft(deps, waiter) <= deps.limits.waitingMs * (1 - WAITS)
}

/**
 * Work of the database: a caller whose time is over is told so, while the work goes on until its
 * end is known. Behind a device that took longer he gets his time once more.
 */
export async function whileWaiting<T>(
  deps: SignDeps,
  waiter: Waiter,
  work: () => Promise<T>,
): Promise<T> {
  const most = deps.limits.waitingMs * WAITS
  const left = timeLeft(deps, waiter) - (deps.limits.waitingMs - most)
  const timer = setTimeout(() => waiter.reject(fail('DATABASE_AWAY')), left > 0 ? left : most)
  try {
    return await work()
  } finally {
    clearTimeout(timer)
  }
}

export function rejectAll(waiters: readonly Waiter[], error: unknown): void {
  for (const waiter of waiters) waiter.reject(error)
}

/** Nobody knows whether a statement was written, and nobody may make it again. */
export class FateUnknown extends Error {
  override name = 'FateUnknown'
}

/** Turns an error of the database into the refusal that a caller can act on. */
export function refusalOf(error: unknown): unknown {
  const told = error instanceof FateUnknown ? error.cause : error
  return isAway(told) ? fail('DATABASE_AWAY') : told
}

/**
 * A few things at a time, in no order, instead of a Set that is always busy. A Set makes its table
 * anew now and then, and the table before leads to the new one: a single one that has got into
 * long-lived memory keeps all that were in any table since, until everything is collected.
 */
export class Few<T> {
  private readonly all: T[] = []

  add(one: T): void {
    this.all.push(one)
  }

  delete(one: T): void {
    const at = this.all.indexOf(one)
    if (at < 0) return
    const last = this.all.pop()
    if (last !== undefined && at < this.all.length) this.all[at] = last
  }

  [Symbol.iterator](): IterableIterator<T> {
    return this.all.values()
  }
}
