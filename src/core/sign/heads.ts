// The queues in memory, bounded; opened on first use, forgotten after a conflict or an error.
// Called by commit.ts, batch.ts and lane.ts.
import { fail } from '../../errors.js'
import type { Market } from '../../market/market.js'
import type { QueueHead } from '../../model/queue.js'
import type { ScuHead } from '../../model/scu.js'
import { loadHeads, type QueueKey } from '../../store/queues.js'
import { driverOf } from '../drivers.js'
import type { LoadedQueue, SignDeps } from './job.js'

/** Queues, or why each of them cannot be opened. */
export type Opened = ReadonlyMap<string, LoadedQueue | Error>

export interface Heads {
  /** The queue when it is in memory. */
  peek(queueId: string): LoadedQueue | undefined
  /**
   * All of these queues, whatever the memory holds or drops meanwhile. Throws only when the
   * database does not answer.
   */
  load(keys: readonly QueueKey[]): Promise<Opened>
  keep(loaded: LoadedQueue): void
  forget(queueId: string): void
}

/** Notes outlive their queue in memory by this factor; after that "once" may become twice. */
const NOTES_PER_QUEUE = 4

export function createHeads(deps: SignDeps): Heads {
  const known = new Map<string, LoadedQueue>()
  // survives forgetting: "once per process run" must not become "once per conflict"
  const noted = new Map<string, Set<string>>()
  const mostNotes = NOTES_PER_QUEUE * deps.limits.queues

  const notesOf = (queueId: string): Set<string> => {
    const notes = noted.get(queueId) ?? new Set<string>()
    return remember(noted, { key: queueId, value: notes, most: mostNotes })
  }
  const keep = (loaded: LoadedQueue): void => {
    remember(known, { key: loaded.head.id, value: loaded, most: deps.limits.queues })
  }
  const open = (head: QueueHead | Error, queueId: string): LoadedQueue | Error => {
    try {
      if (head instanceof Error) throw head
      const loaded = openQueue(deps, head, notesOf(queueId))
      keep(loaded)
      return loaded
    } catch (error) {
      // one broken queue must not take the others of the batch with it
      deps.log.error({ err: error, queueId }, 'queue cannot be opened')
      return error instanceof Error ? error : new Error(String(error))
    }
  }

  return {
    peek: (queueId) => known.get(queueId),
    keep,
    forget: (queueId) => {
      known.delete(queueId)
    },
    load: async (keys) => {
      const opened = new Map<string, LoadedQueue | Error>()
      for (const { id } of keys) {
        opened.set(id, known.get(id) ?? fail('QUEUE_UNKNOWN', { queue: id }))
      }
      const missing = keys.filter((key) => !known.has(key.id))
      if (missing.length === 0) return opened
      for (const [id, head] of await loadHeads(deps.store, missing)) opened.set(id, open(head, id))
      return opened
    },
  }
}

/** A Map keeps its order: the first one is the one not used for longest. */
function remember<T>(map: Map<string, T>, entry: { key: string; value: T; most: number }): T {
  const { key, value, most } = entry
  map.delete(key)
  map.set(key, value)
  if (map.size > most) {
    const oldest = map.keys().next().value
    if (oldest !== undefined) map.delete(oldest)
  }
  return value
}

/** Parses what the row holds, and opens its devices. Throws for a queue that cannot be used. */
export function openQueue(deps: SignDeps, head: QueueHead, noted: Set<string>): LoadedQueue {
  const market = deps.marketOf(head.market)
  const slots = head.scus.map((scu) => openSlot(deps, market, scu))
  const remote = head.scus.some((scu) => driverOf(market, scu).remote)
  return {
    head,
    market,
    state: market.state.parse(JSON.parse(head.state)),
    configuration: market.configuration.parse(JSON.parse(head.configuration)),
    slots,
    remote,
    slow: remote || head.scus.some((scu) => scu.faultScript !== null),
    noted,
  }
}

function openSlot(deps: SignDeps, market: Market, scu: ScuHead): LoadedQueue['slots'][number] {
  const driver = driverOf(market, scu)
  if (driver.software && !deps.software) throw fail('SOFTWARE_DEVICE', { scu: scu.id })
  // a database that was a sandbox once may still hold scripts
  if (!deps.sandbox) scu.faultScript = null
  return { scu, device: driver.open(scu, deps.tools) }
}
