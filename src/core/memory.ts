// A short memory of look-ups: a caller who sends call after call is not asked for each time.
import { LRUCache } from 'lru-cache'
import { reaching } from '../store/client.js'

export interface MemoryDeps {
  now(): Date
  /** How long a look-up is believed; a reset token is dead on every server after that. */
  memoryMs: number
  /** Most entries in memory; the one that was used longest ago makes room. */
  entries: number
}

interface Memory<T> {
  value: T
  since: number
}

export interface Remembering<T> {
  /** What is remembered, if anything. */
  known(id: string): T | undefined
  find(id: string): Promise<T>
  /**
   * What is remembered where it will do, else what is found now: for an id that nobody has and one
   * that will not do the database is asked once, so how long it takes tells nothing.
   */
  fitting(id: string, fits: (value: T) => boolean): Promise<T | undefined>
  /** Everything, when no id is given. */
  forget(id?: string): void
}

/** Most ids that are asked again by one look-up. */
const TOGETHER = 1000

/**
 * What is not there is not kept: whoever invents ids must not push out those that there are.
 * Those that are used are asked again before they are forgotten, all of them by one look-up of
 * `findAll`, where there is one: nobody waits for it, and many callers cost what one does.
 */
export function memory<T>(
  deps: MemoryDeps,
  find: (id: string) => Promise<T>,
  findAll?: (ids: string[]) => Promise<ReadonlyMap<string, T>>,
): Remembering<T> {
  const known = new LRUCache<string, Memory<T>>({ max: deps.entries })
  /** Look-ups on their way: the same question is asked once. */
  const asked = new Map<string, Memory<Promise<T>>>()
  const fresh = <V>(found: Memory<V> | undefined) => freshOf(deps, found)
  const noteAsked = (id: string, asking: Memory<Promise<T>>): Promise<T> => {
    asked.set(id, asking)
    const arrived = (value: T) => {
      // what was forgotten meanwhile may have been read before the change
      if (asked.get(id) !== asking) return
      asked.delete(id)
      if (value === undefined) known.delete(id)
      else known.set(id, { value, since: asking.since })
    }
    const failed = () => {
      if (asked.get(id) === asking) asked.delete(id)
    }
    void asking.value.then(arrived, failed)
    return asking.value
  }
  const ask = (id: string): Promise<T> =>
    noteAsked(id, { value: reaching(() => find(id)), since: deps.now().getTime() })
  const under = (id: string): Promise<T> => fresh(asked.get(id)) ?? ask(id)
  const again =
    findAll &&
    lookingAgain(deps, {
      wants: (id) => known.has(id) && !asked.has(id),
      look: (ids, since) => {
        const all = findAll(ids)
        // who is not found any more is looked up by himself, as everybody who is not known
        const one = async (id: string): Promise<T> => (await all).get(id) ?? find(id)
        for (const id of ids) void noteAsked(id, { value: reaching(() => one(id)), since })
      },
    })
  /** What is remembered; it will be asked again before that is too old. */
  const used = (id: string): T | undefined => {
    const found = known.get(id)
    const value = fresh(found)
    if (value !== undefined && found !== undefined) again?.(id, found.since)
    return value
  }
  const fitting = async (id: string, fits: (value: T) => boolean): Promise<T | undefined> => {
    const before = used(id)
    if (before !== undefined && fits(before)) return before
    // whoever is known stays known when this fails
    const value = await (before === undefined ? under(id) : ask(id))
    return fits(value) ? value : undefined
  }
  const forget = (id?: string): void => {
    if (id === undefined) {
      known.clear()
      asked.clear()
      return
    }
    known.delete(id)
    asked.delete(id)
  }
  return {
    known: used,
    find: async (id) => used(id) ?? under(id),
    fitting,
    forget,
  }
}

interface Look {
  /** Still remembered, and not asked for already. */
  wants(id: string): boolean
  look(ids: string[], since: number): void
}

/** Gathers those that have been used when half of their time was over. */
function lookingAgain(
  { now, memoryMs }: MemoryDeps,
  { wants, look }: Look,
): (id: string, since: number) => void {
  const again = new Set<string>()
  const lookNow = (): void => {
    const ids = [...again].filter(wants)
    again.clear()
    const since = now().getTime()
    for (let from = 0; from < ids.length; from += TOGETHER) {
      look(ids.slice(from, from + TOGETHER), since)
    }
  }
  return (id, since) => {
    if (now().getTime() - since < memoryMs / 2 || !wants(id)) return
    if (again.size === 0) setTimeout(lookNow, memoryMs / 4).unref()
    again.add(id)
  }
}

function freshOf<V>({ now, memoryMs }: MemoryDeps, found: Memory<V> | undefined): V | undefined {
  // a clock that was set back must not make a memory last longer
  const age = found === undefined ? -1 : now().getTime() - found.since
  return age >= 0 && age < memoryMs ? found?.value : undefined
}
