// Counts wrong credentials per id and address; right ones always pass. Called by the groups'
// auth.ts.
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { fail } from '../../errors.js'

export interface FailureLimit {
  /** Notes a failure. Throws CREDENTIALS_LIMITED when there were too many within a minute. */
  failed(id: string, address: string): Promise<void>
}

/** perMinute 0: no limit. */
export function createFailureLimit(perMinute: number): FailureLimit {
  if (perMinute === 0) return { failed: () => Promise.resolve() }
  const byBoth = new RateLimiterMemory({ points: perMinute, duration: 60 })
  return {
    failed: async (id, address) => {
      // ids are matched without regard to case: another spelling gives no new tries
      const key = `${address} ${id.slice(0, 64).toLowerCase()}`
      try {
        await byBoth.consume(key)
      } catch (limited) {
        if (limited instanceof Error) throw limited
        throw fail('CREDENTIALS_LIMITED')
      }
    },
  }
}
