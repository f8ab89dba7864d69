// Two threads make one bundle where nobody needs the processor more: while this process answers
// calls, the second one waits until the first has nothing to do.
import { performance } from 'node:perf_hooks'
import type { Gauge } from './part-file.js'

export const LANES = 2
/** The one that waits. */
const SECOND = 1
/** Part of its time in which the thread that signs is at work: what looks after itself is less. */
const BUSY = 0.1

export class Lanes {
  private readonly gauge: Gauge
  private readonly areOthersWaiting: () => boolean
  private readonly running = new Set<number>()
  private last = performance.eventLoopUtilization()

  /** `areOthersWaiting`: for a thread, so that one that is held would be in their way. */
  constructor(gauge: Gauge, areOthersWaiting: () => boolean) {
    this.gauge = gauge
    this.areOthersWaiting = areOthersWaiting
  }

  async during<T>(lane: number, work: () => Promise<T>): Promise<T> {
    this.running.add(lane)
    try {
      return await work()
    } finally {
      this.running.delete(lane)
    }
  }

  /** A few times a second, in the thread that signs. */
  look(): void {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, this.last)
    this.last = now
    const isBusy = utilization > BUSY
    const mayHold = this.running.size === LANES && !this.areOthersWaiting()
    this.gauge.hold(mayHold && isBusy ? SECOND : undefined)
    this.gauge.isBusy = isBusy
  }
}
