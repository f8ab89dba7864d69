// The members of the Middleware interface (v0/v1) as one table: JSON, XML and the API pages are
// made from it. The order is the element order of the XML forms.
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

type Shape = Omit<Field<never>, 'key' | 'name' | 'text'>

/** A kind of column: gives the function that makes one field of it. */
function column<S extends Shape>(shape: S) {
  return <K extends string>(key: K, name: string, text: string) => ({ key, name, ...shape, text })
}

const guid = column({ kind: 'guid', missing: 'null' })
const guidOptional = column({ kind: 'guid', missing: 'null', optional: true })
const guidRequired = column({ kind: 'guid', missing: 'required' })
const textShort = column({ kind: 'text', max: SHORT, missing: 'null' })
const textShortEmpty = column({ kind: 'text', max: SHORT, missing: 'empty' })
const textShortOptional = column({ kind: 'text', max: SHORT, missing: 'null', optional: true })
const textLongOptional = column({ kind: 'text', max: LONG, missing: 'null', optional: true })
const textEmpty = column({ kind: 'text', missing: 'empty' })
const textNull = column({ kind: 'text', missing: 'null' })
const textOptional = column({ kind: 'text', missing: 'null', optional: true })
const textRequired = column({ kind: 'text', missing: 'required' })
const textsOptional = column({ kind: 'texts', missing: 'null', optional: true })
const decimalOne = column({ kind: 'decimal', missing: 'one' })
const decimalZero = column({ kind: 'decimal', missing: 'zero' })
const decimalOptional = column({ kind: 'decimal', missing: 'null', optional: true })
const int64Zero = column({ kind: 'int64', missing: 'zero' })
const int64ZeroOptional = column({ kind: 'int64', missing: 'zero', optional: true })
const int64Required = column({ kind: 'int64', missing: 'required' })
const momentOptional = column({ kind: 'moment', missing: 'null', optional: true })
const momentRequired = column({ kind: 'moment', missing: 'required' })
const chargeItems = column({ kind: 'chargeItems', missing: 'empty' })
const chargeItemsOptional = column({ kind: 'chargeItems', missing: 'null', optional: true })
const payItems = column({ kind: 'payItems', missing: 'empty' })
const payItemsOptional = column({ kind: 'payItems', missing: 'null', optional: true })
const signatures = column({ kind: 'signatures', missing: 'empty' })

export const chargeItemFields: readonly Field<ChargeItem>[] = [
  int64ZeroOptional('position', 'Position', 'Line number on the receipt, from 1; 0 is not set.'),
  decimalOne('quantity', 'Quantity', 'How many; below 0 where goods come back.'),
  textShortEmpty('description', 'Description', 'What was sold.'),
  decimalZero(
    'amount',
    'Amount',
    'Gross amount of the line in the currency of the queue, below 0 for returns and discounts.',
  ),
  decimalZero('vatRate', 'VATRate', 'VAT rate in percent: 20 is 20 %; 0 to 99.99.'),
  int64Zero('chargeItemCase', 'ftChargeItemCase', 'Kind of service and VAT group; a case word.'),
  textLongOptional('chargeItemCaseData', 'ftChargeItemCaseData', 'Further data of the case.'),
  decimalOptional(
    'vatAmount',
    'VATAmount',
    'VAT contained in the amount, with the sign of the amount.',
  ),
  textShortOptional('accountNumber', 'AccountNumber', 'Account for bookkeeping.'),
  textShortOptional('costCenter', 'CostCenter', 'Cost centre.'),
  textShortOptional('productGroup', 'ProductGroup', 'Product group.'),
  textShortOptional('productNumber', 'ProductNumber', 'Product number.'),
  textShortOptional('productBarcode', 'ProductBarcode', 'Barcode.'),
  textShortOptional('unit', 'Unit', 'Unit of measure.'),
  decimalOptional('unitQuantity', 'UnitQuantity', 'Quantity in that unit.'),
  decimalOptional(
    'unitPrice',
    'UnitPrice',
    'Gross price of one unit, in the currency of the queue.',
  ),
  momentOptional('moment', 'Moment', 'When the line was entered (UTC).'),
]

export const payItemFields: readonly Field<PayItem>[] = [
  int64ZeroOptional('position', 'Position', 'Line number on the receipt, from 1; 0 is not set.'),
  decimalOne('quantity', 'Quantity', 'How many; 1 as a rule.'),
  textShortEmpty('description', 'Description', 'How it was paid.'),
  decimalZero(
    'amount',
    'Amount',
    'Amount paid in the currency of the queue; below 0 where money is given back.',
  ),
  int64Zero('payItemCase', 'ftPayItemCase', 'Means of payment; a case word.'),
  textLongOptional('payItemCaseData', 'ftPayItemCaseData', 'Further data of the case.'),
  textShortOptional('accountNumber', 'AccountNumber', 'Account for bookkeeping.'),
  textShortOptional('costCenter', 'CostCenter', 'Cost centre.'),
  textShortOptional('moneyGroup', 'MoneyGroup', 'Group of means of payment.'),
  textShortOptional('moneyNumber', 'MoneyNumber', 'Number of the means of payment.'),
  momentOptional('moment', 'Moment', 'When it was paid (UTC).'),
]

export const requestFields: readonly Field<ReceiptRequest>[] = [
  guid('cashBoxId', 'ftCashBoxID', 'Id of the cash box.'),
  guidOptional('queueId', 'ftQueueID', 'Id of the queue, needed where a cash box has several.'),
  textShortOptional('posSystemId', 'ftPosSystemId', 'Type and version of the POS system.'),
  textShort('terminalId', 'cbTerminalID', 'Input station.'),
  textShort('receiptReference', 'cbReceiptReference', 'Reference of the cash register.'),
  momentRequired('receiptMoment', 'cbReceiptMoment', 'When the register made the receipt (UTC).'),
  chargeItems('chargeItems', 'cbChargeItems', 'What was sold: the lines of the receipt.'),
  payItems('payItems', 'cbPayItems', 'How it was paid: the means of payment.'),
  int64Required('receiptCase', 'ftReceiptCase', 'Kind of business event: country, flags and case.'),
  textLongOptional('receiptCaseData', 'ftReceiptCaseData', 'Further data of the case.'),
  decimalOptional(
    'receiptAmount',
    'cbReceiptAmount',
    'Gross total; when missing the sum of the charge items.',
  ),
  textLongOptional('user', 'cbUser', 'Who made the receipt: a name, or JSON as text.'),
  textLongOptional('area', 'cbArea', 'Section or table: a name, or JSON as text.'),
  textLongOptional('customer', 'cbCustomer', 'Customer: a name, or JSON as text.'),
  textLongOptional('settlement', 'cbSettlement', 'Settlement: a text, or JSON as text.'),
  {
    ...textShortOptional(
      'previousReceiptReference',
      'cbPreviousReceiptReference',
      'Reference of an earlier receipt of the same business case.',
    ),
    aliases: ['cbPreviousReceiptID'],
  },
]

export const signatureFields: readonly Field<Signature>[] = [
  int64Zero('format', 'ftSignatureFormat', 'How to print it: 1 text, 3 QR code, 8 AZTEC code.'),
  int64Zero('type', 'ftSignatureType', 'What it is: a case word of the market.'),
  textEmpty('caption', 'Caption', 'Text above it.'),
  textEmpty('data', 'Data', 'What to print.'),
]

export const responseFields: readonly Field<ReceiptResponse>[] = [
  guidRequired('cashBoxId', 'ftCashBoxID', 'Id of the cash box.'),
  guidRequired('queueId', 'ftQueueID', 'Id of the queue.'),
  guidRequired('queueItemId', 'ftQueueItemID', 'Id of this receipt.'),
  int64Required('queueRow', 'ftQueueRow', 'Running number of the request.'),
  textNull('terminalId', 'cbTerminalID', 'As requested.'),
  textNull('receiptReference', 'cbReceiptReference', 'As requested.'),
  textRequired(
    'cashBoxIdentification',
    'ftCashBoxIdentification',
    'Identification of the register towards the tax office.',
  ),
  textRequired('receiptIdentification', 'ftReceiptIdentification', 'Number of the receipt.'),
  momentRequired('receiptMoment', 'ftReceiptMoment', 'When the queue processed it (UTC).'),
  textsOptional('receiptHeader', 'ftReceiptHeader', 'Lines to print above.'),
  chargeItemsOptional('chargeItems', 'ftChargeItems', 'Further charge items.'),
  textsOptional('chargeLines', 'ftChargeLines', 'Lines to print after the charge items.'),
  payItemsOptional('payItems', 'ftPayItems', 'Further pay items.'),
  textsOptional('payLines', 'ftPayLines', 'Lines to print after the pay items.'),
  signatures('signatures', 'ftSignatures', 'What must be printed.'),
  textsOptional('receiptFooter', 'ftReceiptFooter', 'Lines to print below.'),
  int64Required(
    'state',
    'ftState',
    'State of the queue: country, flags and state; 0 in its last 32 bits is in order.',
  ),
  textOptional('stateData', 'ftStateData', 'Further data of the state.'),
]
