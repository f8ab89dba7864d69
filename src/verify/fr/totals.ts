// Replays tickets and invoices, and compares what closings and archives report.
import { type Block, blockOf, difference, type Payload, plus, WITHOUT_PAYMENTS } from './payload.js'
import type { Report } from './rules.js'

/** Shift, day, month, year, archive. */
const PERIODS = ['s', 'd', 'm', 'y', 'a'] as const
type Period = (typeof PERIODS)[number]

const NOTHING: Block = new Map()

/** What ends with a closing, by its case; day goes into month, month into year. */
const ENDS: Readonly<Record<number, readonly Period[]>> = {
  4: ['s'],
  5: ['d'],
  6: ['d', 'm'],
  7: ['d', 'm', 'y'],
  16: ['d'],
  17: ['d', 'm', 'y'],
  21: ['d', 'a'],
}
const NEXT: Readonly<Partial<Record<Period, Period>>> = { d: 'm', m: 'y' }

export class Totals {
  private readonly report: Report
  /** Those that are not there are not known: the file is a slice, and nothing has told them. */
  private readonly known = new Map<Period, Block>()
  private perpetual: Block | undefined

  /** `isBeginning`: nothing stands before the first document. */
  constructor(report: Report, isBeginning: boolean) {
    this.report = report
    if (!isBeginning) return
    for (const period of PERIODS) this.known.set(period, NOTHING)
    this.perpetual = NOTHING
  }

  sold(block: Block | undefined): void {
    for (const period of ['s', 'd', 'a'] as const) this.add(period, block)
    if (this.perpetual !== undefined) this.perpetual = plus(this.perpetual, block)
  }

  /** A document of the chains G and A. */
  closed(payload: Payload, { rid, code }: { rid: string; code: number }): void {
    const ends = ENDS[code] ?? []
    for (const period of ends) {
      const next = NEXT[period]
      const own = this.known.get(period)
      if (next !== undefined && own === undefined) this.known.delete(next)
      else if (next !== undefined) this.add(next, own)
    }
    for (const period of PERIODS) this.compare(payload, period, rid)
    for (const period of ends) this.known.set(period, NOTHING)
    const told = blockOf(payload, 'p-')
    const wrong =
      this.perpetual === undefined || told === undefined
        ? undefined
        : difference(this.perpetual, told, WITHOUT_PAYMENTS)
    if (wrong !== undefined) this.report('PERPETUAL_WRONG', rid, wrong)
    this.perpetual = told ?? this.perpetual
  }

  /** What is told counts from here on: one fault is told once. */
  private compare(payload: Payload, period: Period, rid: string): void {
    const told = blockOf(payload, `${period}-`)
    if (told === undefined) return
    const known = this.known.get(period)
    const wrong = known === undefined ? undefined : difference(known, told)
    if (wrong !== undefined) this.report('TOTAL_WRONG', rid, `${period}-: ${wrong}`)
    this.known.set(period, told)
  }

  private add(period: Period, block: Block | undefined): void {
    const known = this.known.get(period)
    if (known !== undefined) this.known.set(period, plus(known, block))
  }
}
