// Counts the wrong PINs of a network in this process, and tells of them: whoever tries thousands a
// second never gets to the counters of the database (core/accounts/pairing).
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { FiscalError, fail } from '../../errors.js'

export interface PinLimit {
  /**
   * Runs a try; one that throws PIN_WRONG counts. Throws PIN_LIMITED, for right PINs as well, once
   * there were too many within a minute.
   */
  during<T>(network: string, attempt: () => Promise<T>): Promise<T>
}

/** Who guesses; `limited` once, when the tries of a minute are used up. */
export type PinAlarm = (network: string, what: 'wrong' | 'limited') => void

/** perMinute 0: no limit. */
export function createPinLimit(perMinute: number, alarm: PinAlarm): PinLimit {
  const told = telling(alarm)
  if (perMinute === 0) return { during: told }
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 })
  return {
    during: async (network, attempt) => {
      // counted before it is known to be wrong: tries at the same time must not all pass
      await take(limiter, network, () => alarm(network, 'limited'))
      const giveBack = () => limiter.reward(network, 1)
      try {
        const result = await told(network, attempt)
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
  async (network, attempt) => {
    try {
      return await attempt()
    } catch (error) {
      if (isWrong(error)) alarm(network, 'wrong')
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
