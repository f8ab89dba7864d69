// The chain of receipts (RKSV § 9 (2), Annex): judges a receipt when the next one is known, so that
// a fault is told of the receipt that has it and not of its neighbours.
import { chainOver, digest } from './primitives.js'
import type { Reading } from './reading.js'
import type { Reporter } from './reporter.js'
import { RowChecks } from './row-checks.js'
import type { CounterFault, TurnoverCheck } from './turnover.js'

/** How a receipt stands to its neighbours. */
interface Standing {
  /** SHA-256 of Kassen-ID and Belegnummer: initial block of the counter, and name of the number. */
  hash: Buffer
  /** Not chained to the receipt before, and that is not known to be the fault of that one. */
  hole: boolean
  /** The next receipt is chained to exactly this text. */
  followed: boolean
  /** There is a next receipt, and it is not. */
  torn: boolean
}

interface SequenceTools {
  turnover: TurnoverCheck | undefined
  /** Austrian local time, '' when receipts are not to be compared with it. */
  now: string
}

export class Sequence {
  private readonly reporter: Reporter
  private readonly turnover: TurnoverCheck | undefined
  private readonly checks: RowChecks
  private held: Reading | undefined
  /** The last receipt that has its place in the row. */
  private last: Reading | undefined
  /** The chaining value that the next receipt must carry. */
  private head = ''
  /**
   * The last receipt was changed after signing: the next one cannot fit, which is not its fault.
   */
  private excused = false
  /** The chaining value before the first receipt is known: a slice of a chain is judged. */
  private isSlice = false

  constructor(reporter: Reporter, { turnover, now }: SequenceTools) {
    this.reporter = reporter
    this.turnover = turnover
    this.checks = new RowChecks(reporter, now)
  }

  /** The first receipt must continue this chaining value. */
  startAfter(chain: string): void {
    this.head = chain
    this.isSlice = true
    this.forget()
  }

  push(next: Reading): void {
    this.held = this.held === undefined ? next : this.judge(this.held, next)
  }

  finish(): void {
    if (this.held !== undefined) this.judge(this.held, undefined)
    this.held = undefined
    if (this.turnover?.neverRight) {
      const text = 'expected the AES key of this cash register: not one counter can be read with it'
      this.reporter.file('KEY_WRONG', text)
    }
  }

  /** Judges a receipt in the light of the next one; returns which receipt is judged after it. */
  private judge(current: Reading, next: Reading | undefined): Reading | undefined {
    if (this.isFirst) this.head = chainOver(current.cashBox || (next?.cashBox ?? ''))
    const hole = current.chain !== this.head && !this.excused
    if (hole && current.hash === this.head) {
      this.doubled(current, this.last?.position ?? 0)
      return next
    }
    const skipped = next !== undefined && next.chain === this.head && !this.excused
    if (skipped && (hole || isUnproven(current))) {
      if (hole && current.chain === next.hash) return this.swapped(current, next)
      this.inserted(current)
      return next
    }
    const followed = next !== undefined && next.chain === current.hash
    const hash = digest(current.cashBox + current.number)
    this.settle(current, { hash, hole, followed, torn: next !== undefined && !followed })
    this.head = current.hash
    this.last = current
    return next
  }

  private swapped(current: Reading, next: Reading): Reading | undefined {
    const [one, other] = [this.reporter.at(current.position), this.reporter.at(next.position)]
    const text = `expected ${one} and ${other} the other way round`
    this.reporter.receipt('RECEIPT_SWAPPED', current, text)
    this.reporter.receipt('RECEIPT_SWAPPED', next, text)
    return this.judge(next, current)
  }

  private doubled(current: Reading, first: number): void {
    const text = `expected another receipt, found that of ${this.reporter.at(first)} again`
    this.reporter.receipt('RECEIPT_DOUBLED', current, text)
  }

  /** The next receipt continues the one before: this one does not belong between them. */
  private inserted(current: Reading): void {
    this.tellFaults(current)
    const first = this.checks.positionOf(digest(current.cashBox + current.number))
    if (first !== 0) {
      this.doubled(current, first)
      return
    }
    const text = 'expected the next receipt here, which continues the one before'
    this.reporter.receipt('RECEIPT_INSERTED', current, `${text}; found one that it does not know`)
  }

  /** Gives the receipt its place in the row and checks it there. */
  private settle(current: Reading, standing: Standing): void {
    this.tellFaults(current)
    const gap = standing.hole ? this.turnover?.gap(current, standing.hash) : undefined
    if (standing.hole) this.forget()
    const lost = isUnproven(current) && !standing.followed
    const counter = lost ? undefined : this.turnover?.follow(current, standing.hash)
    if (lost || this.isAltered(current, standing, counter)) {
      this.settleAltered(current, standing)
      return
    }
    if (current.proof === 'invalid') this.tellSignature(current)
    if (standing.hole) this.tellHole(current, gap)
    this.checks.follow(current, {
      hash: standing.hash,
      first: this.isFirst,
      hole: standing.hole,
      counter,
    })
    this.excused = standing.torn && current.faults.length > 0
  }

  /**
   * Without a signature two contradictions show a change: the next receipt's, and one of its own.
   */
  private isAltered(
    current: Reading,
    standing: Standing,
    counter: CounterFault | undefined,
  ): boolean {
    const unsigned = current.proof === 'failed' || current.proof === 'unchecked'
    return unsigned && standing.torn && (standing.hole || counter !== undefined)
  }

  private settleAltered(current: Reading, standing: Standing): void {
    if (!standing.torn) {
      if (current.proof === 'invalid') this.tellSignature(current)
    } else if (current.proof !== 'broken') {
      const what = current.proof === 'invalid' ? 'neither its signature nor' : 'not'
      const text = `expected an unchanged receipt, found one that ${what} the next receipt confirms`
      this.reporter.receipt('RECEIPT_ALTERED', current, text)
    }
    this.forget()
    this.excused = standing.torn
  }

  private tellFaults(current: Reading): void {
    for (const fault of current.faults) this.reporter.receipt(fault.code, current, fault.text)
  }

  private tellSignature(current: Reading): void {
    const text = `expected a signature by certificate ${current.serial}, found one that is not`
    this.reporter.receipt('SIGNATURE_INVALID', current, text)
  }

  private tellHole(current: Reading, gap: string | undefined): void {
    const text = `expected the chaining value ${this.head}, found ${current.chain}`
    if (this.isFirst) {
      this.reporter.receipt('START_MISSING', current, `${text}: not the start receipt`)
    } else if (this.last === undefined) {
      this.reporter.receipt('CHAIN_BROKEN', current, `${text}: not what the slice follows`)
    } else if (this.checks.startsEarlierGroup(current)) {
      this.reporter.receipt('GROUP_ORDER', current, `${text}: the group belongs further up`)
    } else if (current.chain === chainOver(current.cashBox)) {
      this.reporter.receipt('START_NOT_FIRST', current, `${text}: that of a start receipt`)
    } else {
      this.reporter.receipt('CHAIN_BROKEN', current, text + cause(this.last, gap))
    }
  }

  private get isFirst(): boolean {
    return this.last === undefined && !this.isSlice
  }

  /** From here on counter and collective receipts are taken as they come. */
  private forget(): void {
    this.turnover?.forget()
    this.checks.forget()
  }
}

/** Its content is proven by nothing, although a signature should. */
function isUnproven(reading: Reading): boolean {
  return reading.proof === 'invalid' || reading.proof === 'broken'
}

/** What the counter and the receipt before say about a hole. */
function cause(last: Reading, gap: string | undefined): string {
  const unsigned = last.proof === 'failed' || last.proof === 'unchecked'
  const changed = unsigned ? ', or the unsigned receipt before it was changed' : ''
  if (gap === undefined) return `: a receipt is missing before it${changed}`
  if (gap === '0,00') return `: receipts that add nothing are missing before it${changed}`
  return `: receipts over ${gap} are missing before it${changed}`
}
