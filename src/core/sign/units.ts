// Signing units whose calls move their state, in memory: every queue that uses one sees the same
// object, and queues that share one take turns.
import { LRUCache } from 'lru-cache'
import type { LoadedQueue } from './job.js'

type Slot = LoadedQueue['slots'][number]

/** The newest object of each shared unit. */
export interface Units {
  /** The queue with the newest units; undefined when one of them is not in memory. */
  current(loaded: LoadedQueue): LoadedQueue | undefined
  /** A queue that was just loaded, with the units that the memory knows better. */
  adopt(loaded: LoadedQueue): LoadedQueue
  keep(loaded: LoadedQueue): void
  forget(loaded: LoadedQueue): void
  clear(): void
}

/** No stored version: a statement that expects it writes nothing. */
const GONE = -1n

/** `closed`: told of each that leaves the memory. */
export function createUnits(most: number, closed: (slot: Slot) => void): Units {
  const known = new LRUCache<string, Slot>({
    max: most,
    dispose: (slot, _, reason) => {
      if (reason !== 'set') closed(slot)
    },
  })
  return {
    current: (loaded) => {
      if (loaded.shared.length === 0) return loaded
      if (!loaded.shared.every((id) => known.has(id))) return undefined
      return withSlots(loaded, (slot) => known.get(slot.scu.id) ?? slot)
    },
    adopt: (loaded) => {
      if (loaded.shared.length === 0) return loaded
      return withSlots(loaded, (slot) => {
        const other = known.get(slot.scu.id)
        return other !== undefined && other.scu.version >= slot.scu.version ? other : slot
      })
    },
    keep: (loaded) => {
      for (const slot of loaded.slots) {
        const { id } = slot.scu
        if (loaded.shared.includes(id)) known.set(id, slot)
      }
    },
    forget: (loaded) => {
      for (const { scu } of loaded.slots) {
        if (!loaded.shared.includes(scu.id)) continue
        known.delete(scu.id)
        // whoever still holds the object cannot write what it has become
        scu.version = GONE
      }
    },
    clear: () => known.clear(),
  }
}

function withSlots(loaded: LoadedQueue, slotOf: (slot: Slot) => Slot): LoadedQueue {
  const slots = loaded.slots.map(slotOf)
  if (slots.every((slot, at) => slot === loaded.slots[at])) return loaded
  const scus = slots.map((slot) => slot.scu)
  const scripted = scus.some((scu) => scu.faultScript !== null)
  const head = { ...loaded.head, scus }
  return { ...loaded, slots, head, slow: loaded.remote || scripted }
}

/** Who computes on which shared unit right now: one batch or one lane. */
export class UnitLocks {
  /** Of every unit that was taken lately; one that is free stays: as with a busy Set, see Few. */
  private owners = new Map<string, object | undefined>()
  private held: string[] = []
  private readonly waiting: { ids: readonly string[]; wake: () => void }[] = []

  areFree(ids: readonly string[]): boolean {
    return ids.every((id) => this.owners.get(id) === undefined)
  }

  /** All or none; an owner may take again what it has. */
  take(ids: readonly string[], owner: object): boolean {
    if (!ids.every((id) => (this.owners.get(id) ?? owner) === owner)) return false
    for (const id of ids) {
      if (this.owners.get(id) === undefined) this.held.push(id)
      this.owners.set(id, owner)
    }
    return true
  }

  /** Called once, when these units are free; they may be taken again by then. */
  whenFree(ids: readonly string[], wake: () => void): void {
    this.waiting.push({ ids, wake })
  }

  release(owner: object): void {
    const others = this.held.filter((id) => this.owners.get(id) !== owner)
    if (others.length === this.held.length) return
    for (const id of this.held) if (this.owners.get(id) === owner) this.owners.set(id, undefined)
    this.held = others
    if (this.owners.size > MOST_FREE + others.length) this.forgetFree()
    const ready = this.waiting.filter((one) => this.areFree(one.ids))
    for (const one of ready) this.waiting.splice(this.waiting.indexOf(one), 1)
    for (const one of ready) one.wake()
  }

  private forgetFree(): void {
    this.owners = new Map(this.held.map((id) => [id, this.owners.get(id)]))
  }
}

/** Units that are known and free. */
const MOST_FREE = 10_000
