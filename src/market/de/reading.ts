// What a receipt asks for, and what the TSE signs of it (processData).
import type { CasedRequest } from '../../case/reader.js'
import {
  foreignItem,
  foreignReceipt,
  isRounded,
  roundedItem,
  type Unread,
  unknownReceipt,
} from '../../case/refusals.js'
import type { Tagging, Word } from '../../case/word.js'
import { Decimal, formatCents } from '../../lib/decimal.js'
import { JsonObject, objectIn } from '../../lib/json.js'
import { writeJson } from '../../lib/json-write.js'
import type { ReceiptRequest } from '../../model/receipt.js'
import { type Refusal, refuse } from '../kit/refusal.js'
import {
  type BonType,
  bonTypeOf,
  caseOf,
  type ProcessType,
  processTypes,
  type ReceiptCase,
  receiptFlags,
} from './cases.js'
import {
  type Bucket,
  bucketOf,
  buckets,
  effectiveAmount,
  effectivePayAmount,
  foreignMoney,
  isChargeCode,
  isPayCode,
  OWN_USE,
  signedForeign,
} from './item-cases.js'
import {
  type ChargeLine,
  caseRules,
  type Flow,
  linesOf,
  type PayLine,
  type ReceiptCode,
  receiptCodeOf,
} from './mapping.js'

export interface Reading {
  kind: 'reading'
  tagging: Tagging
  /** v0/v1 code. */
  code: number
  /** v0/v1 flags, bits 16 and up moved down by 16. */
  flags: number
  row: ReceiptCase
  bonType: BonType | null
  flow: Flow
  processType: ProcessType
  processData: string
  /** ftReceiptCaseData in v0/v1 form. */
  caseData: string | null
  charges: readonly ChargeLine[]
  pays: readonly PayLine[]
}

export function readReceipt(read: CasedRequest): Reading | Refusal {
  const wrong = wrongCase(read)
  if (wrong !== undefined) return refuse(wrong.message, wrong.field)
  const { request, words } = read
  const { receipt, tagging = 'v0' } = words
  const { charges, pays } = linesOf(read)
  const items = { charges: charges.length, pays: pays.length }
  const code = tagging === 'v0' ? codeV0(receipt) : receiptCodeOf(receipt, items)
  const row = code === undefined ? undefined : caseOf(code.code, items)
  if (code === undefined || row === undefined || isRounded(read)) {
    const { message, field } = unknownReceipt(read, 'is not known')
    return refuse(message, field)
  }
  const bonType = bonTypeOf(row, (code.flags & receiptFlags.training) !== 0)
  const isVoid = (code.flags & receiptFlags.void) !== 0
  const processData = dataOf(row, { bonType, charges, pays, isVoid })
  if (typeof processData !== 'string') return processData
  const caseData = caseDataOf(request, tagging)
  return {
    kind: 'reading',
    tagging,
    code: code.code,
    flags: code.flags,
    row,
    bonType,
    flow: code.flow,
    processType: row.processType,
    processData,
    caseData,
    charges,
    pays,
  }
}

function wrongCase(read: CasedRequest): Unread | undefined {
  const foreign = foreignReceipt(read, caseRules) ?? foreignItem(read, caseRules)
  if (foreign !== undefined || read.words.tagging === 'v2') return foreign
  return isRounded(read) ? undefined : roundedItem(read, isInTable)
}

/** Of either kind of item: what is meant is told apart by whoever reads it. */
function isInTable({ version, code }: Word): boolean {
  return version === 2 || isChargeCode(code) || isPayCode(code)
}

/** Bits 32 and 33 are flags like those below them. */
function codeV0({ code, flags, local }: Word): ReceiptCode {
  const all = flags | ((local & 0x3) << 16)
  return { code, flags: all, flow: (all & receiptFlags.implicit) === 0 ? 'explicit' : 'implicit' }
}

interface Content {
  bonType: BonType | null
  charges: readonly ChargeLine[]
  pays: readonly PayLine[]
  isVoid: boolean
}

function dataOf(row: ReceiptCase, { bonType, isVoid, ...items }: Content): string | Refusal {
  if (row.processType === processTypes.order) return orderData(items.charges)
  if (row.processType !== processTypes.receipt || bonType === null) return row.text
  return receiptData(bonType, items, isVoid)
}

/** The PosSystem API wraps the text of v0/v1 into an object, whose value may be one too. */
export function caseDataOf({ receiptCaseData }: ReceiptRequest, tagging: Tagging): string | null {
  if (receiptCaseData === null) return receiptCaseData
  // a case of v0 comes with such an object only from there
  if (tagging === 'v0' && !receiptCaseData.includes('"DE"')) return receiptCaseData
  const inner = objectIn(receiptCaseData)?.get('DE')
  if (inner instanceof JsonObject) return writeJson(inner)
  return typeof inner === 'string' ? inner : receiptCaseData
}

// ------------------------------------------------------------------------------------- processData

export interface Items {
  charges: readonly ChargeLine[]
  pays: readonly PayLine[]
}

/** Amounts and payments of an automatic cancellation. */
export const CANCELLED = 'AVBelegabbruch^0.00_0.00_0.00_0.00_0.00^'

/** `Beleg^11.90_5.35_0.00_0.00_0.00^10.00:Bar_7.25:Unbar` */
export function receiptData(bonType: BonType, items: Items, isVoid: boolean): string | Refusal {
  const payments = paymentField(items.pays)
  if (typeof payments !== 'string') return payments
  const amounts = amountField(items, isVoid)
  if (typeof amounts !== 'string') return amounts
  return `${bonType}^${amounts}^${payments}`
}

/** In cents: sums have at most 13 digits before the point, as amounts have. */
const LARGEST_SUM = 10n ** 15n - 1n

function fits(cents: readonly bigint[]): boolean {
  return cents.every((sum) => absolute(sum) <= LARGEST_SUM)
}

function tooLarge(field: string): Refusal {
  return refuse('The sum of the items has more than 13 digits before the point.', field)
}

/** Exact sums per tax rate, each rounded once, half away from zero. */
function amountField({ charges, pays }: Items, isVoid: boolean): string | Refusal {
  const { ZERO } = Decimal
  const sums: [Decimal, Decimal, Decimal, Decimal, Decimal] = [ZERO, ZERO, ZERO, ZERO, ZERO]
  const add = (bucket: Bucket, amount: Decimal): void => {
    sums[bucket] = sums[bucket].plus(amount)
  }
  for (const { found, flags, item } of charges) {
    add(bucketOf(found, item.vatRate), effectiveAmount(item, flags))
  }
  for (const { found, code, flags, item } of pays) {
    if (found.kind !== 'line') continue
    const amount = effectivePayAmount(code, item, flags)
    add(buckets.zero, code === OWN_USE && isVoid ? amount : amount.negated())
  }
  const cents = sums.map((sum) => sum.toCents())
  const total = cents.reduce((all, one) => all + one, 0n)
  if (!fits([...cents, total])) return tooLarge('cbChargeItems')
  let text = ''
  for (const one of cents) text += `${text === '' ? '' : '_'}${amountText(one)}`
  return text
}

const amountText = (cents: bigint): string => (cents === 0n ? '0.00' : formatCents(cents, '.'))

/** Sums per kind and currency in ordinal order: Bar, Bar:CHF, Unbar, Unbar:CHF; no zeros. */
function paymentField(pays: readonly PayLine[]): string | Refusal {
  const sums = new Map<string, Decimal>()
  for (const [at, line] of pays.entries()) {
    if (line.found.kind === 'line') continue
    const payment = paymentOf(line)
    if (payment === undefined) return missingCurrency(at)
    sums.set(payment.key, (sums.get(payment.key) ?? Decimal.ZERO).plus(payment.amount))
  }
  const paid = Array.from(sums, ([key, sum]) => ({ key, cents: sum.toCents() }))
  const total = paid.reduce((all, { cents }) => all + cents, 0n)
  if (!fits([total, ...paid.map(({ cents }) => cents)])) return tooLarge('cbPayItems')
  return paid
    .filter(({ cents }) => cents !== 0n)
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ key, cents }) => `${formatCents(cents, '.')}:${key}`)
    .join('_')
}

interface Payment {
  key: string
  amount: Decimal
}

function paymentOf({ found, flags, item }: PayLine): Payment | undefined {
  const own = { key: found.kind, amount: effectiveAmount(item, flags) }
  if (found.foreign === 'never') return own
  const money = foreignMoney(item.payItemCaseData)
  if (money === undefined) return found.foreign === 'always' ? undefined : own
  if (money === 'euro') return own
  return {
    key: `${found.kind}:${money.currency}`,
    amount: signedForeign(money.amount, own.amount),
  }
}

function missingCurrency(at: number): Refusal {
  const field = `cbPayItems[${at}].ftPayItemCaseData`
  return refuse(
    'A payment in foreign currency needs ftPayItemCaseData with foreignCurrencySymbol (ISO ' +
      '4217; in versions 0 and 1 CurrencyCode) and foreignCurrencyAmount.',
    field,
  )
}

// ------------------------------------------------------------------------- orders

const LINE_END = '\r'
// a line of its own in the middle of a text would be another order
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g
const QUANTITY_DECIMALS = 10

/** `2;"Eisbecher ""Himbeere""";3.99`, lines joined with CR. */
export function orderData(charges: readonly ChargeLine[]): string | Refusal {
  const lines: string[] = []
  const total = charges.reduce((sum, { item }) => sum.plus(item.amount), Decimal.ZERO)
  if (!fits([total.toCents()])) return tooLarge('cbChargeItems')
  for (const [at, { item }] of charges.entries()) {
    if (item.quantity.isZero && !item.amount.isZero) {
      const field = `cbChargeItems[${at}].Quantity`
      return refuse('The quantity of an order line with an amount must not be 0.', field)
    }
    const { quantity, amount } = item
    const turned = amount.isNegative && quantity.isPositive
    const count = rounded(turned ? quantity.negated() : quantity, QUANTITY_DECIMALS)
    const text = item.description.replace(CONTROL, ' ').replaceAll('"', '""')
    const price = unitPrice(amount, quantity)
    if (!fits([price])) {
      const field = `cbChargeItems[${at}].Quantity`
      return refuse('The price of one has more than 13 digits before the point.', field)
    }
    lines.push(`${count.toShortString()};"${text}";${formatCents(price, '.')}`)
  }
  return lines.join(LINE_END)
}

/** |amount / quantity| in cents, half up; 0 for nothing. */
function unitPrice(amount: Decimal, quantity: Decimal): bigint {
  if (quantity.isZero) return 0n
  const dividend = absolute(amount.units) * 10n ** BigInt(quantity.scale + 2)
  const divisor = absolute(quantity.units) * 10n ** BigInt(amount.scale)
  return (dividend * 2n + divisor) / (divisor * 2n)
}

const absolute = (value: bigint): bigint => (value < 0n ? -value : value)

/** At most so many decimals, halves away from zero. */
function rounded(value: Decimal, scale: number): Decimal {
  if (value.scale <= scale) return value
  const divisor = 10n ** BigInt(value.scale - scale)
  const half = divisor / 2n
  const units = (absolute(value.units) + half) / divisor
  return new Decimal(value.isNegative ? -units : units, scale)
}
