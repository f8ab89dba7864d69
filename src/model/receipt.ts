// The one receipt that the core and the markets know. Wire shapes are made from receipt-fields.ts.
import type { Decimal } from '../lib/decimal.js'

/** Something sold. Amounts are gross, in the receipt's currency. */
export interface ChargeItem {
  position: bigint
  quantity: Decimal
  description: string
  amount: Decimal
  /** Percent, e.g. 20. */
  vatRate: Decimal
  chargeItemCase: bigint
  chargeItemCaseData: string | null
  vatAmount: Decimal | null
  accountNumber: string | null
  costCenter: string | null
  productGroup: string | null
  productNumber: string | null
  productBarcode: string | null
  unit: string | null
  unitQuantity: Decimal | null
  unitPrice: Decimal | null
  moment: Date | null
}

/** Something paid. */
export interface PayItem {
  position: bigint
  quantity: Decimal
  description: string
  amount: Decimal
  payItemCase: bigint
  payItemCaseData: string | null
  accountNumber: string | null
  costCenter: string | null
  moneyGroup: string | null
  moneyNumber: string | null
  moment: Date | null
}

export interface ReceiptRequest {
  cashBoxId: string | null
  queueId: string | null
  posSystemId: string | null
  terminalId: string | null
  receiptReference: string | null
  receiptMoment: Date
  chargeItems: ChargeItem[]
  payItems: PayItem[]
  receiptCase: bigint
  receiptCaseData: string | null
  receiptAmount: Decimal | null
  user: string | null
  area: string | null
  customer: string | null
  settlement: string | null
  previousReceiptReference: string | null
}

/** A request that says nothing but when, and what is given. */
export function blankRequest(
  given: Pick<ReceiptRequest, 'receiptMoment'> & Partial<ReceiptRequest>,
): ReceiptRequest {
  return {
    cashBoxId: null,
    queueId: null,
    posSystemId: null,
    terminalId: null,
    receiptReference: null,
    chargeItems: [],
    payItems: [],
    receiptCase: 0n,
    receiptCaseData: null,
    receiptAmount: null,
    user: null,
    area: null,
    customer: null,
    settlement: null,
    previousReceiptReference: null,
    ...given,
  }
}

export interface Signature {
  format: bigint
  type: bigint
  caption: string
  data: string
}

/** Texts for the printed receipt; null: the market has none at this place. */
export interface ReceiptLines {
  header: string[] | null
  charge: string[] | null
  pay: string[] | null
  footer: string[] | null
}

/** What the queue answers. Header, line and footer members stay null where a market has none. */
export interface ReceiptResponse {
  cashBoxId: string
  queueId: string
  queueItemId: string
  queueRow: bigint
  terminalId: string | null
  receiptReference: string | null
  cashBoxIdentification: string
  receiptIdentification: string
  receiptMoment: Date
  receiptHeader: string[] | null
  chargeItems: ChargeItem[] | null
  chargeLines: string[] | null
  payItems: PayItem[] | null
  payLines: string[] | null
  signatures: Signature[]
  receiptFooter: string[] | null
  state: bigint
  stateData: string | null
}

/** What an item of version 2 has beside the members of the model. */
export interface PosItem {
  itemId: string | null
  /** With the fraction that orders lines inside of a group; null where none was sent. */
  exactPosition: Decimal | null
}

/** A request of version 2 as it was read. */
export interface PosRequest extends ReceiptRequest {
  chargeItems: (ChargeItem & PosItem)[]
  payItems: (PayItem & PosItem & { moneyBarcode: string | null })[]
}

/** Version of the interface that a request came through. */
export type InterfaceVersion = 'v0' | 'v1' | 'v2'
