// Counts the calls of an account, right or wrong.
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { fail } from '../../errors.js'

export interface CallLimit {
  /** Throws ACCOUNT_LIMITED when there were too many within a minute. */
  called(id: string): Promise<void>
}

/** perMinute 0: no limit. */
export function createCallLimit(perMinute: number): CallLimit {
  if (perMinute === 0) return { called: () => Promise.resolve() }
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 })
  return {
    called: async (id) => {
      try {
        await limiter.consume(id)
      } catch (limited) {
        if (limited instanceof Error) throw limited
        const { msBeforeNext } = limited as { msBeforeNext: number }
        throw fail('ACCOUNT_LIMITED', { seconds: Math.max(1, Math.ceil(msBeforeNext / 1000)) })
      }
    },
  }
}
