// The queues in memory, bounded; opened on first use, forgotten after a conflict or an error.
import { LRUCache } from 'lru-cache'
import { fail } from '../../errors.js'
import type { Market } from '../../market/contract.js'
import type { QueueHead } from '../../model/queue.js'
import type { ScuHead } from '../../model/scu.js'
import { loadHeads, type QueueKey } from '../../store/sign/queues.js'
import { closeDevice, demandUsable, driverOf, openDevice } from '../drivers.js'
import { storedState } from './checked-state.js'
import type { LoadedQueue, SignDeps } from './job.js'
import { createUnits } from './units.js'

/** Queues, or why each of them cannot be opened. */
export type Opened = ReadonlyMap<string, LoadedQueue | Error>

export interface Heads {
  /** The queue with its units, when they are in memory. */
  peek(queueId: string): LoadedQueue | undefined
  /**
   * All of these queues, whatever the memory holds or drops meanwhile. Throws only when the
   * database does not answer.
   */
  load(keys: readonly QueueKey[]): Promise<Opened>
  keep(loaded: LoadedQueue): void
  /**
   * With the units that the queue was loaded with: what was computed on them and not written must
   * not be built upon.
   */
  forget(queueId: string, loaded?: LoadedQueue): void
  forgetAll(): void
  /** The queue alone is read anew; signing units, which others may be using, stay. */
  drop(queueId: string): void
  /** Resolves when what left the memory has given back its sessions and sockets. */
  close(): Promise<void>
}

type Slot = LoadedQueue['slots'][number]

/** Notes outlive their queue in memory by this factor; after that "once" may become twice. */
const NOTES_PER_QUEUE = 4

export function createHeads(deps: SignDeps): Heads {
  const { closeSlot, closed } = closings(deps)
  const known = new LRUCache<string, LoadedQueue>({
    max: deps.limits.queues,
    // units that queues share are closed with their own memory
    dispose: ({ slots, shared }, _, reason) => {
      if (reason === 'set') return
      for (const slot of slots) if (!shared.includes(slot.scu.id)) closeSlot(slot)
    },
  })
  // survives forgetting: "once per process run" must not become "once per conflict"
  const noted = new LRUCache<string, Set<string>>({ max: NOTES_PER_QUEUE * deps.limits.queues })

  const notesOf = (queueId: string): Set<string> => {
    const notes = noted.get(queueId) ?? new Set<string>()
    noted.set(queueId, notes)
    return notes
  }
  const units = createUnits(deps.limits.queues, closeSlot)
  const keep = (loaded: LoadedQueue): void => {
    known.set(loaded.head.id, loaded)
    units.keep(loaded)
  }
  const peek = (queueId: string): LoadedQueue | undefined => {
    const loaded = known.get(queueId)
    return loaded === undefined ? undefined : units.current(loaded)
  }
  const forget = (queueId: string, loaded = known.get(queueId)): void => {
    known.delete(queueId)
    if (loaded !== undefined) units.forget(loaded)
  }
  const open = (head: QueueHead | Error, queueId: string): LoadedQueue | Error => {
    try {
      if (head instanceof Error) throw head
      const loaded = units.adopt(openQueue(deps, head, notesOf(queueId)))
      keep(loaded)
      return loaded
    } catch (error) {
      // one broken queue must not take the others of the batch with it
      deps.log.error({ err: error, queueId }, 'queue cannot be opened')
      return error instanceof Error ? error : new Error(String(error))
    }
  }

  return {
    peek,
    keep,
    forget,
    drop: (queueId) => void known.delete(queueId),
    forgetAll: () => {
      known.clear()
      units.clear()
    },
    close: closed,
    load: async (keys) => {
      const opened = new Map<string, LoadedQueue | Error>()
      for (const { id } of keys) {
        opened.set(id, peek(id) ?? fail('QUEUE_UNKNOWN', { queue: id }))
      }
      const missing = keys.filter(({ id }) => opened.get(id) instanceof Error)
      if (missing.length === 0) return opened
      for (const [id, head] of await loadHeads(deps.store, missing)) opened.set(id, open(head, id))
      return opened
    },
  }
}

/** Devices that leave the memory; nobody waits for one but the end of the process. */
function closings(deps: SignDeps) {
  const closing = new Set<Promise<void>>()
  return {
    closeSlot: ({ scu, device }: Slot): void => {
      const done = closeDevice(driverOf(deps.marketOf(scu.market), scu), device)
      closing.add(done)
      void done.finally(() => closing.delete(done))
    },
    closed: async (): Promise<void> => {
      await Promise.all(closing)
    },
  }
}

/** Parses what the row holds, and opens its devices. Throws for a queue that cannot be used. */
export function openQueue(deps: SignDeps, head: QueueHead, noted: Set<string>): LoadedQueue {
  const market = deps.marketOf(head.market)
  const slots = head.scus.map((scu) => openSlot(deps, market, scu))
  const drivers = head.scus.map((scu) => driverOf(market, scu))
  const remote = drivers.some((driver) => driver.remote)
  return {
    head,
    market,
    state: storedState(market.queue.state, JSON.parse(head.state)),
    stateText: head.state,
    configuration: market.queue.configuration.parse(JSON.parse(head.configuration)),
    slots,
    shared: head.scus.filter((_, at) => drivers[at]?.stateful).map((scu) => scu.id),
    remote,
    slow: remote || head.scus.some((scu) => scu.faultScript !== null),
    noted,
  }
}

function openSlot(deps: SignDeps, market: Market, scu: ScuHead): LoadedQueue['slots'][number] {
  const driver = driverOf(market, scu)
  demandUsable(driver, scu, deps)
  // a database that was a sandbox once may still hold scripts
  if (!deps.sandbox) scu.faultScript = null
  return { scu, device: openDevice(driver, scu, deps.tools) }
}
