// Totals of a French queue: blocks of amounts, what a receipt adds, and what a closing moves.
import { z } from 'zod'
import { Decimal } from '../../lib/decimal.js'
import { CHARGE_BUCKETS, PAY_BUCKETS, type Period } from './cases.js'
import lists from './lists.json' with { type: 'json' }
import type { Letter } from './rows.js'

export const BLOCK = ['total', ...CHARGE_BUCKETS, ...PAY_BUCKETS] as const
export type BlockMember = (typeof BLOCK)[number]

/** Chains that have totals, and members of them that the status shows. */
export const COUNTED: Partial<Record<Letter, readonly BlockMember[]>> = {
  ...{ T: BLOCK, P: BLOCK, I: BLOCK, B: BLOCK, X: ['total'] },
}

/** What the status calls them; tables of documents leave out `Total`. */
export const NAMES: Readonly<Record<BlockMember, string>> = lists.totals

/** Amounts as exact texts; a bucket without item is not there. */
export type Amounts = Readonly<Partial<Record<BlockMember, string>>>

const AMOUNT = /^-?\d+(\.\d+)?$/

/** Looked at with every receipt: a schema of its members takes ten times as long. */
export const amounts = z.custom<Amounts>(
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(value).every(
      ([name, one]) => name in NAMES && typeof one === 'string' && AMOUNT.test(one),
    ),
)

/** A perpetual total goes on over the years, and has no payments. */
export const PERPETUAL = ['total', ...CHARGE_BUCKETS] as const

export const perpetualName = (member: BlockMember): string =>
  `Perpetual${member === 'total' ? 'Total' : NAMES[member]}`

/** Sum of two, member by member. */
export function plus(one: Amounts, other: Amounts): Amounts {
  const sum: Partial<Record<BlockMember, string>> = { ...one }
  for (const member of BLOCK) {
    const added = other[member]
    if (added === undefined) continue
    const before = sum[member]
    sum[member] =
      before === undefined ? added : Decimal.of(before).plus(Decimal.of(added)).toShortString()
  }
  return sum
}

export type Periods = Readonly<Record<Period, Amounts>>

export const NO_PERIODS: Periods = { shift: {}, day: {}, month: {}, year: {}, archive: {} }

/** A ticket or an invoice: month and year get it when the day is closed. */
export function sold(periods: Periods, by: Amounts): Periods {
  const { shift, day, archive } = periods
  return { ...periods, shift: plus(shift, by), day: plus(day, by), archive: plus(archive, by) }
}

/** Longer periods take over what the shorter one had. */
const NEXT: Readonly<Partial<Record<Period, Period>>> = { day: 'month', month: 'year' }

/** Ends periods: each is reported with all that the shorter ones gave to it. */
export function closed(
  periods: Periods,
  ended: readonly Period[],
): { reported: Periods; after: Periods } {
  const reported: Record<Period, Amounts> = { ...periods }
  for (const period of ended) {
    const next = NEXT[period]
    if (next !== undefined) reported[next] = plus(reported[next], reported[period])
  }
  const after = { ...reported }
  for (const period of ended) after[period] = {}
  return { reported, after }
}
