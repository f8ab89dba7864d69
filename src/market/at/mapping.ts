// From the v2 case tables to the v0/v1 tables on which the Austrian rules are defined.
import type { Decimal } from '../../lib/decimal.js'
import { codeOfRate, receiptCases, receiptFlags } from './cases.js'

const { protocol, zero, saleAbroad } = receiptCases

/** v2 receipt codes `txcc`; 0002 (payment transfer) is decided by the payments. */
const receiptTable: Record<number, number> = {
  0: receiptCases.unknown,
  1: receiptCases.cashSale,
  2: receiptCases.transfer,
  3: receiptCases.noDuty,
  4: receiptCases.onlineShop,
  5: receiptCases.deliveryNote,
  6: protocol,
  7: protocol,
  4096: receiptCases.invoice,
  4097: receiptCases.invoice,
  4098: receiptCases.invoice,
  4099: receiptCases.invoice,
  8192: zero,
  8193: zero,
  8208: zero,
  8209: zero,
  8210: receiptCases.monthly,
  8211: receiptCases.yearly,
  12288: protocol,
  12289: protocol,
  12290: protocol,
  12291: receiptCases.internalUse,
  12292: protocol,
  12293: protocol,
  12304: protocol,
  12305: protocol,
  16385: receiptCases.start,
  16386: receiptCases.stop,
  16401: zero,
  16402: zero,
  16417: zero,
  16418: zero,
}

const PAYMENT_TRANSFER = 0x0002
const SALE_ABROAD_FLAG = 0x0080
const ZERO_RECEIPT = 0x2000
const SIGNER_INFORMATION = 0x0010

/** What decides between pay-in, pay-out and transfer. */
export interface MoneyMoved {
  chargeItems: number
  cash: Decimal
}

/** The v0 receipt case of a v2 code with its flags, or undefined when there is no such code. */
export function receiptCodeOf(
  code: number,
  flags: number,
  moved: () => MoneyMoved,
): number | undefined {
  const found = receiptTable[code]
  if (found === undefined) return undefined
  if (code <= 0x0003 && (flags & SALE_ABROAD_FLAG) !== 0) return saleAbroad
  return code === PAYMENT_TRANSFER ? transferCode(moved()) : found
}

function transferCode({ chargeItems, cash }: MoneyMoved): number {
  if (chargeItems > 0 || cash.isZero) return receiptCases.transfer
  return cash.isPositive ? receiptCases.payIn : receiptCases.payOut
}

const { lateSigning, training, handwritten } = receiptFlags
const RECEIPT_FLAGS = lateSigning | training | receiptFlags.void | handwritten

/** Flags by category t: receipts and invoices have all, logs training only, the rest none. */
const flagsOfCategory: Record<number, number> = {
  0: RECEIPT_FLAGS,
  1: RECEIPT_FLAGS,
  3: training,
}

/** The v0 flags of a v2 receipt; on daily and life cycle operations the bits mean other things. */
export function receiptFlagsOf(code: number, flags: number): number {
  return flags & (flagsOfCategory[code >>> 12] ?? 0)
}

/** Zero receipt that asks for the certificate of the signing unit. */
export function wantsCertificate(code: number, flags: number): boolean {
  return code === ZERO_RECEIPT && (flags & SIGNER_INFORMATION) !== 0
}

// ------------------------------------------------------------------ charge items

/** Per service S: v0 code for V = 1, 2, 3, 4, then 5 to 7 (zero), then 8 (not taxable). */
type ServiceRow = readonly [number, number, number, number, number, number]

const UNDEFINED: ServiceRow = [0x01, 0x02, 0x03, 0x04, 0x05, 0x05]
const serviceTable: readonly ServiceRow[] = [
  UNDEFINED,
  [0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0c], // 1 goods
  [0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x11], // 2 service
  UNDEFINED, // 3 tip
  [0x01, 0x02, 0x03, 0x04, 0x05, 0x21], // 4 voucher, multi-purpose with V 8
  [0x12, 0x13, 0x14, 0x15, 0x16, 0x16], // 5 catalogue service
  [0x07, 0x07, 0x07, 0x07, 0x07, 0x21], // 6 agency business
  [0x17, 0x18, 0x19, 0x1a, 0x1b, 0x1b], // 7 own consumption
  UNDEFINED, // 8 grant
  [0x22, 0x22, 0x22, 0x22, 0x22, 0x22], // 9 receivable
  [0x23, 0x23, 0x23, 0x23, 0x23, 0x23], // A cash transfer
]
const DOWN_PAYMENT: ServiceRow = [0x1c, 0x1d, 0x1e, 0x1f, 0x20, 0x20]
const DOWN_PAYMENT_FLAG = 0x0008
/** Services 0 to 2, and B to F that are read as 0, may be a down payment. */
const NO_DOWN_PAYMENT: ReadonlySet<number> = new Set([3, 4, 5, 6, 7, 8, 9, 0xa])

const REVERSE_CHARGE = 0x0006
const NATURE_REVERSE_CHARGE = 5
const NOT_TAXABLE = 8
const ZERO_COLUMN = 4
const NOT_TAXABLE_COLUMN = 5

/** The v0 charge item case of a v2 code `NNSV` with its flags; `rate` in percent. */
export function chargeCodeOf(code: number, flags: number, rate: Decimal): number {
  const vat = code & 0xf
  const service = (code >>> 4) & 0xf
  if (vat === NOT_TAXABLE && code >>> 12 === NATURE_REVERSE_CHARGE) return REVERSE_CHARGE
  const down = (flags & DOWN_PAYMENT_FLAG) !== 0 && !NO_DOWN_PAYMENT.has(service)
  const row = down ? DOWN_PAYMENT : (serviceTable[service] ?? UNDEFINED)
  return row[columnOf(vat, rate)] ?? 0
}

/** Column of undefined services (0001 to 0005), which are ordered like the columns 0 to 4. */
function columnOf(vat: number, rate: Decimal): number {
  if (vat >= 1 && vat <= 4) return vat - 1
  if (vat === 7) return ZERO_COLUMN
  if (vat === NOT_TAXABLE) return NOT_TAXABLE_COLUMN
  // 0 unknown, 5 super-reduced-2, 6 parking, and unknown values: amounts belong to their real rate
  return codeOfRate(rate) - 1
}

// --------------------------------------------------------------------- pay items

const FOREIGN = 0x0010
const CHANGE = 0x0020
const TIP = 0x0040
const PAY_DOWN_PAYMENT = 0x0008
const CASH = 0x01
const RECEIVABLE = 0x09
const CASH_BOOK = 0x0c

/** v2 pay codes `PP` without the three that look at flags or sign. */
const payTable: Record<number, number> = {
  0: 0x00,
  2: 0x07,
  3: 0x03,
  4: 0x04,
  5: 0x05,
  6: 0x06,
  7: 0x07,
  8: 0x08,
  10: 0x0c,
  11: 0x0d,
  13: 0x11,
  14: 0x0b,
  15: 0x06,
}

/** The v0 pay item case of a v2 code with its flags; cash book transfers go by the sign. */
export function payCodeOf(code: number, flags: number, amount: Decimal): number {
  const kind = code & 0xff
  if (kind === CASH) return cashCode(flags)
  if (kind === RECEIVABLE) return (flags & PAY_DOWN_PAYMENT) === 0 ? 0x0b : 0x10
  if (kind === CASH_BOOK) return amount.isNegative ? 0x0e : 0x0f
  return payTable[kind] ?? 0x00
}

/** When several flags meet: tip, then change, then foreign money. */
function cashCode(flags: number): number {
  if ((flags & (TIP | CHANGE)) !== 0) return 0x12
  return (flags & FOREIGN) === 0 ? 0x01 : 0x02
}
