// What is computed of a queue while the statement before is on its way: the database and this
// process work at the same time. Nothing of it counts before that statement has won, and what was
// computed on anything else than the head in memory is computed anew.
import { entry } from './entry.js'
import { type Entry, type Position, positionOf } from './entry-draft.js'
import type { LoadedQueue, SignDeps } from './job.js'
import { isMeant } from './membership.js'
import type { Waiter } from './waiter.js'

/** Where a queue stands behind a statement that wins: the head, and what its receipts noted. */
export interface Behind {
  loaded: LoadedQueue
  notes: ReadonlySet<string>
}

/**
 * Units that move with each call are settled by the statement that has moved them, and devices
 * that may wait have lanes: neither is asked before that.
 */
function mayGoAhead({ slow, shared, head }: LoadedQueue): boolean {
  return !slow && shared.length === 0 && !head.scus.some(({ changed }) => changed)
}

export class Ahead {
  private readonly deps: SignDeps
  private readonly loaded: LoadedQueue
  private readonly wake: () => void
  private readonly waiters: Waiter[] = []
  private readonly entries: Entry[] = []
  private position: Position
  private isOver: boolean
  /** Resolves when nothing is being computed any more; undefined: nothing is. */
  working: Promise<void> | undefined

  /** `wake`: called when a receipt that has waited for something is done. */
  constructor(deps: SignDeps, { loaded, notes }: Behind, wake: () => void) {
    this.deps = deps
    this.loaded = loaded
    this.wake = wake
    this.position = { ...positionOf(loaded), notes }
    this.isOver = !mayGoAhead(loaded)
  }

  /** Computes the next ones of the line, at most so many; how many they were. */
  goOn(line: readonly Waiter[], most: number): number {
    let done = 0
    for (; done < most; done += 1) {
      const waiter = this.nextOf(line)
      if (waiter === undefined) break
      this.compute(waiter)
    }
    return done
  }

  /** There is one that could be computed now. */
  canGoOn(line: readonly Waiter[]): boolean {
    return this.nextOf(line) !== undefined
  }

  /** As far as they are those who were computed, on this very head: what comes of it. */
  entriesOf(loaded: LoadedQueue, waiters: readonly Waiter[]): Entry[] {
    if (loaded !== this.loaded) return []
    const end = this.waiters.findIndex((waiter, at) => waiter !== waiters[at])
    return this.entries.slice(0, end < 0 ? this.entries.length : end)
  }

  private nextOf(line: readonly Waiter[]): Waiter | undefined {
    if (this.isOver || this.working !== undefined) return undefined
    const waiter = line[this.waiters.length]
    return waiter === undefined || waiter.alone || !isMeant(this.position.head, waiter.job)
      ? undefined
      : waiter
  }

  private compute(waiter: Waiter): void {
    const keep = (made: Entry) => {
      this.waiters.push(waiter)
      this.entries.push(made)
      this.position = made.next
    }
    // whoever computes it in its turn finds out the same, and says so
    const leave = () => {
      this.isOver = true
    }
    try {
      const making = entry(this.deps, this.position, { job: waiter.job })
      if (!(making instanceof Promise)) {
        keep(making)
        return
      }
      this.working = making.then(keep, leave).finally(() => {
        this.working = undefined
        this.wake()
      })
    } catch {
      leave()
    }
  }
}
