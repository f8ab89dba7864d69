// From the v2 case tables to the v0 tables on which the French rules are defined.
import type { Decimal } from '../../lib/decimal.js'
import { receiptCases as c, codeOfRate, receiptFlags } from './cases.js'

/** v2 receipt codes `txcc`; 0002 (payment transfer) is decided by the payments. */
const receiptTable: Readonly<Record<number, number>> = {
  0: c.unknown,
  1: c.ticket,
  2: c.transfer,
  3: c.foreignSale,
  // a sale, as it is turnover
  4: c.ticket,
  5: c.deliveryNote,
  6: c.bill,
  7: c.bill,
  4096: c.invoice,
  4097: c.invoice,
  4098: c.invoice,
  4099: c.invoice,
  8192: c.zero,
  8193: c.zero,
  8208: c.shift,
  8209: c.daily,
  8210: c.monthly,
  8211: c.yearly,
  12288: c.customLog,
  12289: c.technicalLog,
  12290: c.auditLog,
  12291: c.internal,
  12292: c.bill,
  12293: c.paymentProve,
  12304: c.copy,
  12305: c.archive,
  16385: c.start,
  16386: c.stop,
  16401: c.zero,
  16402: c.zero,
  16417: c.zero,
  16418: c.zero,
}

const PAYMENT_TRANSFER = 0x0002
const LAST_SALE = 0x0003
const SALE_ABROAD_FLAG = 0x0080

/** What decides between pay-in, pay-out and transfer. */
export interface MoneyMoved {
  chargeItems: number
  cash: Decimal
}

/** The v0 receipt case of a v2 code with its flags; undefined: there is no such code. */
export function receiptCodeOf(
  code: number,
  flags: number,
  { chargeItems, cash }: MoneyMoved,
): number | undefined {
  if (code <= LAST_SALE && (flags & SALE_ABROAD_FLAG) !== 0) return c.foreignSale
  if (code !== PAYMENT_TRANSFER || chargeItems > 0 || cash.isZero) return receiptTable[code]
  return cash.isPositive ? c.payIn : c.payOut
}

const ALL_FLAGS = receiptFlags.failed | receiptFlags.training | receiptFlags.void
/** By category t: receipts and invoices have all, logs training only, the rest none. */
const flagsOfCategory: Readonly<Record<number, number>> = {
  0: ALL_FLAGS,
  1: ALL_FLAGS,
  3: receiptFlags.training,
}

export function receiptFlagsOf(code: number, flags: number): number {
  return flags & (flagsOfCategory[code >>> 12] ?? 0)
}

/** For the table of items in the kit. */
export const ITEM_TABLES = { codeOfRate, cashTransfer: 0x0022 }
