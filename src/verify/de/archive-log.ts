// All messages of one archive: brings them into the order of their counters within a window, and
// watches the counters themselves.

import type { Reporter } from '../reporter.js'
import { DeviceLog, type Entry } from './device-log.js'
import { NumberSet } from './number-set.js'
import type { TarCode } from './tar-rules.js'

/**
 * Files may be sorted by name, so that Sig-10 stands before Sig-9. So many messages are held until
 * the missing one comes.
 */
const WINDOW = 2048

export class ArchiveLog {
  private readonly reporter: Reporter<TarCode>
  private readonly log: DeviceLog
  private readonly counters = new NumberSet()
  private readonly waiting = new Map<number, Entry>()
  private next = 1
  /** Smallest counter of a message that an erase would have removed. */
  private firstErasable = Number.POSITIVE_INFINITY
  private readonly isPartial: boolean

  /** `isPartial`: the archive is a part of the log by intention. */
  constructor(reporter: Reporter<TarCode>, isPartial: boolean) {
    this.reporter = reporter
    this.isPartial = isPartial
    this.log = new DeviceLog(reporter, isPartial)
  }

  push(entry: Entry): void {
    const { counter, place } = entry
    if (!this.counters.add(counter)) {
      const text = `expected a new signature counter, found ${counter} again`
      this.reporter.add('COUNTER_DOUBLED', place, text)
      return
    }
    const isKept = entry.body.kind === 'transaction' && entry.body.step !== 'Finish'
    if (!isKept) this.firstErasable = Math.min(this.firstErasable, counter)
    if (counter < this.next) {
      const text = `expected counters in about their order, found ${counter} after ${this.next - 1}`
      this.reporter.add('COUNTER_ORDER', place, text)
      return
    }
    this.waiting.set(counter, entry)
    this.release()
    if (this.waiting.size > WINDOW) this.skip()
  }

  /** After the last message; `place`: the archive. */
  end(place: string): void {
    while (this.waiting.size > 0) this.skip()
    this.log.end()
    this.judgeGaps(place)
  }

  private release(): void {
    for (;;) {
      const entry = this.waiting.get(this.next)
      if (entry === undefined) return
      this.waiting.delete(this.next)
      this.next += 1
      this.log.push(entry)
    }
  }

  /** What is missing before the smallest counter will not come any more. */
  private skip(): void {
    let smallest = Number.POSITIVE_INFINITY
    for (const counter of this.waiting.keys()) if (counter < smallest) smallest = counter
    this.next = smallest
    this.release()
  }

  /**
   * An erase leaves the starts and updates of open transactions: a gap before which nothing else
   * stands is what it makes. Any other gap is a message that is missing.
   */
  private judgeGaps(place: string): void {
    const ranges = this.counters.ranges()
    const [lastStart = 1] = ranges.at(-1) ?? []
    const isErased = this.firstErasable >= lastStart
    let before = 0
    for (const [first, last] of ranges) {
      const isLawful = isErased || before === 0
      if (first > before + 1) {
        const missing = first - 1 === before + 1 ? `${first - 1}` : `${before + 1} to ${first - 1}`
        const text = `expected counters without a gap, found ${missing} missing`
        if (isLawful) this.reporter.add('COUNTER_ERASED', place, text)
        else if (this.isPartial) this.reporter.note('COUNTER_GAP', place, text)
        else this.reporter.add('COUNTER_GAP', place, text)
      }
      before = last
    }
  }
}
