// Counts wrong credentials per id and network, and per network alone. Right ones of programs always
// pass: nobody guesses 32 random bytes. What people know can be guessed: beyond the limit nothing
// is looked at. What is remembered is bounded: the oldest entry makes room.
import { LRUCache } from 'lru-cache'
import { fail } from '../../errors.js'
import { networkOf } from '../../lib/network.js'

export interface FailureLimit {
  /** Notes a failure. Throws CREDENTIALS_LIMITED when there were too many within a minute. */
  failed(id: string, address: string): Promise<void>
  /**
   * A password or a code, counted before it is looked at, so that many at once are counted too.
   * Throws CREDENTIALS_LIMITED. What is returned takes it back: it was right.
   */
  guess(id: string, address: string): () => void
}

const MINUTE_MS = 60_000
const MOST_ENTRIES = 10_000
/** A network may be a shop with many registers; more wrong ids than this are guesses. */
const IDS_PER_NETWORK = 10

const NO_LIMIT: FailureLimit = { failed: () => Promise.resolve(), guess: () => () => undefined }

/** perMinute 0: no limit. */
export function createFailureLimit(perMinute: number): FailureLimit {
  if (perMinute === 0) return NO_LIMIT
  const byNetwork = new Counter(perMinute * IDS_PER_NETWORK)
  const byBoth = new Counter(perMinute)
  const guess = (id: string, address: string) => {
    const network = networkOf(address)
    // ids are matched without regard to case: another spelling gives no new tries. What a network
    // invents beyond its limit takes no room
    const key = `${network} ${id.slice(0, 64).toLowerCase()}`
    if (!byNetwork.add(network) || !byBoth.add(key)) throw fail('CREDENTIALS_LIMITED')
    return () => {
      byNetwork.takeBack(network)
      byBoth.takeBack(key)
    }
  }
  return { guess, failed: async (id, address) => void guess(id, address) }
}

class Counter {
  private readonly most: number
  private readonly counts = new LRUCache<string, { count: number }>({
    ...{ max: MOST_ENTRIES, ttl: MINUTE_MS },
  })

  constructor(most: number) {
    this.most = most
  }

  /** Whether one more fits into the minute that began with the first one. */
  add(key: string): boolean {
    const known = this.counts.get(key)
    if (known === undefined) this.counts.set(key, { count: 1 })
    else known.count += 1
    return (known?.count ?? 1) <= this.most
  }

  takeBack(key: string): void {
    const known = this.counts.get(key)
    if (known !== undefined) known.count -= 1
  }
}
