// From the v2 case tables to the v0/v1 tables on which the Austrian rules are defined.
import type { Decimal } from '../../lib/decimal.js'
import { chargeCodeOf as mappedCode } from '../kit/item-mapping.js'
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

const ITEM_TABLES = { codeOfRate, cashTransfer: 0x0023 }

/** The v0 charge item case of a v2 code `NNSV` with its flags; `rate` in percent. */
export function chargeCodeOf(code: number, flags: number, rate: Decimal): number {
  return mappedCode({ code, flags, rate }, ITEM_TABLES)
}
