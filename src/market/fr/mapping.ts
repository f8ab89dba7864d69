// From the v2 case tables to the v0 tables on which the French rules are defined.
import { type ChargeMeant, chargeCodeOf } from '../../case/v0-items.js'
import type { ReceiptTables } from '../kit/v0-cases.js'
import { receiptCases as c, codeOfRate, receiptFlags } from './cases.js'

/** 0002 (payment transfer) is decided by the payments; 0004 is a sale, as it is turnover. */
export const RECEIPT_TABLES: ReceiptTables = {
  codes: [
    ...[c.unknown, c.ticket, c.transfer, c.foreignSale, c.ticket, c.deliveryNote, c.bill, c.bill],
    ...[c.invoice, c.invoice, c.invoice, c.invoice],
    ...[c.zero, c.zero, c.shift, c.daily, c.monthly, c.yearly],
    ...[c.customLog, c.technicalLog, c.auditLog, c.internal, c.bill, c.paymentProve],
    ...[c.copy, c.archive],
    ...[c.start, c.stop, c.zero, c.zero, c.zero, c.zero],
  ],
  saleAbroad: c.foreignSale,
  payIn: c.payIn,
  payOut: c.payOut,
  flags: receiptFlags.failed | receiptFlags.training | receiptFlags.void,
  training: receiptFlags.training,
}

const ITEM_TABLES = { codeOfRate, cashTransfer: 0x0022 }

/** The v0 charge item case of a v2 code with its flags. */
export const chargeCode = (meant: ChargeMeant): number => chargeCodeOf(meant, ITEM_TABLES)
