// What a program may say of a document by itself: members of the schema (2.0.1) in its order, as
// they are written in JSON.
import { JsonNumber, JsonObject, type JsonValue } from '../../lib/json.js'
import { inOrder, type XmlTree, type XmlValue } from '../../lib/xml-write.js'

export const HEADER = [
  ...['series', 'aa', 'issueDate', 'invoiceType', 'vatPaymentSuspension', 'currency'],
  ...['exchangeRate', 'correlatedInvoices', 'selfPricing', 'dispatchDate', 'dispatchTime'],
  ...['vehicleNumber', 'movePurpose', 'fuelInvoice', 'specialInvoiceCategory'],
  ...['invoiceVariationType', 'otherCorrelatedEntities', 'otherDeliveryNoteHeader'],
  ...['isDeliveryNote', 'otherMovePurposeTitle', 'thirdPartyCollection'],
  ...['multipleConnectedMarks', 'tableAA', 'totalCancelDeliveryOrders', 'reverseDeliveryNote'],
  ...['reverseDeliveryNotePurpose', 'toWeigh'],
]
export const PARTY = [
  ...['vatNumber', 'country', 'branch', 'name', 'address', 'documentIdNo', 'supplyAccountNo'],
  'countryDocumentId',
]
/** Those before the amounts of a row, and those behind them; amounts follow from the receipt. */
const ROW_HEAD = [
  ...['recType', 'TaricNo', 'itemCode', 'itemDescr', 'fuelCode', 'quantity', 'measurementUnit'],
  'invoiceDetailType',
]
const ROW_TAX = ['vatCategory', 'vatExemptionCategory']
const ROW_TAIL = [
  ...['quantity15', 'otherMeasurementUnitQuantity', 'otherMeasurementUnitTitle', 'notVAT195'],
  ...['movePurposeLine', 'otherMovePurposeLineTitle'],
]
const ROW_MIDDLE = ['discountOption', 'lineComments', 'incomeClassification']
export const ROW = [...ROW_HEAD, ...ROW_TAX, ...ROW_MIDDLE, ...ROW_TAIL]
/** Of a row as a whole. */
export const ROW_ORDER = [
  ...['lineNumber', ...ROW_HEAD, 'netValue', 'vatCategory', 'vatAmount', 'vatExemptionCategory'],
  ...['discountOption', 'feesPercentCategory', 'deductionsAmount', 'lineComments'],
  ...['incomeClassification', ...ROW_TAIL],
]
const CLASSIFICATION = ['classificationType', 'classificationCategory']

const ADDRESS = ['street', 'number', 'postalCode', 'city']
const INSIDE: Readonly<Record<string, readonly string[]>> = {
  ...{ address: ADDRESS, loadingAddress: ADDRESS, deliveryAddress: ADDRESS, entityData: PARTY },
  otherCorrelatedEntities: ['type', 'entityData'],
  otherDeliveryNoteHeader: [
    ...['loadingAddress', 'deliveryAddress', 'startShippingBranch', 'completeShippingBranch'],
  ],
  incomeClassification: CLASSIFICATION,
}

/** The members that a program says, or the name of one that is unknown or says nothing. */
export function saidIn(object: JsonObject, names: readonly string[]): XmlTree | string {
  const members: XmlTree = {}
  for (const [at, given] of object.names.entries()) {
    const value = object.values[at] ?? null
    if (value === null) continue
    const name = names.find((one) => one.toLowerCase() === given.toLowerCase())
    const tree = name === undefined ? undefined : treeOf(name, value)
    if (name === undefined || tree === undefined) return given
    members[name] = tree
  }
  return inOrder(names, members)
}

function treeOf(name: string, value: JsonValue): XmlValue | undefined {
  if (Array.isArray(value)) {
    const list = value.map((one) => (Array.isArray(one) ? undefined : treeOf(name, one)))
    const known = list.filter((one) => one !== undefined)
    return known.length === list.length ? (known as (string | XmlTree)[]) : undefined
  }
  const inside = INSIDE[name]
  if (value instanceof JsonObject) {
    const members = inside === undefined ? name : saidIn(value, inside)
    return typeof members === 'string' ? undefined : members
  }
  if (inside !== undefined || value === null) return undefined
  return value instanceof JsonNumber ? value.text : String(value)
}
