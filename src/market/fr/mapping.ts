// From the v2 case tables to the v0 tables on which the French rules are defined.
import { type ChargeMeant, chargeCodeOf } from '../../case/v0-items.js'
import type { ReceiptTables } from '../kit/v0-cases.js'
import { receiptCases as c, codeOfRate, receiptFlags } from './cases.js'
import lists from './lists.json' with { type: 'json' }

/** 0002 (payment transfer) is decided by the payments; 0004 is a sale, as it is turnover. */
export const RECEIPT_TABLES: ReceiptTables = {
  codes: (lists.receiptsOfVersion2 as (keyof typeof c)[]).map((name) => c[name]),
  saleAbroad: c.foreignSale,
  payIn: c.payIn,
  payOut: c.payOut,
  flags: receiptFlags.failed | receiptFlags.training | receiptFlags.void,
  training: receiptFlags.training,
}

const ITEM_TABLES = { codeOfRate, cashTransfer: 0x0022 }

/** The v0 charge item case of a v2 code with its flags. */
export const chargeCode = (meant: ChargeMeant): number => chargeCodeOf(meant, ITEM_TABLES)
