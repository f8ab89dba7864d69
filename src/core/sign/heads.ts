// The queues in memory, bounded; opened on first use, forgotten after a conflict or an error.
// Called by commit.ts and lane.ts.
import { fail } from '../../errors.js'
import type { Market } from '../../market/market.js'
import type { QueueHead } from '../../model/queue.js'
import type { ScuHead } from '../../model/scu.js'
import { loadHeads, type QueueKey } from '../../store/queues.js'
import { driverOf } from '../drivers.js'
import type { LoadedQueue, SignDeps } from './job.js'

export interface Heads {
  /** The queue, or why it cannot be opened; before `load` a queue counts as unknown. */
  get(queueId: string): LoadedQueue | Error
  /** Loads those that are not in memory. Throws only when the database does not answer. */
  load(keys: readonly QueueKey[]): Promise<void>
  keep(loaded: LoadedQueue): void
  forget(queueId: string): void
}

export function createHeads(deps: SignDeps): Heads {
  const known = new Map<string, LoadedQueue>()
  const faults = new Map<string, Error>()
  // survives forgetting: "once per process run" must not become "once per conflict"
  const noted = new Map<string, Set<string>>()

  function keep(loaded: LoadedQueue): void {
    // a Map keeps its order: the first one is the one not used for longest
    known.delete(loaded.head.id)
    known.set(loaded.head.id, loaded)
    if (known.size <= deps.limits.queues) return
    const oldest = known.keys().next().value
    if (oldest !== undefined) known.delete(oldest)
  }

  function notesOf(queueId: string): Set<string> {
    const notes = noted.get(queueId) ?? new Set<string>()
    noted.set(queueId, notes)
    return notes
  }

  return {
    get: (queueId) =>
      known.get(queueId) ?? faults.get(queueId) ?? fail('QUEUE_UNKNOWN', { queue: queueId }),
    keep,
    forget: (queueId) => {
      known.delete(queueId)
    },
    load: async (keys) => {
      const missing = keys.filter((key) => !known.has(key.id))
      if (missing.length === 0) return
      for (const head of await loadHeads(deps.store, missing)) {
        faults.delete(head.id)
        try {
          keep(openQueue(deps, head, notesOf(head.id)))
        } catch (error) {
          // one broken queue must not take the others of the batch with it
          deps.log.error({ err: error, queueId: head.id }, 'queue cannot be opened')
          if (faults.size < deps.limits.queues) faults.set(head.id, asError(error))
        }
      }
    },
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

function openQueue(deps: SignDeps, head: QueueHead, noted: Set<string>): LoadedQueue {
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
