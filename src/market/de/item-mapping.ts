// From the v2 charge item and pay item cases to the v0/v1 tables of item-cases.ts.
import type { Decimal } from '../../lib/decimal.js'
import type { ChargeItem, PayItem } from '../../model/receipt.js'
import { effectiveAmount, itemFlags } from './item-cases.js'

export interface ItemCode {
  /** v0/v1 code. */
  code: number
  /** v0/v1 flags, bits 16 to 31. */
  flags: number
}

// ------------------------------------------------------------------ charge items

const v2Flags = {
  void: 0x0001,
  refund: 0x0002,
  discount: 0x0004,
  downPayment: 0x0008,
  returnable: 0x0010,
  takeAway: 0x0020,
} as const
const INVERTED = v2Flags.void | v2Flags.refund

const UNKNOWN_RATE = 0
const NOT_TAXABLE = 8
const NATURE_REVERSE_CHARGE = 5

/** Place in a group of seven codes by V; V 2, 6 and unknown values have no German rate. */
const offsets: Record<number, number> = { 3: 1, 1: 2, 4: 3, 5: 4, 8: 5, 7: 6 }
const NO_OFFSET = 7

/** V by the rate in percent, also the average rates of earlier years (§ 24 (1) UStG). */
const vatOfRate: Record<string, number> = {
  '19': 3,
  '7': 1,
  '10.7': 4,
  '9.5': 4,
  '9': 4,
  '8.4': 4,
  '7.8': 4,
  '5.5': 5,
  '0': 7,
}

/** Second half of 2020: reduced rates of the second Corona tax relief act. */
const relief: Record<string, number> = { '16': 3, '5': 1 }
const RELIEF_FROM = Date.parse('2020-06-30T22:00:00Z')
const RELIEF_TO = Date.parse('2020-12-31T23:00:00Z')

/** V of version 2 for a rate at a time; 0 where no German rate fits. */
export function vatByRate(rate: Decimal, at: number): number {
  const text = rate.toShortString()
  const inRelief = at >= RELIEF_FROM && at < RELIEF_TO
  return vatOfRate[text] ?? (inRelief ? relief[text] : undefined) ?? UNKNOWN_RATE
}

interface ChargeParts {
  vat: number
  service: number
  flags: number
  positive: boolean
  item: ChargeItem
}

/** Goods and services by S; catalogue services and unknown ones have base 00. */
const serviceBases: Record<number, number> = { 1: 0x10, 2: 0x18 }

type Special = (parts: ChargeParts) => number

const groupCode = (base: number, vat: number): number => base + (offsets[vat] ?? NO_OFFSET)

/** Services with a business case of their own. */
const services: Record<number, Special> = {
  3: ({ vat }) => (vat === NOT_TAXABLE ? 0x59 : groupCode(0x50, vat)),
  4: ({ vat, positive }) => {
    const base = positive ? 0x60 : 0x68
    return vat === NOT_TAXABLE ? base : groupCode(base, vat)
  },
  6: () => 0xa2,
  7: ({ vat }) => groupCode(0x40, vat),
  8: ({ vat }) => (vat === NOT_TAXABLE ? 0x49 : groupCode(0x40, vat)),
  9: ({ vat, positive }) => groupCode(positive ? 0x78 : 0x70, vat),
  10: (parts) => cashTransfer(parts),
}

/** A cash transfer is told apart by the product group of its item. */
function cashTransfer({ item, positive }: ChargeParts): number {
  const group = (item.productGroup ?? '').toLowerCase()
  if (group === 'emptytill') return 0x90
  if (group === 'owner') return positive ? 0x92 : 0x91
  if (group === 'employee') return 0x94
  if (group === 'cashbook') return positive ? 0x95 : 0x96
  return group === 'cashdifference' ? 0x97 : 0x93
}

/** Base of an item with a flag that makes it another business case. */
function flaggedBase({ flags, positive }: ChargeParts): number | undefined {
  if ((flags & v2Flags.returnable) !== 0) {
    return (flags & v2Flags.refund) !== 0 || !positive ? 0x28 : 0x20
  }
  if ((flags & v2Flags.discount) !== 0) return positive ? 0x38 : 0x30
  if ((flags & v2Flags.downPayment) !== 0) return positive ? 0x80 : 0x88
  return undefined
}

/** The v0/v1 charge item case of a v2 code `NNSV` with its flags; `moment` of the receipt. */
export function chargeCodeOf(
  word: { code: number; flags: number },
  item: ChargeItem,
  moment: Date,
): ItemCode {
  const flags = (word.flags & v2Flags.takeAway) === 0 ? 0 : itemFlags.takeAway
  const service = (word.code >>> 4) & 0xf
  const sent = word.code & 0xf
  const at = (item.moment ?? moment).getTime()
  if (sent === 0 && isPlain(service, word.flags)) return { code: 0, flags }
  const vat = sent === 0 ? vatByRate(item.vatRate, at) : sent
  const parts = { vat, service, flags: word.flags, positive: isPositive(word.flags, item), item }
  if (sent === NOT_TAXABLE && word.code >>> 12 === NATURE_REVERSE_CHARGE) {
    return { code: 0xa1, flags }
  }
  const special = services[service]
  if (special !== undefined) return { code: special(parts), flags }
  return { code: groupCode(flaggedBase(parts) ?? serviceBases[service] ?? 0, vat), flags }
}

const BUSINESS_FLAGS = v2Flags.returnable | v2Flags.discount | v2Flags.downPayment
const LAST_SERVICE = 0xa

/** A sale of an unknown kind; services B to F have no meaning of their own and count as such. */
function isPlain(service: number, flags: number): boolean {
  return (service === 0 || service > LAST_SERVICE) && (flags & BUSINESS_FLAGS) === 0
}

/** The sign that the business case goes by: void and refund turn it around; 0 is positive. */
function isPositive(flags: number, item: ChargeItem): boolean {
  const positive = !effectiveAmount(item, 0).isNegative
  return (flags & INVERTED) === 0 ? positive : !positive
}

// --------------------------------------------------------------------- pay items

const FOREIGN = 0x0010
const CHANGE = 0x0020
const TIP = 0x0040
const DOWN_PAYMENT = 0x0008
const CASH = 0x01
const RECEIVABLE = 0x09
const TRANSFER = 0x0c

/** v2 pay codes `PP` without the three that look at flags or groups. */
const payTable: Record<number, number> = {
  0: 0x00,
  2: 0x06,
  3: 0x03,
  4: 0x04,
  5: 0x05,
  6: 0x0d,
  7: 0x06,
  8: 0x07,
  10: 0x08,
  11: 0x09,
  13: 0x0a,
  14: 0x11,
  15: 0x0d,
}

const moneyGroups: Record<string, number> = {
  emptytill: 0x12,
  owner: 0x13,
  till: 0x14,
  employee: 0x15,
  cashbook: 0x16,
  cashdifference: 0x17,
}
const TILL = 0x14

/** The v0/v1 pay item case of a v2 code with its flags. */
export function payCodeOf(word: { code: number; flags: number }, item: PayItem): ItemCode {
  return { code: payCode(word.code & 0xff, word.flags, item), flags: 0 }
}

function payCode(kind: number, flags: number, item: PayItem): number {
  if (kind === CASH) return cashCode(flags)
  if (kind === RECEIVABLE) return (flags & DOWN_PAYMENT) === 0 ? 0x0e : 0x0f
  if (kind === TRANSFER) return moneyGroups[(item.moneyGroup ?? '').toLowerCase()] ?? TILL
  return payTable[kind] ?? 0x00
}

/** When several flags meet: tip, then change, then foreign money. */
function cashCode(flags: number): number {
  if ((flags & TIP) !== 0) return 0x10
  const foreign = (flags & FOREIGN) !== 0
  if ((flags & CHANGE) !== 0) return foreign ? 0x0c : 0x0b
  return foreign ? 0x02 : 0x01
}
