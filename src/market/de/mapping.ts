// Cases of version 2 in those of version 0, for receipts, items and exports that read stored
// requests.

import type { CasedRequest } from '../../case/reader.js'
import type { CaseRules } from '../../case/rules.js'
import { isVersion2, taggingOf, type Word } from '../../case/word.js'
import type { Decimal } from '../../lib/decimal.js'
import type { ChargeItem, PayItem } from '../../model/receipt.js'
import { COUNTRY, type ItemCounts, receiptCases, receiptFlags } from './cases.js'
import {
  type ChargeCase,
  chargeCase,
  effectiveAmount,
  itemFlags,
  type PayCase,
  payCase,
  ratesOfV0,
} from './item-cases.js'

/** How the receipt uses TSE transactions; `auto`: ends the open one of its reference, or both. */
export type Flow = 'implicit' | 'explicit' | 'auto'

export interface ReceiptCode {
  /** v0/v1 code. */
  code: number
  /** v0/v1 flags, bits 16 and up moved down by 16. */
  flags: number
  flow: Flow
}

const { zero, protocol, order, foreignSales } = receiptCases

/** v2 receipt codes `txcc`; 4022 (finish migration) has no counterpart. */
const receiptTable: Record<number, number> = {
  0: 0x0000,
  1: 0x0001,
  2: 0x0011,
  3: foreignSales,
  4: foreignSales,
  5: 0x000f,
  4096: 0x000e,
  4097: 0x000d,
  4098: 0x000c,
  4099: 0x000e,
  8192: zero,
  8193: zero,
  8208: zero,
  8209: receiptCases.daily,
  8210: receiptCases.monthly,
  8211: receiptCases.yearly,
  12288: receiptCases.infoInternal,
  12289: protocol,
  12290: protocol,
  12291: 0x0012,
  12292: order,
  12293: order,
  12304: protocol,
  12305: protocol,
  16385: receiptCases.start,
  16386: receiptCases.stop,
  16401: receiptCases.initiateSwitch,
  16402: receiptCases.finishSwitch,
  16417: receiptCases.startMigration,
}

export const TECHNICAL_LOG = 0x3001
const WITHOUT_DUTY = 0x0003
const TABLE_CHECK = 0x0006
const PRO_FORMA = 0x0007

/** Local flags of a technical log: one step of an explicit transaction. */
export const transactionSteps: Record<number, { code: number; flow: Flow }> = {
  17: { code: receiptCases.startTransaction, flow: 'explicit' },
  33: { code: receiptCases.updateTransaction, flow: 'explicit' },
  49: { code: receiptCases.deltaTransaction, flow: 'explicit' },
  65: { code: receiptCases.failTransaction, flow: 'explicit' },
  64: { code: receiptCases.failTransaction, flow: 'implicit' },
}

const REFUND = 0x0100
const FOREIGN_SALE = 0x0080

const RECEIPT_FLAGS = 0x00ff
const DAILY_FLAGS: readonly (readonly [v2: number, v0: number])[] = [
  [0x0010, receiptFlags.tseInfo],
  [0x0020, receiptFlags.tarDownload],
  [0x0040, receiptFlags.bypassTar],
  [0x0080, receiptFlags.selfTestOrClientOnly],
  [0x0100, receiptFlags.masterData],
]
const CLIENT_ONLY = 0x0010

/** The v0/v1 meaning of a v2 receipt case, or undefined when there is none. */
export function receiptCodeOf(
  word: { code: number; flags: number; local: number },
  items: ItemCounts,
): ReceiptCode | undefined {
  const flags = flagsOf(word.code >>> 12, word.flags)
  const step = word.code === TECHNICAL_LOG ? transactionSteps[word.local] : undefined
  if (step !== undefined) return { ...step, flags }
  const code = codeOf(word, items)
  if (code === undefined) return undefined
  const operation = word.code >>> 12 === 2 || word.code >>> 12 === 4
  return { code, flags, flow: operation ? 'implicit' : 'auto' }
}

function codeOf(
  { code, flags }: { code: number; flags: number },
  { charges, pays }: ItemCounts,
): number | undefined {
  if (code === TABLE_CHECK || code === PRO_FORMA) {
    return charges > 0 && pays === 0 ? order : protocol
  }
  if (code === WITHOUT_DUTY && (flags & REFUND) !== 0) return receiptCases.void
  if (code <= WITHOUT_DUTY && (flags & FOREIGN_SALE) !== 0) return foreignSales
  return receiptTable[code]
}

/** Receipts and invoices keep their flags, logs the training flag; operations have their own. */
function flagsOf(category: number, flags: number): number {
  if (category <= 1) return flags & RECEIPT_FLAGS
  if (category === 3) return flags & receiptFlags.training
  if (category === 4) return (flags & CLIENT_ONLY) === 0 ? 0 : receiptFlags.selfTestOrClientOnly
  if (category !== 2) return 0
  return DAILY_FLAGS.reduce((all, [v2, v0]) => ((flags & v2) === 0 ? all : all | v0), 0)
}

// ------------------------------------------------------------------------------------------- items

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

// ------------------------------------------------------------------------------ lines of a receipt

export interface ChargeLine {
  /** v0/v1 code and flags (bits 16 to 31) of the item. */
  code: number
  flags: number
  found: ChargeCase
  item: ChargeItem
}

export interface PayLine {
  code: number
  flags: number
  found: PayCase
  item: PayItem
}

export interface Lines {
  charges: ChargeLine[]
  pays: PayLine[]
}

/** Items of a v2 receipt are v2; on a v0/v1 receipt version nibble 2 makes an item v2. */
export function linesOf({ request, words }: CasedRequest): Lines {
  const isV2 = (word: Word) => words.tagging === 'v2' || isVersion2(word)
  const charges = words.charges.map((word) => {
    const { item } = word
    const { code, flags } = isV2(word) ? chargeCodeOf(word, item, request.receiptMoment) : word
    return { code, flags, found: chargeCase(code), item }
  })
  const pays = words.pays.map((word) => {
    const { item } = word
    const { code, flags } = isV2(word) ? payCodeOf(word, item) : word
    return { code, flags, found: payCase(code), item }
  })
  return { charges, pays }
}

// ----------------------------------------------------------------------- reading by other programs

/** Local bit 001 of a word of version 0 or 1: the implicit flow, which version 2 does not have. */
const IMPLICIT = 0x001

const STEPS_V0: ReadonlySet<number> = new Set([
  receiptCases.startTransaction,
  receiptCases.updateTransaction,
  receiptCases.deltaTransaction,
])

export const caseRules: CaseRules = {
  country: 'DE',
  name: 'Germany',
  currency: 'EUR',
  vatOfRate: (rate, at) => vatByRate(rate, at.getTime()),
  ratesOfV0,
  readsAsV0: ({ country, version, local }) =>
    country === COUNTRY && version <= 1 && (local & IMPLICIT) !== 0,
  isStep: (word) => {
    if (taggingOf(word) !== 'v2') return STEPS_V0.has(word.code)
    const step = word.code === TECHNICAL_LOG ? transactionSteps[word.local] : undefined
    return step !== undefined && STEPS_V0.has(step.code)
  },
}
