// Findings as the verifier writes them: which receipt, which rule, long runs of one fault folded.
import type { Finding } from '../contract.js'
import { short } from '../text.js'
import { notices, type RuleCode } from './rules.js'

/** Where a receipt stands in the file. */
export interface Place {
  /** Its Belegnummer, or '' when that cannot be read. */
  number: string
  /** 1 for the first receipt of the file. */
  position: number
  /** 1 for the first group. */
  group: number
}

interface Run {
  code: RuleCode
  first: number
  last: Place
  count: number
}

/** So many neighbours with the same fault are named one by one; the rest of the run in one line. */
const NAMED = 3

export class Reporter {
  private readonly sink: (finding: Finding) => void
  private readonly runs = new Map<RuleCode, Run>()
  /** Receipts of the export before this one, which are counted on. */
  private before = 0

  constructor(sink: (finding: Finding) => void) {
    this.sink = (finding) =>
      sink(notices.has(finding.code) ? { ...finding, notice: true } : finding)
  }

  /** So many receipts stood in the export before: positions are counted from here. */
  countFrom(before: number): void {
    this.before = before
  }

  /** A position as it is told. */
  at(position: number): string {
    return position > this.before
      ? `position ${position - this.before}`
      : `position ${position} of the export before`
  }

  /** A fault of the file or of a group as a whole. */
  file(code: RuleCode, text: string): void {
    this.sink({ code, receipt: '', text })
  }

  /**
   * A fault of one receipt. A wrong certificate would otherwise fill a line for each of a million.
   */
  receipt(code: RuleCode, place: Place, text: string): void {
    const run = this.runs.get(code)
    if (run !== undefined && run.last.position === place.position - 1) {
      run.last = place
      run.count += 1
      if (run.count > NAMED) return
    } else {
      if (run !== undefined) this.close(run)
      this.runs.set(code, { code, first: place.position, last: place, count: 1 })
    }
    this.sink({ code, receipt: this.label(place), text: `${this.at(place.position)}: ${text}` })
  }

  /** Writes what is still folded; once, at the end. */
  flush(): void {
    for (const run of this.runs.values()) this.close(run)
    this.runs.clear()
  }

  private close(run: Run): void {
    if (run.count <= NAMED) return
    const [first, last] = [run.first + NAMED - this.before, run.last.position - this.before]
    const text = `the same fault in all ${run.count - NAMED} receipts`
    this.sink({
      code: run.code,
      receipt: this.label(run.last),
      text: `positions ${first} to ${last}: ${text}`,
    })
  }

  private label(place: Place): string {
    return place.number === '' ? this.at(place.position) : cut(place.number)
  }
}

/** A text from the file, safe to print. */
export const quote = (text: string): string => JSON.stringify(cut(text))

const LONGEST = 80
const cut = (text: string): string => short(text, LONGEST)
