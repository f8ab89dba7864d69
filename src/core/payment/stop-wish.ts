// The wish of a till that what runs at a terminal stops. Made by payments.ts, heard by providers.
import type { StopHearing } from '../operation/operation.js'

export interface StopWish {
  readonly asked: boolean
  /** Resolves when it is asked for, each time anew; at once when it was asked for in between. */
  next(): Promise<void>
  /** The terminal goes on, whoever asked is told so; it may ask again. */
  refuse(): void
}

export class HeardStop implements StopWish {
  asked = false
  private open = true
  private waiting: (() => void)[] = []
  private hearing: StopHearing | undefined

  hearFrom(hearing: StopHearing): void {
    this.hearing = hearing
  }

  /** From now on nobody stops it. */
  refuseAlways(): void {
    this.open = false
  }

  ask(): void {
    if (!this.open) {
      this.refuse()
      return
    }
    this.asked = true
    for (const wake of this.waiting.splice(0)) wake()
  }

  next(): Promise<void> {
    if (this.asked) return Promise.resolve()
    return new Promise((resolve) => {
      this.waiting.push(resolve)
    })
  }

  refuse(): void {
    this.asked = false
    this.hearing?.refuse()
  }

  end(): void {
    this.hearing?.end()
  }
}
