// Counts wrong PINs per address and over all, and tells of them: four digits are soon tried out.
// Called by pair.ts.
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
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

/** Who guesses; `limited` once, when the tries of a minute are used up. */
export type PinAlarm = (address: string, what: 'wrong' | 'limited') => void

/** perMinute 0: no limit. */
export function createPinLimit(perMinute: number, alarm: PinAlarm): PinLimit {
  const told = telling(alarm)
  if (perMinute === 0) return { during: told }
  const limits = [perMinute, perMinute * ALL].map(
    (points) => new RateLimiterMemory({ points, duration: 60 }),
  )
  return {
    during: async (address, attempt) => {
      const names = [address, EVERYBODY]
      // counted before it is known to be wrong: tries at the same time must not all pass
      for (const [at, limiter] of limits.entries()) {
        await take(limiter, names[at] ?? '', () => alarm(address, 'limited'))
      }
      const giveBack = async () => {
        for (const [at, limiter] of limits.entries()) await limiter.reward(names[at] ?? '', 1)
      }
      try {
        const result = await told(address, attempt)
        await giveBack()
        return result
      } catch (error) {
        if (!isWrong(error)) await giveBack()
        throw error
      }
    },
  }
}

const telling =
  (alarm: PinAlarm): PinLimit['during'] =>
  async (address, attempt) => {
    try {
      return await attempt()
    } catch (error) {
      if (isWrong(error)) alarm(address, 'wrong')
      throw error
    }
  }

const isWrong = (error: unknown): boolean =>
  error instanceof FiscalError && error.code === 'PIN_WRONG'

async function take(limiter: RateLimiterMemory, key: string, first: () => void): Promise<void> {
  try {
    await limiter.consume(key)
  } catch (limited) {
    if (limited instanceof Error) throw limited
    if (limited instanceof RateLimiterRes && limited.consumedPoints === limiter.points + 1) first()
    throw fail('PIN_LIMITED')
  }
}
