// Who may use one of a few places next: so many of each line at a time, and the lines in turn, so
// that nobody takes the places from others.

export interface TurnLimits {
  /** Turns at a time. */
  places: number
  /** Of each line. */
  each: number
  /** Most that wait, of all lines together. */
  waiting: number
  /** Of each line; left out: as many as wait at all. */
  waitingEach?: number
  /** Longest wait in milliseconds; left out: as long as it takes. */
  waitMs?: number
  /** What those are refused with who wait too long, or are too many. */
  busy(): Error
}

export interface Turns {
  /**
   * Resolves when it is this one's turn, with what ends it; ending it again does nothing. Rejects
   * with `busy`, and at once when the signal says that nobody waits any more.
   */
  take(line: string, signal?: AbortSignal): Promise<() => void>
  /** How many there are right now. */
  readonly taken: number
  readonly waiting: number
}

interface Waiter {
  go(): void
  refuse(error: unknown): void
}

interface Line {
  name: string
  taken: number
  waiters: Waiter[]
}

export function createTurns(limits: TurnLimits): Turns {
  return new FairTurns(limits)
}

class FairTurns implements Turns {
  taken = 0
  waiting = 0
  private readonly limits: TurnLimits
  /** Those where one is at work or waits. */
  private readonly lines = new Map<string, Line>()
  /** Lines where one waits that could go, the next one first. */
  private readonly ready: Line[] = []

  constructor(limits: TurnLimits) {
    this.limits = limits
  }

  async take(name: string, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted()
    const line = this.lines.get(name) ?? { name, taken: 0, waiters: [] }
    if (this.taken >= this.limits.places || line.taken >= this.limits.each) {
      this.makeRoom(line)
      this.lines.set(name, line)
      await this.turnOf(line, signal)
    } else {
      this.lines.set(name, line)
      this.begin(line)
    }
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.end(line)
    }
  }

  private begin(line: Line): void {
    line.taken += 1
    this.taken += 1
  }

  private end(line: Line): void {
    line.taken -= 1
    this.taken -= 1
    this.line(line)
    while (this.taken < this.limits.places) {
      const next = this.ready.shift()
      if (next === undefined) return
      const first = next.waiters.shift()
      if (first !== undefined) {
        this.waiting -= 1
        this.begin(next)
        first.go()
      }
      this.line(next)
    }
  }

  /** Puts a line where it belongs after something about it has changed. */
  private line(line: Line): void {
    const { taken, waiters } = line
    if (taken === 0 && waiters.length === 0) this.lines.delete(line.name)
    const couldGo = waiters.length > 0 && taken < this.limits.each
    if (couldGo && !this.ready.includes(line)) this.ready.push(line)
  }

  private async turnOf(line: Line, signal: AbortSignal | undefined): Promise<void> {
    const { waitMs, busy } = this.limits
    let timer: NodeJS.Timeout | undefined
    let leave: (() => void) | undefined
    try {
      await new Promise<void>((go, reject) => {
        const waiter = { go, refuse: reject }
        const refuse = (error: unknown) => {
          const at = line.waiters.indexOf(waiter)
          if (at === -1) return
          line.waiters.splice(at, 1)
          this.waiting -= 1
          this.line(line)
          reject(error)
        }
        if (waitMs !== undefined) timer = setTimeout(() => refuse(busy()), waitMs)
        leave = () => refuse(signal?.reason)
        signal?.addEventListener('abort', leave)
        line.waiters.push(waiter)
        this.waiting += 1
        this.line(line)
      })
    } finally {
      clearTimeout(timer)
      if (leave !== undefined) signal?.removeEventListener('abort', leave)
    }
  }

  /** The last one of the longest line goes, unless the line of the new one would be as long. */
  private makeRoom({ waiters: { length: own } }: Line): void {
    const { waiting, waitingEach = waiting, busy } = this.limits
    if (own >= waitingEach) throw busy()
    if (this.waiting < waiting) return
    const all = [...this.lines.values()].map(({ waiters }) => waiters)
    const longest = all.reduce((a, b) => (b.length > a.length ? b : a), [])
    const last = longest.length > own + 1 ? longest.pop() : undefined
    if (last === undefined) throw busy()
    this.waiting -= 1
    last.refuse(busy())
  }
}
