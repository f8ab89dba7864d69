// A caller in front of a queue. Shared by commit.ts, batch.ts and lane.ts.
import { fail } from '../../errors.js'
import { isAway } from '../../store/client.js'
import type { SignJob, SignResult } from './job.js'

export interface Waiter {
  job: SignJob
  /** A receipt request: it must see everything before it committed. */
  alone: boolean
  /** Milliseconds since 1970. */
  since: number
  resolve(result: SignResult): void
  reject(error: unknown): void
}

export interface QueueWork {
  queueId: string
  accountId: string
  waiters: Waiter[]
}

export function rejectAll(waiters: readonly Waiter[], error: unknown): void {
  for (const waiter of waiters) waiter.reject(error)
}

/** Turns an error of the database into the refusal that a caller can act on. */
export function refusalOf(error: unknown): unknown {
  return isAway(error) ? fail('DATABASE_AWAY') : error
}
