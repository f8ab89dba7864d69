// What a receipt must hold in its place beside chain and signature: start receipt, Kassen-ID,
// number, counter, time, collective receipt.
import { inRepeatedHour } from './calendar.js'
import { CollectiveCheck } from './collective.js'
import type { Reading } from './reading.js'
import { quote, type Reporter } from './reporter.js'
import { SeenNumbers } from './seen-numbers.js'
import type { CounterFault } from './turnover.js'

export interface Placed {
  /** SHA-256 of Kassen-ID and Belegnummer. */
  hash: Buffer
  first: boolean
  /** Not chained to the receipt before it in the file. */
  hole: boolean
  counter: CounterFault | undefined
}

export class RowChecks {
  private readonly reporter: Reporter
  private readonly collective = new CollectiveCheck()
  private readonly numbers = new SeenNumbers()
  private cashBox: string | undefined
  private closed: boolean | undefined
  private time = ''
  /** Now in Austrian local time, '' when it is not to be compared with. */
  private readonly now: string

  constructor(reporter: Reporter, now: string) {
    this.reporter = reporter
    this.now = now
  }

  follow(reading: Reading, placed: Placed): void {
    if (placed.first && !placed.hole) this.start(reading)
    this.counter(placed)
    this.identity(reading, placed.hash)
    this.moment(reading, placed.hole)
    const failedAt = this.collective.follow(reading)
    if (failedAt !== 0) {
      const text = `expected a signed zero receipt at most two receipts after the failed one`
      this.reporter.receipt(
        'COLLECTIVE_MISSING',
        reading,
        `${text} of ${this.reporter.at(failedAt)}, found none`,
      )
    }
  }

  /** Position of the receipt with this number, 0 when there is none. */
  positionOf(hash: Buffer): number {
    return this.numbers.find(nameOf(hash))
  }

  /** True for the first receipt of a group that is older than what stands before it. */
  startsEarlierGroup(reading: Reading): boolean {
    return reading.firstOfGroup && reading.time !== '' && reading.time < this.time
  }

  forget(): void {
    this.collective.forget()
  }

  private start(reading: Reading): void {
    if (reading.proof === 'failed') {
      this.tell('START_UNSIGNED', reading, 'expected a signed start receipt, found a failed device')
    }
    if (reading.turnover === 'training' || reading.turnover === 'void') {
      const text = `expected a turnover counter on the start receipt, found ${reading.turnover}`
      this.tell('START_KIND', reading, text)
    }
    if (reading.total !== undefined && !reading.zero) {
      this.tell(
        'START_AMOUNT',
        reading,
        'expected five times 0,00 on the start receipt, found others',
      )
    }
  }

  private counter(placed: Placed): void {
    if (placed.counter === undefined) return
    const { code, at, text } = placed.counter
    this.tell(placed.first ? 'START_COUNTER' : code, at, text)
  }

  private identity(reading: Reading, hash: Buffer): void {
    if (reading.cashBox === '') return
    this.cashBox ??= reading.cashBox
    if (this.cashBox !== reading.cashBox) {
      const text = `expected the Kassen-ID ${quote(this.cashBox)}, found ${quote(reading.cashBox)}`
      this.tell('CASH_BOX_CHANGED', reading, text)
      return
    }
    const closed = reading.provider === 'AT0'
    this.closed ??= closed
    if (this.closed !== closed) {
      const text = `expected AT0 on all receipts or on none, found ${quote(reading.provider)}`
      this.tell('SYSTEM_CHANGED', reading, text)
      this.closed = closed
    }
    const first = this.positionOf(hash)
    if (first === 0) this.numbers.add(nameOf(hash), reading.position)
    else
      this.tell(
        'NUMBER_DOUBLED',
        reading,
        `expected a new number, found that of ${this.reporter.at(first)}`,
      )
  }

  private moment(reading: Reading, hole: boolean): void {
    const before = this.time
    if (reading.time === '') return
    this.time = reading.time
    if (this.now !== '' && reading.time > this.now) {
      const text = `expected a time until now, ${this.now}, found ${reading.time}`
      this.tell('TIME_FUTURE', reading, text)
    }
    if (hole || reading.time >= before) return
    const text = `expected ${before} or later, found ${reading.time}`
    if (inRepeatedHour(before, reading.time)) {
      this.tell('TIME_REPEATED_HOUR', reading, `${text}: the hour that comes twice in October`)
    } else this.tell('TIME_DECREASES', reading, text)
  }

  private tell(...[code, reading, text]: Parameters<Reporter['receipt']>): void {
    this.reporter.receipt(code, reading, text)
  }
}

/** The half of the hash that the counter's cipher does not use. */
function nameOf(hash: Buffer): Buffer {
  return hash.subarray(16)
}
