// Everybody who waits for the answer of an operation right now, and who has waited too long. One
// timer for all of them: one for each would cost every call some microseconds.
import { Leaving } from '../../core/operation/leaving.js'

export class Callers {
  /** In the order in which they came; until when each of them waits. */
  private readonly waiting = new Map<Leaving, number>()
  private timer: NodeJS.Timeout | undefined

  /** How long each may wait; 0: for ever. */
  constructor(private readonly atMostMs: number) {}

  come(): Leaving {
    const leaving = new Leaving()
    this.waiting.set(leaving, performance.now() + this.atMostMs)
    if (this.timer === undefined) this.await(this.atMostMs)
    return leaving
  }

  go(leaving: Leaving): void {
    this.waiting.delete(leaving)
    leaving.end()
  }

  /** The server stops. */
  sendAway(): void {
    for (const leaving of this.waiting.keys()) leaving.leave()
  }

  private await(ms: number): void {
    if (this.atMostMs === 0) return
    this.timer = setTimeout(() => this.look(), ms)
    this.timer.unref()
  }

  /** The first one has waited longest. */
  private look(): void {
    this.timer = undefined
    const now = performance.now()
    for (const [leaving, until] of this.waiting) {
      if (until > now) {
        this.await(until - now)
        return
      }
      this.waiting.delete(leaving)
      leaving.leave()
    }
  }
}
