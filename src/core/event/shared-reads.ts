// Listeners of one account wake at the same moment and want the same: what one of them has asked
// for already, the others share.

export class SharedReads<T> {
  private readonly open = new Map<string, Promise<T>>()

  /** Shares a read that is under way; one that has ended is old, and is made again. */
  read(key: string, work: () => Promise<T>): Promise<T> {
    const known = this.open.get(key)
    if (known !== undefined) return known
    const made = work().finally(() => this.open.delete(key))
    this.open.set(key, made)
    return made
  }
}

interface Shared<T> {
  members: number
  ended: AbortController
  result: Promise<T>
}

/** Waits that end when the last of those who share them has gone. */
export class SharedWaits<T> {
  private readonly open = new Map<string, Shared<T>>()
  private waiting = 0

  /** How many wait, for whatever it is. */
  get members(): number {
    return this.waiting
  }

  /** `work` gets a signal that ends it. */
  join(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const shared = this.open.get(key) ?? this.begin(key, work)
    shared.members += 1
    this.waiting += 1
    const leave = () => {
      shared.members -= 1
      if (shared.members > 0) return
      // whoever comes behind one that has ended waits for another
      this.forget(key, shared)
      shared.ended.abort()
    }
    signal.addEventListener('abort', leave, { once: true })
    return shared.result.finally(() => {
      this.waiting -= 1
      signal.removeEventListener('abort', leave)
    })
  }

  private begin(key: string, work: (signal: AbortSignal) => Promise<T>): Shared<T> {
    const ended = new AbortController()
    const shared: Shared<T> = {
      ...{ members: 0, ended },
      result: work(ended.signal).finally(() => this.forget(key, shared)),
    }
    this.open.set(key, shared)
    return shared
  }

  private forget(key: string, shared: Shared<T>): void {
    if (this.open.get(key) === shared) this.open.delete(key)
  }
}
