// Which receipts are signed and counted, and their amounts per rate: exact sums per bucket, rounded
// once to whole cents (RKSV Annex).
import { Decimal, formatCents } from '../../lib/decimal.js'
import { RECEIVABLE, receiptCases } from './cases.js'
import type { ChargeLine, Reading } from './reading.js'

export interface Verdict {
  sign: boolean
  count: boolean
}

export interface Decision extends Verdict {
  /** Sum of the decision bits. */
  number: number
  /** Labels of the exceptions in order, e.g. A2 or A1S. */
  label: string
  /** What the table alone says. */
  table: Verdict
  /** Exceptions that took effect, with the verdict after each. */
  effects: readonly (Verdict & { exception: string })[]
}

const CASH = 1
const NO_TURNOVER = 2
const TURNOVER = 4
const TRAINING = 8
const ENTERED_LATER = 16
const DUTY = 32

const SIGNED_WHEN_ALL = CASH | TURNOVER | DUTY
const COUNTED: ReadonlySet<number> = new Set([37, 39, 53, 55])

export function decide(reading: Reading): Decision {
  const number = decisionNumber(reading)
  const sign = (number & TRAINING) !== 0 || (number & SIGNED_WHEN_ALL) === SIGNED_WHEN_ALL
  const table = { sign, count: COUNTED.has(number) }
  const found = exceptions(reading, (number & CASH) !== 0)
  const ending = reading.void ? 'S' : ''
  // nearly every receipt
  if (found.length === 0) {
    const { count } = table
    return { sign, count, number, label: ending, table, effects: NO_EFFECTS }
  }
  const label = found.map(({ name }) => name).join('') + ending
  // every exception that takes effect says the same: sign, and count unless it is training
  const effects = found
    .filter(({ effective }) => effective)
    .map(({ name }) => ({
      exception: name,
      sign: true,
      count: table.count || !reading.training,
    }))
  const { sign: signed, count } = effects.at(-1) ?? table
  return { sign: signed, count, number, label, table, effects }
}

function decisionNumber(reading: Reading): number {
  let number = 0
  for (const { cash } of reading.pays) if (cash) number |= CASH
  for (const { row } of reading.charges) {
    if (row.obligation) number |= CASH
    number |= row.turnover ? TURNOVER : NO_TURNOVER
  }
  if (reading.training) number |= TRAINING
  if (reading.lateSigning || reading.handwritten) number |= ENTERED_LATER
  if (reading.code <= receiptCases.yearly) number |= DUTY
  return number
}

const NO_EFFECTS: Decision['effects'] = Object.freeze([])

interface Exception {
  name: string
  effective: boolean
}

/** Amounts of a void receipt come negative and are looked at as if they were not. */
function exceptions(reading: Reading, cash: boolean): Exception[] {
  const { code, charges, pays } = reading
  const result: Exception[] = []
  if (pays.length === 0) result.push({ name: 'A1', effective: changesTurnover(reading) })
  if (!cash) return result
  for (const pay of pays) {
    if (pay.code !== RECEIVABLE || !isNegative(reading, pay.amount)) continue
    result.push({ name: 'A2', effective: true })
    break
  }
  const invoice = code === receiptCases.invoice
  if (
    (invoice || code === receiptCases.payIn) &&
    charges.some(({ row, item }) => row.obligation && isPositive(reading, item.amount))
  ) {
    result.push({ name: 'A3', effective: true })
  }
  if (invoice && pays.some((pay) => pay.cash && isPositive(reading, pay.amount))) {
    result.push({ name: 'A4', effective: true })
  }
  return result
}

const isPositive = (reading: Reading, amount: Decimal): boolean =>
  reading.void ? amount.isNegative : amount.isPositive
const isNegative = (reading: Reading, amount: Decimal): boolean =>
  reading.void ? amount.isPositive : amount.isNegative

/** A1 takes effect when own turnover, or the tax in it, does not cancel out. */
function changesTurnover({ code, charges }: Reading): boolean {
  if (code === receiptCases.protocol) return false
  const own = charges.filter(({ row }) => row.turnover && !row.obligation)
  return !sum(own, ({ item }) => item.amount).isZero || !sum(own, taxOf).isZero
}

const PERCENT = Decimal.of('0.01')

function taxOf({ item }: ChargeLine): Decimal {
  return item.vatAmount ?? item.vatRate.times(PERCENT).times(item.amount)
}

function sum(lines: readonly ChargeLine[], of: (line: ChargeLine) => Decimal): Decimal {
  return lines.reduce((total, line) => total.plus(of(line)), Decimal.ZERO)
}

// ----------------------------------------------------------------------------------------- amounts

/** Whole cents in the order of the machine-readable code: Normal, Erm1, Erm2, Null, Besonders. */
export type Cents = readonly [bigint, bigint, bigint, bigint, bigint]

export const NO_AMOUNTS: Cents = [0n, 0n, 0n, 0n, 0n]

/**
 * Sums the lines per bucket exactly and rounds each sum half away from zero. What is printed and
 * what the turnover counter grows by are these same cents, so the two never drift apart.
 */
export function bucketCents(lines: readonly ChargeLine[]): Cents {
  const quick = quickCents(lines)
  if (quick !== undefined) return quick
  const { ZERO } = Decimal
  const sums = [ZERO, ZERO, ZERO, ZERO, ZERO] satisfies Decimal[]
  for (const { row, item } of lines) {
    const sum = sums[row.bucket]
    sums[row.bucket] = sum === undefined || sum === ZERO ? item.amount : sum.plus(item.amount)
  }
  const [normal = ZERO, erm1 = ZERO, erm2 = ZERO, zero = ZERO, besonders = ZERO] = sums
  return [normal.toCents(), erm1.toCents(), erm2.toCents(), zero.toCents(), besonders.toCents()]
}

/** Of amounts in whole cents, in doubles while these are exact: nearly every receipt. */
function quickCents(lines: readonly ChargeLine[]): Cents | undefined {
  const sums = [0, 0, 0, 0, 0]
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at]
    if (line === undefined) continue
    const { units, scale } = line.item.amount
    const { bucket } = line.row
    const cents = Number(units) * 10 ** (2 - scale)
    const sum = (sums[bucket] ?? 0) + cents
    if (scale > 2 || !Number.isSafeInteger(cents) || !Number.isSafeInteger(sum)) return undefined
    sums[bucket] = sum
  }
  return [centsOf(sums[0]), centsOf(sums[1]), centsOf(sums[2]), centsOf(sums[3]), centsOf(sums[4])]
}

const centsOf = (sum: number | undefined): bigint => (sum ? BigInt(sum) : 0n)

export function totalCents([normal, erm1, erm2, zero, besonders]: Cents): bigint {
  return normal + erm1 + erm2 + zero + besonders
}

const ZERO_TEXT = '0,00'

/** `12,00_23,90_4,50_0,00_3,15`: fields 5 to 9 of the machine-readable code. */
export function amountFields([normal, erm1, erm2, zero, besonders]: Cents): string {
  const first = `${field(normal)}_${field(erm1)}_${field(erm2)}`
  return `${first}_${field(zero)}_${field(besonders)}`
}

const field = (amount: bigint): string => (amount === 0n ? ZERO_TEXT : formatCents(amount, ','))
