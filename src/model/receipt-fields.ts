// The members of the Middleware interface (v0/v1) as one table: JSON, XML and the API pages are made
// from it. Order is the element order of the XML forms (middleware wire, element order).
import type { ChargeItem, PayItem, ReceiptRequest, ReceiptResponse, Signature } from './receipt.js'

export type FieldKind =
  | 'guid'
  | 'text'
  | 'decimal'
  | 'int64'
  | 'moment'
  | 'texts'
  | 'chargeItems'
  | 'payItems'
  | 'signatures'

export interface Field<T> {
  key: keyof T & string
  /** Top-level spelling; inside items the PascalCase spelling. */
  name: string
  kind: FieldKind
  /** Further spellings seen in the field, matched without regard to case. */
  aliases?: readonly string[]
  /** Longest text in characters. */
  max?: number
  /** What stands there when the member is missing or null: null, a value, or 'required'. */
  missing: 'null' | 'zero' | 'one' | 'empty' | 'required'
  /** Left out of an answer when null. */
  optional?: boolean
  /** What the member means, for the API page. */
  text: string
}

const SHORT = 1023
const LONG = 64000

export const chargeItemFields: readonly Field<ChargeItem>[] = [
  { key: 'position', name: 'Position', kind: 'int64', missing: 'zero', optional: true, text: 'Line number on the receipt.' },
  { key: 'quantity', name: 'Quantity', kind: 'decimal', missing: 'one', text: 'How many.' },
  { key: 'description', name: 'Description', kind: 'text', max: SHORT, missing: 'empty', text: 'What was sold.' },
  { key: 'amount', name: 'Amount', kind: 'decimal', missing: 'zero', text: 'Gross amount of the line.' },
  { key: 'vatRate', name: 'VATRate', kind: 'decimal', missing: 'zero', text: 'VAT rate in percent.' },
  { key: 'chargeItemCase', name: 'ftChargeItemCase', kind: 'int64', missing: 'zero', text: 'Kind of service and VAT group.' },
  { key: 'chargeItemCaseData', name: 'ftChargeItemCaseData', kind: 'text', max: LONG, missing: 'null', optional: true, text: 'Further data of the case.' },
  { key: 'vatAmount', name: 'VATAmount', kind: 'decimal', missing: 'null', optional: true, text: 'VAT contained in the amount.' },
  { key: 'accountNumber', name: 'AccountNumber', kind: 'text', max: SHORT, missing: 'null', optional: true, text: 'Account for bookkeeping.' },
  { key: 'costCenter', name: 'CostCenter', kind: 'text', max: SHORT, missing: 'null', optional: true, text: 'Cost centre.' },
  { key: 'productGroup', name: 'ProductGroup', kind: 'text', max: SHORT, missing: 'null', optional: true, text: 'Product group.' },
  { key: 'productNumber', name: 'ProductNumber', kind: 'text', max: SHORT, missing: 'null', optional: true, text: 'Product number.' },
  { key: 'productBarcode', name: 'ProductBarcode', kind: 'text', max: SHORT, missing: 'null', optional: true, text: 'Barcode.' },
  { key: 'unit', name: 'Unit', kind: 'text', max: SHORT, missing: 'null', optional: true, text: 'Unit of measure.' },
  { key: 'unitQuantity', name: 'UnitQuantity', kind: 'decimal', missing: 'null', optional: true, text: 'Quantity in that unit.' },
  { key: 'unitPrice', name: 'UnitPrice', kind: 'decimal', missing: 'null', optional: true, text: 'Gross price of one unit.' },
  { key: 'moment', name: 'Moment', kind: 'moment', missing: 'null', optional: true, text: 'When the line was entered.' },
]

export const payItemFields: readonly Field<PayItem>[] = [
  { key: 'position', name: 'Position', kind: 'int64', missing: 'zero', optional: true, text: 'Line number on the receipt.' },
  { key: 'quantity', name: 'Quantity', kind: 'decimal', missing: 'one', text: 'How many.' },
  { key: 'description', name: 'Description', kind: 'text', max: SHORT, missing: 'empty', text: 'How it was paid.' },
  { key: 'amount', name: 'Amount', kind: 'decimal', missing: 'zero', text: 'Amount paid.' },
  { key: 'payItemCase', name: 'ftPayItemCase', kind: 'int64', missing: 'zero', text: 'Means of payment.' },
  { key: 'payItemCaseData', name: 'ftPayItemCaseData', kind: 'text', max: LONG, missing: 'null', optional: true, text: 'Further data of the case.' },
  { key: 'accountNumber', name: 'AccountNumber', kind: 'text', max: SHORT, missing: 'null', optional: true, text: 'Account for bookkeeping.' },
  { key: 'costCenter', name: 'CostCenter', kind: 'text', max: SHORT, missing: 'null', optional: true, text: 'Cost centre.' },
  { key: 'moneyGroup', name: 'MoneyGroup', kind: 'text', max: SHORT, missing: 'null', optional: true, text: 'Group of means of payment.' },
  { key: 'moneyNumber', name: 'MoneyNumber', kind: 'text', max: SHORT, missing: 'null', optional: true, text: 'Number of the means of payment.' },
  { key: 'moment', name: 'Moment', kind: 'moment', missing: 'null', optional: true, text: 'When it was paid.' },
]

export const requestFields: readonly Field<ReceiptRequest>[] = [
  { key: 'cashBoxId', name: 'ftCashBoxID', kind: 'guid', missing: 'null', text: 'Id of the cash box.' },
  { key: 'queueId', name: 'ftQueueID', kind: 'guid', missing: 'null', optional: true, text: 'Id of the queue, needed where a cash box has several.' },
  { key: 'posSystemId', name: 'ftPosSystemId', kind: 'guid', missing: 'null', optional: true, text: 'Type and version of the POS system.' },
  { key: 'terminalId', name: 'cbTerminalID', kind: 'text', max: SHORT, missing: 'null', text: 'Input station.' },
  { key: 'receiptReference', name: 'cbReceiptReference', kind: 'text', max: SHORT, missing: 'null', text: 'Reference of the cash register.' },
  { key: 'receiptMoment', name: 'cbReceiptMoment', kind: 'moment', missing: 'required', text: 'When the register made the receipt (UTC).' },
  { key: 'chargeItems', name: 'cbChargeItems', kind: 'chargeItems', missing: 'empty', text: 'What was sold.' },
  { key: 'payItems', name: 'cbPayItems', kind: 'payItems', missing: 'empty', text: 'How it was paid.' },
  { key: 'receiptCase', name: 'ftReceiptCase', kind: 'int64', missing: 'required', text: 'Kind of business event: country, flags and case.' },
  { key: 'receiptCaseData', name: 'ftReceiptCaseData', kind: 'text', max: LONG, missing: 'null', optional: true, text: 'Further data of the case.' },
  { key: 'receiptAmount', name: 'cbReceiptAmount', kind: 'decimal', missing: 'null', optional: true, text: 'Gross total; when missing the sum of the charge items.' },
  { key: 'user', name: 'cbUser', kind: 'text', max: LONG, missing: 'null', optional: true, text: 'Who made the receipt.' },
  { key: 'area', name: 'cbArea', kind: 'text', max: LONG, missing: 'null', optional: true, text: 'Section or table.' },
  { key: 'customer', name: 'cbCustomer', kind: 'text', max: LONG, missing: 'null', optional: true, text: 'Customer.' },
  { key: 'settlement', name: 'cbSettlement', kind: 'text', max: LONG, missing: 'null', optional: true, text: 'Settlement.' },
  { key: 'previousReceiptReference', name: 'cbPreviousReceiptReference', kind: 'text', max: SHORT, missing: 'null', optional: true, aliases: ['cbPreviousReceiptID'], text: 'Reference of an earlier receipt of the same business case.' },
]

export const signatureFields: readonly Field<Signature>[] = [
  { key: 'format', name: 'ftSignatureFormat', kind: 'int64', missing: 'zero', text: 'How to print it: 1 text, 3 QR code, 8 AZTEC code.' },
  { key: 'type', name: 'ftSignatureType', kind: 'int64', missing: 'zero', text: 'What it is.' },
  { key: 'caption', name: 'Caption', kind: 'text', missing: 'empty', text: 'Text above it.' },
  { key: 'data', name: 'Data', kind: 'text', missing: 'empty', text: 'What to print.' },
]

export const responseFields: readonly Field<ReceiptResponse>[] = [
  { key: 'cashBoxId', name: 'ftCashBoxID', kind: 'guid', missing: 'required', text: 'Id of the cash box.' },
  { key: 'queueId', name: 'ftQueueID', kind: 'guid', missing: 'required', text: 'Id of the queue.' },
  { key: 'queueItemId', name: 'ftQueueItemID', kind: 'guid', missing: 'required', text: 'Id of this receipt.' },
  { key: 'queueRow', name: 'ftQueueRow', kind: 'int64', missing: 'required', text: 'Running number of the request.' },
  { key: 'terminalId', name: 'cbTerminalID', kind: 'text', missing: 'null', text: 'As requested.' },
  { key: 'receiptReference', name: 'cbReceiptReference', kind: 'text', missing: 'null', text: 'As requested.' },
  { key: 'cashBoxIdentification', name: 'ftCashBoxIdentification', kind: 'text', missing: 'required', text: 'Identification of the register towards the tax office.' },
  { key: 'receiptIdentification', name: 'ftReceiptIdentification', kind: 'text', missing: 'required', text: 'Number of the receipt.' },
  { key: 'receiptMoment', name: 'ftReceiptMoment', kind: 'moment', missing: 'required', text: 'When the queue processed it (UTC).' },
  { key: 'receiptHeader', name: 'ftReceiptHeader', kind: 'texts', missing: 'null', optional: true, text: 'Lines to print above.' },
  { key: 'chargeItems', name: 'ftChargeItems', kind: 'chargeItems', missing: 'null', optional: true, text: 'Further charge items.' },
  { key: 'chargeLines', name: 'ftChargeLines', kind: 'texts', missing: 'null', optional: true, text: 'Lines to print after the charge items.' },
  { key: 'payItems', name: 'ftPayItems', kind: 'payItems', missing: 'null', optional: true, text: 'Further pay items.' },
  { key: 'payLines', name: 'ftPayLines', kind: 'texts', missing: 'null', optional: true, text: 'Lines to print after the pay items.' },
  { key: 'signatures', name: 'ftSignatures', kind: 'signatures', missing: 'empty', text: 'What must be printed.' },
  { key: 'receiptFooter', name: 'ftReceiptFooter', kind: 'texts', missing: 'null', optional: true, text: 'Lines to print below.' },
  { key: 'state', name: 'ftState', kind: 'int64', missing: 'required', text: 'State of the queue.' },
  { key: 'stateData', name: 'ftStateData', kind: 'text', missing: 'null', optional: true, text: 'Further data of the state.' },
]
