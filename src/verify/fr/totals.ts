// Totals: what documents say, what the items of a receipt add up to, and the replay of tickets and
// invoices, with which closings and archives are compared.
import { amountOf, amountText } from '../amount.js'
import type { Payload } from '../jws.js'
import { sumsOf } from '../wire.js'
import { raised } from './cases.js'
import lists from './lists.json' with { type: 'json' }
import type { Report } from './rules.js'

/** Total and rates, then kinds of payment. */
const MEMBERS = [...lists.sums, ...lists.payments]
const FIRST_PAYMENT = lists.sums.length

/** An amount for each member. */
export type Block = readonly bigint[]
const NOTHING: Block = MEMBERS.map(() => 0n)

/** The members with this prefix (`d-`); undefined: none of them is there. */
export function blockOf(payload: Payload, prefix: string): Block | undefined {
  if (!MEMBERS.some((member) => payload.has(prefix + member))) return undefined
  return MEMBERS.map((member) => amountOf(payload.get(prefix + member) ?? '0') ?? 0n)
}

/** The total is the sum of the rates. */
export const isSum = ([total, ...rest]: Block): boolean =>
  rest.slice(0, FIRST_PAYMENT - 1).reduce((sum, one) => sum + one, 0n) === total

/** `expected total 13, found 12.5`; undefined: they are the same. */
export function difference(expected: Block, found: Block, count = MEMBERS.length) {
  const at = expected.findIndex((value, place) => place < count && value !== found[place])
  if (at < 0) return undefined
  const [wanted, is] = [expected, found].map((block) => amountText(block[at] ?? 0n))
  return `expected ${MEMBERS[at]} ${wanted}, found ${is}`
}

/** What the items add up to; undefined: their cases do not tell. */
export function amountsOf(request: string): Block | undefined {
  const sums = sumsOf(request, raised)
  return sums && MEMBERS.map((member) => sums.get(member) ?? 0n)
}

/** Shift, day, month, year, archive, perpetual. */
const PERIODS = [...'sdmyap']
/** Of members: of the receipt itself, and of periods. */
export const PREFIXES = ['', ...PERIODS.map((period) => `${period}-`)]
const RAISED = [...'sdap']
/** Where a period goes when it ends: day into month, month into year. */
const NEXT: Readonly<Record<string, string>> = { d: 'm', m: 'y' }

export class Totals {
  private readonly report: Report
  /** Those that are not there are not known: the file is a slice, and nothing has told them. */
  private readonly known: Map<string, Block>

  /** `isBeginning`: nothing stands before the first document. */
  constructor(report: Report, isBeginning: boolean) {
    this.report = report
    this.known = new Map(isBeginning ? PERIODS.map((period) => [period, NOTHING]) : [])
  }

  sold(block: Block): void {
    for (const period of RAISED) this.add(period, block)
  }

  /** A document of the chains G and A; what is told counts from here on: a fault is told once. */
  closed(payload: Payload, { rid, ends }: { rid: string; ends: string }): void {
    for (const period of ends) this.add(NEXT[period] ?? '', this.known.get(period))
    for (const period of PERIODS) this.compare(period, blockOf(payload, `${period}-`), rid)
    for (const period of ends) this.known.set(period, NOTHING)
  }

  /** A perpetual total has no payments. */
  private compare(period: string, told: Block | undefined, rid: string): void {
    if (told === undefined) return
    const [code, count] =
      period === 'p' ? (['PERPETUAL_WRONG', FIRST_PAYMENT] as const) : (['TOTAL_WRONG'] as const)
    const known = this.known.get(period)
    const wrong = known && difference(known, told, count)
    if (wrong !== undefined) this.report(code, rid, `${period}-: ${wrong}`)
    this.known.set(period, told)
  }

  /** A sum of what is not known is not known either. */
  private add(period: string, block: Block | undefined): void {
    const sum = block && this.known.get(period)?.map((value, at) => value + (block[at] ?? 0n))
    if (sum === undefined) this.known.delete(period)
    else this.known.set(period, sum)
  }
}
