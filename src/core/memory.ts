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
  /** Everything, when no id is given. */
  forget(id?: string): void
}

export function memory<T>(deps: MemoryDeps, find: (id: string) => Promise<T>): Remembering<T> {
  const known = new Map<string, Memory<Promise<T>>>()
  const recall = (id: string): Promise<T> => {
    const now = deps.now().getTime()
    const found = known.get(id)
    // a clock that was set back must not make a memory last longer
    const age = found === undefined ? -1 : now - found.since
    if (found !== undefined && age >= 0 && age < deps.memoryMs) return found.value
    const value = reaching(() => find(id))
    // a look-up that failed is not remembered
    value.catch(() => known.delete(id))
    if (known.size >= deps.entries) known.clear()
    known.set(id, { value, since: now })
    return value
  }
  const forget = (id?: string) => (id === undefined ? known.clear() : void known.delete(id))
  return { find: recall, forget }
}
