// What a request means to the Italian queue, and every rule that it can break by itself; the first
// one that is broken is told, before a device is asked.
import type { Cased, CasedRequest } from '../../case/reader.js'
import { chargeTraits, payTraits, receiptTraits } from '../../case/traits.js'
import { natureIn, serviceIn } from '../../case/word.js'
import type { DocumentType, PayKind, RtLine, RtPayment, VatKey } from '../../device/it/unit.js'
import { Decimal } from '../../lib/decimal.js'
import { objectIn } from '../../lib/json.js'
import type { ChargeItem } from '../../model/receipt.js'
import { knownAs, type PlainReading } from '../kit/known.js'
import type { Refusal } from '../kit/refusal.js'
import {
  type Act,
  caseRules,
  NO_RATE,
  natures,
  payments,
  rates,
  receipts,
  SUBTOTAL_OFF,
  SUBTOTAL_ON,
  services,
  ZERO_RATE,
} from './cases.js'
import { type Customer, customerOf, lotteryOf } from './customer.js'
import { refuse } from './text.js'

export interface Reading extends PlainReading {
  act: Act
  local: number
  type: DocumentType
  training: boolean
  late: boolean
  lines: RtLine[]
  /** On the whole; negative where it is taken off. */
  subtotal: bigint
  payments: RtPayment[]
  customer: Customer
  lottery: string
}

/** A tax number is not looked at where nobody is sold anything. */
const WITHOUT_BUYER: ReadonlySet<Act> = new Set(['life', 'zero', 'closing', 'copy'])

export function readReceipt(read: CasedRequest): Reading | Refusal {
  const known = knownAs(read, caseRules, receipts)
  if ('kind' in known) return known
  const { what: act, plain } = known
  const { receipt } = read.words
  const traits = receiptTraits(receipt)
  const { request } = read
  // flags of sales say nothing elsewhere
  const type = traits.void ? 'void' : traits.refund ? 'refund' : 'sale'
  const reading: Reading = {
    ...{ ...plain, act, local: receipt.local, type },
    ...{ training: traits.training, late: traits.late || traits.handwritten },
    ...{ lines: [], subtotal: 0n, payments: [], customer: customerOf(request.customer) },
    lottery: lotteryOf(request.receiptCaseData),
  }
  const { customer } = reading
  if (!customer.isValid && !WITHOUT_BUYER.has(act)) return refuse('TaxIdInvalid', [customer.taxId])
  return act === 'document' ? sold(read, reading) : reading
}

function sold({ words }: CasedRequest, reading: Reading): Refusal | Reading {
  const { charges, pays } = words
  if (charges.length === 0) return refuse('ChargeItemsMissing')
  const isTurned = reading.type !== 'sale'
  const sum = charges.reduce((all, { item }) => all.plus(item.amount), Decimal.ZERO)
  const sign = isTurned && sum.isNegative ? -1n : 1n
  for (const [at, one] of charges.entries()) {
    const wrong = charge(one, { at, reading, sign })
    if (wrong !== undefined) return wrong
  }
  const paid: RtPayment[] = []
  for (const [at, { item, code, flags }] of pays.entries()) {
    const kind = payments[code & 0xff]
    if (kind === undefined) return refuse('PaymentUnknown', [(code & 0xff).toString(16)], at)
    const { change } = payTraits({ ...words.receipt, code, flags })
    const cents = sign * item.amount.toCents()
    // the device gives change by itself: what was handed over stays
    if (change && cents < 0n) continue
    const count = Number(item.quantity.toCents() / 100n)
    const told = { kind: kind === 'left' ? unpaid(charges) : kind, text: item.description }
    if (cents >= 0n) paid.push({ ...told, cents, count: Math.max(1, count) })
    else if (!netted(paid, told.kind, cents))
      return refuse('PaymentNegative', [item.amount.toString()], at)
  }
  return { ...reading, payments: [...reading.payments, ...paid] }
}

const unpaid = (charges: readonly Cased<ChargeItem>[]): PayKind =>
  charges.every((one) => serviceIn(one) === services.service) ? 'servicesUnpaid' : 'goodsUnpaid'

/** A tip that was paid with it is taken off the payment. */
function netted(paid: RtPayment[], kind: PayKind, cents: bigint): boolean {
  const target = paid.find((one) => one.kind === kind && one.cents >= -cents)
  if (target === undefined) return false
  target.cents += cents
  return true
}

interface At {
  at: number
  reading: Reading
  sign: bigint
}

function charge(one: Cased<ChargeItem>, { at, reading, sign }: At): Refusal | undefined {
  const { item, code, local } = one
  const cents = sign * item.amount.toCents()
  if (SUBTOTAL_OFF.has(local) || SUBTOTAL_ON.has(local)) {
    const size = cents < 0n ? -cents : cents
    reading.subtotal += SUBTOTAL_OFF.has(local) ? -size : size
    return undefined
  }
  const text = item.description.trim()
  const service = serviceIn(one)
  const isMultiUse = service === services.voucher && (code & 0xf) === NO_RATE
  if (isMultiUse && cents < 0n && reading.type === 'sale') {
    // redeemed: it pays, before all other payments
    reading.payments.push({ kind: 'discount', text, cents: -cents, count: 1 })
    return undefined
  }
  const vat = vatOf(one, at)
  if (typeof vat !== 'string') return vat
  const gift = giftOf(item)
  if (cents === 0n) {
    const quantity = '1'
    reading.lines.push({ kind: gift > 0n ? 'gift' : 'note', text, quantity, cents: gift, vat })
    return undefined
  }
  const line = lineOf(one, { text, cents, vat })
  if (line === undefined) return refuse('NegativeAmount', [item.amount.toString()], at)
  if (line.kind !== 'item' && line.kind !== 'off' && reading.type !== 'sale') {
    return refuse('MixedSigns', [], at)
  }
  reading.lines.push(line)
  return undefined
}

function lineOf(
  one: Cased<ChargeItem>,
  { text, cents, vat }: { text: string; cents: bigint; vat: VatKey },
): RtLine | undefined {
  const { item } = one
  const traits = chargeTraits(one)
  if (cents < 0n) {
    const isVoucher = serviceIn(one) === services.voucher
    const kind = isVoucher ? 'voucher' : traits.downPayment ? 'deposit' : 'off'
    return { kind, text, quantity: '1', cents: -cents, vat }
  }
  if (traits.discount) return { kind: 'on', text, quantity: '1', cents, vat }
  const quantity = item.quantity.isNegative ? item.quantity.negated() : item.quantity
  const isWhole = quantity.isPositive && quantity.toShortString().split('.')[1] === undefined
  const count = isWhole ? quantity.units / 10n ** BigInt(quantity.scale) : 0n
  if (count > 0n && cents % count === 0n)
    return { kind: 'item', text, quantity: `${count}`, cents, vat }
  // two decimals do not hold its price: one piece, and the quantity in words
  const told = quantity.isZero ? text : `${quantity.toShortString()} x ${text}`
  return { kind: 'item', text: told, quantity: '1', cents, vat }
}

function vatOf(one: Cased<ChargeItem>, at: number): VatKey | Refusal {
  const { item, code } = one
  const given = code & 0xf
  const vat = given === 0 ? caseRules.vatOfRate(item.vatRate, new Date(0)) : given
  const isFree = vat === ZERO_RATE || vat === NO_RATE
  const expected = isFree ? '0' : rates[vat]
  if (expected === undefined) return refuse('VatUnknown', [`${given}`], at)
  if (item.vatRate.toShortString() !== expected) {
    return refuse('VatRateMismatch', [`${vat}`, expected, item.vatRate.toShortString()], at)
  }
  if (vat === ZERO_RATE) return 'N4'
  if (vat !== NO_RATE) return rates[vat] ?? '22'
  const service = serviceIn(one)
  if (service === services.tip || service === services.voucher) return 'N2'
  return natures[code >>> 12] ?? refuse('NatureUnknown', [natureIn(one)], at)
}

/** `{"IT":{"gift":12.00}}` beside an amount of nothing. */
function giftOf({ chargeItemCaseData }: ChargeItem): bigint {
  const text = /"gift"\s*:\s*(\d+(?:\.\d+)?)/.exec(chargeItemCaseData ?? '')?.[1] ?? '0'
  return objectIn(chargeItemCaseData ?? '') === undefined ? 0n : Decimal.of(text).toCents()
}
