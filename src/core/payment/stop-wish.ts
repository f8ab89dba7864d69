// The wish of a register that what runs at a terminal stops.
import type { StopWish } from '../../device/payment/order.js'
import type { StopHearing } from '../operation/operation.js'

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
