// A short memory of look-ups: a caller who sends call after call is not asked for each time.
// Called by credentials.ts and account-credentials.ts.
import { reaching } from '../store/client.js'

export interface MemoryDeps {
  now(): Date
  /** How long a look-up is believed; a reset token is dead on every server after that. */
  memoryMs: number
  /** Most entries in memory. */
  entries: number
}

interface Memory<T> {
  value: T
  since: number
}

export interface Remembering<T> {
  find(id: string): Promise<T>
  /**
   * What is remembered where it will do, else what is found now: for an id that nobody has and one
   * that will not do the database is asked once, so how long it takes tells nothing.
   */
  fitting(id: string, fits: (value: T) => boolean): Promise<T | undefined>
  /** Everything, when no id is given. */
  forget(id?: string): void
}

export function memory<T>(deps: MemoryDeps, find: (id: string) => Promise<T>): Remembering<T> {
  const known = new Map<string, Memory<Promise<T>>>()
  const remembered = (id: string): Promise<T> | undefined => {
    const found = known.get(id)
    // a clock that was set back must not make a memory last longer
    const age = found === undefined ? -1 : deps.now().getTime() - found.since
    return age >= 0 && age < deps.memoryMs ? found?.value : undefined
  }
  const keep = (id: string, value: Promise<T>): void => {
    if (known.size >= deps.entries) known.clear()
    known.set(id, { value, since: deps.now().getTime() })
  }
  const ask = (id: string): Promise<T> => {
    const value = reaching(() => find(id))
    // a look-up that failed is not remembered
    value.catch(() => known.delete(id))
    keep(id, value)
    return value
  }
  const fitting = async (id: string, fits: (value: T) => boolean): Promise<T | undefined> => {
    const before = remembered(id)
    if (before === undefined) {
      const value = await ask(id)
      return fits(value) ? value : undefined
    }
    const value = await before
    if (fits(value)) return value
    // whoever is known stays known when this fails
    const fresh = await reaching(() => find(id))
    keep(id, Promise.resolve(fresh))
    return fits(fresh) ? fresh : undefined
  }
  const forget = (id?: string) => (id === undefined ? known.clear() : void known.delete(id))
  return { find: async (id) => remembered(id) ?? ask(id), fitting, forget }
}
