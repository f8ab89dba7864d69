// The members of a ReceiptRequest in version 2 (PosSystem API) as tables, in the order of the
// interface.
import type { PosRequest } from './receipt.js'

export type PosKind =
  | 'guid'
  | 'text'
  | 'reference'
  | 'decimal'
  | 'position'
  | 'word'
  | 'moment'
  | 'json'
  | 'references'
  | 'currency'
  | 'multiplier'
  | 'chargeItems'
  | 'payItems'

export interface PosField<K extends string = string> {
  key: K
  name: string
  kind: PosKind
  /** What stands there when the member is missing or null; left out: null. */
  missing?: 'zero' | 'one' | 'empty' | 'required'
  /** Longest JSON text; left out: what a body may have. */
  most?: number
}

/** Members that are looked at while reading and stand nowhere in the model. */
type Aside = 'multiplier' | 'currency'
type ChargeKey = keyof PosRequest['chargeItems'][number] | Aside
type PayKey = keyof PosRequest['payItems'][number] | Aside

/** As in version 1: they carry JSON, and are no place for files. */
const LONG = 64_000
const bounded = { kind: 'json', most: LONG } as const
const itemId = { key: 'itemId', kind: 'guid' } as const
const currency = { key: 'currency', name: 'Currency', kind: 'currency' } as const
const multiplier = {
  key: 'multiplier',
  name: 'DecimalPrecisionMultiplier',
  kind: 'multiplier',
} as const
const quantity = { key: 'quantity', name: 'Quantity', kind: 'decimal', missing: 'one' } as const
const description = {
  key: 'description',
  name: 'Description',
  kind: 'text',
  missing: 'empty',
} as const
const amount = { key: 'amount', name: 'Amount', kind: 'decimal', missing: 'zero' } as const
const moment = { key: 'moment', name: 'Moment', kind: 'moment' } as const
const position = { key: 'position', name: 'Position', kind: 'position' } as const
const accountNumber = { key: 'accountNumber', name: 'AccountNumber', kind: 'text' } as const
const costCenter = { key: 'costCenter', name: 'CostCenter', kind: 'text' } as const

export const posChargeFields: readonly PosField<ChargeKey>[] = [
  { ...itemId, name: 'ftChargeItemId' },
  quantity,
  description,
  amount,
  { key: 'vatRate', name: 'VATRate', kind: 'decimal', missing: 'zero' },
  { key: 'chargeItemCase', name: 'ftChargeItemCase', kind: 'word' },
  { key: 'chargeItemCaseData', name: 'ftChargeItemCaseData', kind: 'json' },
  { key: 'vatAmount', name: 'VATAmount', kind: 'decimal' },
  moment,
  position,
  accountNumber,
  costCenter,
  { key: 'productGroup', name: 'ProductGroup', kind: 'text' },
  { key: 'productNumber', name: 'ProductNumber', kind: 'text' },
  { key: 'productBarcode', name: 'ProductBarcode', kind: 'text' },
  { key: 'unit', name: 'Unit', kind: 'text' },
  { key: 'unitQuantity', name: 'UnitQuantity', kind: 'decimal' },
  { key: 'unitPrice', name: 'UnitPrice', kind: 'decimal' },
  currency,
  multiplier,
]

export const posPayFields: readonly PosField<PayKey>[] = [
  { ...itemId, name: 'ftPayItemId' },
  quantity,
  description,
  amount,
  { key: 'payItemCase', name: 'ftPayItemCase', kind: 'word' },
  { key: 'payItemCaseData', name: 'ftPayItemCaseData', kind: 'json' },
  moment,
  position,
  accountNumber,
  costCenter,
  { key: 'moneyGroup', name: 'MoneyGroup', kind: 'text' },
  { key: 'moneyNumber', name: 'MoneyNumber', kind: 'text' },
  { key: 'moneyBarcode', name: 'MoneyBarcode', kind: 'text' },
  currency,
  multiplier,
]

export const posRequestFields: readonly PosField<keyof PosRequest | Aside>[] = [
  { key: 'terminalId', name: 'cbTerminalID', kind: 'text' },
  { key: 'receiptReference', name: 'cbReceiptReference', kind: 'reference', missing: 'required' },
  { key: 'receiptMoment', name: 'cbReceiptMoment', kind: 'moment', missing: 'required' },
  { key: 'chargeItems', name: 'cbChargeItems', kind: 'chargeItems', missing: 'required' },
  { key: 'payItems', name: 'cbPayItems', kind: 'payItems', missing: 'required' },
  { key: 'cashBoxId', name: 'ftCashBoxID', kind: 'guid' },
  { key: 'posSystemId', name: 'ftPosSystemId', kind: 'text' },
  { key: 'receiptCase', name: 'ftReceiptCase', kind: 'word' },
  { key: 'receiptCaseData', name: 'ftReceiptCaseData', kind: 'json' },
  { key: 'queueId', name: 'ftQueueID', kind: 'guid' },
  {
    key: 'previousReceiptReference',
    name: 'cbPreviousReceiptReference',
    kind: 'references',
  },
  { key: 'receiptAmount', name: 'cbReceiptAmount', kind: 'decimal' },
  { key: 'user', name: 'cbUser', ...bounded },
  { key: 'area', name: 'cbArea', ...bounded },
  { key: 'customer', name: 'cbCustomer', ...bounded },
  { key: 'settlement', name: 'cbSettlement', ...bounded },
  currency,
  multiplier,
]

/** What the request says beside the members of the model. */
export interface PosFacts {
  /** Lists that were sent as null, which counts as empty. */
  nullLists: string[]
  /** Currencies that were named, with their places. */
  currencies: { path: string; code: string }[]
  /** cbPreviousReceiptReference as a list. */
  references: string[]
  /** It came as an array. */
  isGroup: boolean
}

/**
 * What DecimalPrecisionMultiplier may be, and the digits behind the point; 0 is what a runtime
 * writes for "not set".
 */
export const MULTIPLIERS: Readonly<Record<string, number>> = {
  '0': 0,
  '1': 0,
  '100': 2,
  '10000': 4,
  '1000000': 6,
  '100000000': 8,
}
