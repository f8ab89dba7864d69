// Numbers of transactions in the order in which they start (TR-03151 2.5). Devices that serve many
// registers at once log neighbours the other way round.

import type { Reporter } from '../reporter.js'
import { NumberSet } from './number-set.js'
import type { TarCode } from './tar-rules.js'

/** Starts that may still come; what a jump skips beyond is told at once. */
const MOST_SKIPPED = 1000

export class StartNumbers {
  private readonly reporter: Reporter<TarCode>
  private readonly seen = new NumberSet()
  private last = 0
  /** Number that was skipped → the start that skipped it. */
  private readonly skipped = new Map<number, { place: string; number: number }>()

  constructor(reporter: Reporter<TarCode>) {
    this.reporter = reporter
  }

  /** `isExact`: no message is missing since the start before, so that the next number follows. */
  push(place: string, number: number, isExact: boolean): void {
    const next = this.last + 1
    if (!this.seen.add(number)) {
      const text = `expected a new transaction number, found ${number} again`
      this.reporter.add('TRANSACTION_NUMBER', place, text)
    } else if (number < next) {
      this.skipped.delete(number)
      const text = `expected transaction ${number} to start before ${this.last}, found it behind`
      this.reporter.add('TRANSACTION_ORDER', place, text)
    } else if (isExact && number > next) this.skip(place, { next, number })
    this.last = Math.max(this.last, number)
  }

  /** After the last start: what was skipped never came. */
  end(): void {
    const told = new Set<string>()
    for (const [missing, { place, number }] of this.skipped) {
      if (!told.has(place)) this.tell(place, { next: missing, number })
      told.add(place)
    }
    this.skipped.clear()
  }

  private skip(place: string, jump: { next: number; number: number }): void {
    if (jump.number - jump.next + this.skipped.size > MOST_SKIPPED) {
      this.tell(place, jump)
      return
    }
    for (let missing = jump.next; missing < jump.number; missing += 1) {
      this.skipped.set(missing, { place, number: jump.number })
    }
  }

  private tell(place: string, { next, number }: { next: number; number: number }): void {
    const text = `expected transaction ${next}, found ${number}`
    this.reporter.add('TRANSACTION_NUMBER', place, text)
  }
}
