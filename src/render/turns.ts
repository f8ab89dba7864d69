// Who may use a drawing thread next: one line per origin, one of each line at a time, the lines in
// turn, so that nobody takes the threads from others.
import { fail } from '../errors.js'

export interface Turns {
  /** Resolves when it is this one's turn. Throws RENDERING_BUSY when too many wait. */
  take(line: string): Promise<void>
  /** The one whose turn it was is done. */
  give(line: string): void
}

interface Waiter {
  go(): void
  refuse(error: Error): void
}

export interface TurnLimits {
  /** Turns at a time. */
  threads: number
  /** Most that wait, of all lines together. */
  waiting: number
}

export function createTurns({ threads, waiting: most }: TurnLimits): Turns {
  /** Of lines where one is at work or waits: those that wait. */
  const lines = new Map<string, Waiter[]>()
  const busy = new Set<string>()
  /** Lines where one waits and none is at work, the next one first. */
  const ready: string[] = []
  let waiting = 0

  const start = (): void => {
    while (busy.size < threads) {
      const line = ready.shift()
      const first = line === undefined ? undefined : lines.get(line)?.shift()
      if (line === undefined || first === undefined) return
      waiting -= 1
      busy.add(line)
      first.go()
    }
  }
  /** The last one of the longest line goes, unless the line of the new one would be as long. */
  const makeRoom = (own: number): void => {
    const longest = [...lines.values()].reduce((a, b) => (b.length > a.length ? b : a), [])
    const last = longest.length > own + 1 ? longest.pop() : undefined
    if (last === undefined) throw fail('RENDERING_BUSY')
    waiting -= 1
    last.refuse(fail('RENDERING_BUSY'))
  }
  return {
    take: async (line) => {
      const own = lines.get(line) ?? []
      if (busy.size < threads && !busy.has(line)) {
        lines.set(line, own)
        busy.add(line)
        return
      }
      if (waiting >= most) makeRoom(own.length)
      lines.set(line, own)
      waiting += 1
      const turn = new Promise<void>((go, refuse) => own.push({ go, refuse }))
      if (!busy.has(line) && own.length === 1) ready.push(line)
      await turn
    },
    give: (line) => {
      busy.delete(line)
      if ((lines.get(line)?.length ?? 0) > 0) ready.push(line)
      else lines.delete(line)
      start()
    },
  }
}
