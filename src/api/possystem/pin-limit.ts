// Counts wrong PINs per address and over all: four digits are soon tried out. Called by pair.ts.
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { FiscalError, fail } from '../../errors.js'

export interface PinLimit {
  /**
   * Runs a try; one that throws PIN_WRONG counts. Throws PIN_LIMITED, for right PINs as well, once
   * there were too many within a minute.
   */
  during<T>(address: string, attempt: () => Promise<T>): Promise<T>
}

/** How many times the limit of one address all addresses have together. */
const ALL = 10
const EVERYBODY = 'all'

/** perMinute 0: no limit. */
export function createPinLimit(perMinute: number): PinLimit {
  if (perMinute === 0) return { during: (_address, attempt) => attempt() }
  const limits = [perMinute, perMinute * ALL].map(
    (points) => new RateLimiterMemory({ points, duration: 60 }),
  )
  return {
    during: async (address, attempt) => {
      const names = [address, EVERYBODY]
      // counted before it is known to be wrong: tries at the same time must not all pass
      for (const [at, limiter] of limits.entries()) await take(limiter, names[at] ?? '')
      const giveBack = async () => {
        for (const [at, limiter] of limits.entries()) await limiter.reward(names[at] ?? '', 1)
      }
      try {
        const result = await attempt()
        await giveBack()
        return result
      } catch (error) {
        if (!(error instanceof FiscalError) || error.code !== 'PIN_WRONG') await giveBack()
        throw error
      }
    },
  }
}

async function take(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key)
  } catch (limited) {
    if (limited instanceof Error) throw limited
    throw fail('PIN_LIMITED')
  }
}
