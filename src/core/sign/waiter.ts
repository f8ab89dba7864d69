// A caller in front of a queue. Shared by commit.ts, batch.ts and lane.ts.
import { fail } from '../../errors.js'
import { isAway } from '../../store/client.js'
import type { SignDeps, SignJob, SignResult } from './job.js'

export interface Waiter {
  job: SignJob
  /** A receipt request: it must see everything before it committed. */
  asks: boolean
  /** Needs a lane: it asks, its queue may have to wait for a device, or it broke a batch. */
  alone: boolean
  /** When it joined, by the clock of `timeLeft`. */
  since: number
  resolve(result: SignResult): void
  reject(error: unknown): void
}

export interface QueueWork {
  queueId: string
  accountId: string
  waiters: Waiter[]
}

/** Milliseconds by a clock that never jumps: a change of the time of day makes nobody late. */
export function steadyNow(): number {
  return performance.now()
}

/** How long this caller may still be kept waiting; nobody waits for ever. */
export function timeLeft(deps: SignDeps, waiter: Waiter): number {
  return waiter.since + deps.limits.waitingMs - steadyNow()
}

export function rejectAll(waiters: readonly Waiter[], error: unknown): void {
  for (const waiter of waiters) waiter.reject(error)
}

/** Turns an error of the database into the refusal that a caller can act on. */
export function refusalOf(error: unknown): unknown {
  return isAway(error) ? fail('DATABASE_AWAY') : error
}
