// Two threads make one bundle where nobody needs the processor more: while this process answers
// calls, the second one waits until the first has nothing to do, and who works rests most of the
// time.
import { performance } from 'node:perf_hooks'
import type { Gauge } from './part-file.js'

export const LANES = 2
/** The one that waits. */
const SECOND = 1
/** Part of its time in which the thread that signs is at work: what looks after itself is less. */
const BUSY = 0.1

export interface LaneWatch {
  /** For a thread: one that is held would be in their way. */
  areOthersWaiting(): boolean
  /** Part of the time since the last look in which this process was at work, 0 to 1. */
  utilization(): number
}

/** Of the event loop that this is called in. */
export function utilizationOfLoop(): () => number {
  let last = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    return utilization
  }
}

export class Lanes {
  private readonly gauge: Gauge
  private readonly watch: LaneWatch
  private readonly running = new Set<number>()

  constructor(gauge: Gauge, watch: LaneWatch) {
    this.gauge = gauge
    this.watch = watch
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
    const isBusy = this.watch.utilization() > BUSY
    const mayHold = this.running.size === LANES && !this.watch.areOthersWaiting()
    this.gauge.hold(isBusy && mayHold ? SECOND : undefined)
    this.gauge.rest(isBusy)
  }
}
