// Counts wrong credentials per id and network, and per network alone; right ones always pass. What
// is remembered is bounded: the oldest entry makes room.
import { LRUCache } from 'lru-cache'
import { fail } from '../../errors.js'
import { networkOf } from '../../lib/network.js'

export interface FailureLimit {
  /** Notes a failure. Throws CREDENTIALS_LIMITED when there were too many within a minute. */
  failed(id: string, address: string): Promise<void>
}

const MINUTE_MS = 60_000
const MOST_ENTRIES = 10_000
/** A network may be a shop with many registers; more wrong ids than this are guesses. */
const IDS_PER_NETWORK = 10

/** perMinute 0: no limit. */
export function createFailureLimit(perMinute: number): FailureLimit {
  if (perMinute === 0) return { failed: () => Promise.resolve() }
  const byNetwork = counter(perMinute * IDS_PER_NETWORK)
  const byBoth = counter(perMinute)
  return {
    failed: async (id, address) => {
      const network = networkOf(address)
      // ids are matched without regard to case: another spelling gives no new tries. What a network
      // invents beyond its limit takes no room
      const fits = byNetwork(network) && byBoth(`${network} ${id.slice(0, 64).toLowerCase()}`)
      if (!fits) throw fail('CREDENTIALS_LIMITED')
    },
  }
}

/** Whether one more fits into the minute that began with the first one. */
function counter(most: number): (key: string) => boolean {
  const counts = new LRUCache<string, { count: number }>({ max: MOST_ENTRIES, ttl: MINUTE_MS })
  return (key) => {
    const known = counts.get(key)
    if (known === undefined) counts.set(key, { count: 1 })
    else known.count += 1
    return (known?.count ?? 1) <= most
  }
}
