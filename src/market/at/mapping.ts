// From the v2 case tables to the v0/v1 tables on which the Austrian rules are defined.
import { chargeCodeOf as mappedCode } from '../../case/v0-items.js'
import type { Decimal } from '../../lib/decimal.js'
import type { ReceiptTables } from '../kit/v0-cases.js'
import { codeOfRate, receiptCases, receiptFlags } from './cases.js'

const { protocol, zero, saleAbroad } = receiptCases

const { lateSigning, training, handwritten } = receiptFlags

/** Of version 2; 0002 (payment transfer) is decided by the payments. */
export const RECEIPT_TABLES: ReceiptTables = {
  codes: [
    ...[receiptCases.unknown, receiptCases.cashSale, receiptCases.transfer, receiptCases.noDuty],
    ...[receiptCases.onlineShop, receiptCases.deliveryNote, protocol, protocol],
    ...Array(4).fill(receiptCases.invoice),
    ...[zero, zero, zero, zero, receiptCases.monthly, receiptCases.yearly],
    ...[protocol, protocol, protocol, receiptCases.internalUse],
    ...[protocol, protocol, protocol, protocol],
    ...[receiptCases.start, receiptCases.stop, zero, zero, zero, zero],
  ],
  saleAbroad,
  payIn: receiptCases.payIn,
  payOut: receiptCases.payOut,
  flags: lateSigning | training | receiptFlags.void | handwritten,
  training,
}

const ZERO_RECEIPT = 0x2000
const SIGNER_INFORMATION = 0x0010

/** Zero receipt that asks for the certificate of the signing unit. */
export function wantsCertificate(code: number, flags: number): boolean {
  return code === ZERO_RECEIPT && (flags & SIGNER_INFORMATION) !== 0
}

const ITEM_TABLES = { codeOfRate, cashTransfer: 0x0023 }

/** The v0 charge item case of a v2 code `NNSV` with its flags; `rate` in percent. */
export function chargeCodeOf(code: number, flags: number, rate: Decimal): number {
  return mappedCode({ code, flags, rate }, ITEM_TABLES)
}
