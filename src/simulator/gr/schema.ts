// InvoicesDoc and PaymentMethodsDoc of the AADE (2.0.1) as tables: what an issuer sends.
import { COUNTRY } from '../../device/gr/countries.js'
import type { Shapes } from '../shape.js'

const text = (most: number): RegExp => new RegExp(`^[\\s\\S]{0,${most}}$`)
const DATE = /^\d{4}-\d\d-\d\d$/

export const shapes: Shapes = {
  ...{ t15: text(15), t20: text(20), t30: text(30), t50: text(50), t150: text(150) },
  ...{ t200: text(200), t300: text(300), any: /^[\s\S]*$/, date: DATE, yes: /^(true|false|1|0)$/ },
  ...{ number: /^\d{1,18}$/, small: /^\d{1,2}$/, country: COUNTRY, currency: /^[A-Z]{3}$/ },
  ...{ amount: /^\d{1,15}(\.\d{1,2})?$/, quantity: /^(?!0+(\.0+)?$)\d+(\.\d+)?$/ },
  ...{ failure: /^[1-4]$/, type: /^\d{1,2}(\.\d)?$/, vat: /^([1-9]|10)$/ },
  ...{ exemption: /^([1-9]|[12]\d|3[01])$/, way: /^[1-8]$/, income: /^E3_\d{3}(_\d{3})?$/ },
  ...{ line: /^[1-9]\d{0,8}$/, rec: /^[1-7]$/, unit: /^[1-7]$/, t10: /^.{10}$/ },
  category: /^category(1_([1-9]|10|95)|3)$/,

  message: ['invoice:invoice+'],
  invoice: [
    ...['uid:any?', 'mark:number?', 'cancelledByMark:number?', 'authenticationCode:any?'],
    ...['transmissionFailure:failure?', 'issuer:party?', 'counterpart:party?'],
    ...['invoiceHeader:header', 'paymentMethods:payments?', 'invoiceDetails:row+'],
    ...['taxesTotals:taxes?', 'invoiceSummary:summary', 'qrCodeUrl:any?'],
    'downloadingInvoiceUrl:any?',
  ],
  party: [
    ...['vatNumber:t30', 'country:country', 'branch:number', 'name:t200?', 'address:address?'],
    ...['documentIdNo:any?', 'supplyAccountNo:any?', 'countryDocumentId:country?'],
  ],
  address: ['street:t150?', 'number:any?', 'postalCode:any', 'city:t150'],
  header: [
    ...['series:t50', 'aa:t50', 'issueDate:date', 'invoiceType:type', 'vatPaymentSuspension:yes?'],
    ...[
      'currency:currency?',
      'exchangeRate:any?',
      'correlatedInvoices:number*',
      'selfPricing:yes?',
    ],
    ...['dispatchDate:date?', 'dispatchTime:any?', 'vehicleNumber:t150?', 'movePurpose:small?'],
    ...['fuelInvoice:yes?', 'specialInvoiceCategory:small?', 'invoiceVariationType:small?'],
    ...['otherCorrelatedEntities:entity*', 'otherDeliveryNoteHeader:delivery?'],
    ...['isDeliveryNote:yes?', 'otherMovePurposeTitle:t150?', 'thirdPartyCollection:yes?'],
    ...['multipleConnectedMarks:number*', 'tableAA:t50?', 'totalCancelDeliveryOrders:yes?'],
    ...['reverseDeliveryNote:yes?', 'reverseDeliveryNotePurpose:small?', 'toWeigh:yes?'],
  ],
  entity: ['type:small', 'entityData:party'],
  delivery: [
    ...['loadingAddress:address', 'deliveryAddress:address', 'startShippingBranch:number?'],
    'completeShippingBranch:number?',
  ],
  payments: ['paymentMethodDetails:payment+'],
  payment: [
    ...['type:way', 'amount:amount', 'paymentMethodInfo:any?', 'tipAmount:amount?'],
    ...['transactionId:any?', 'tid:t200?', 'ProvidersSignature:signature?', 'ECRToken:token?'],
  ],
  laterMessage: ['paymentMethods:later+'],
  later: [
    ...['invoiceMark:number', 'paymentMethodMark:number?', 'entityVatNumber:t30?'],
    'paymentMethodDetails:payment+',
  ],
  signature: ['SigningAuthor:t20', 'Signature:any', 'EndToEndReferenceID:any?'],
  row: [
    ...['lineNumber:line', 'recType:rec?', 'TaricNo:t10?', 'itemCode:t50?', 'itemDescr:t300?'],
    ...['fuelCode:any?', 'quantity:quantity?', 'measurementUnit:unit?'],
    ...['invoiceDetailType:small?', 'netValue:amount', 'vatCategory:vat', 'vatAmount:amount'],
    ...['vatExemptionCategory:exemption?', 'discountOption:yes?', 'withheldAmount:amount?'],
    ...['withheldPercentCategory:small?', 'stampDutyAmount:amount?'],
    ...['stampDutyPercentCategory:small?', 'feesAmount:amount?', 'feesPercentCategory:small?'],
    ...['otherTaxesPercentCategory:small?', 'otherTaxesAmount:amount?'],
    ...['deductionsAmount:amount?', 'lineComments:t150?', 'incomeClassification:classified*'],
    ...['quantity15:quantity?', 'otherMeasurementUnitQuantity:number?'],
    ...['otherMeasurementUnitTitle:t150?', 'notVAT195:yes?', 'movePurposeLine:small?'],
    'otherMovePurposeLineTitle:t150?',
  ],
  classified: [
    ...[
      'classificationType:income?',
      'classificationCategory:category',
      'amount:amount',
      'id:any?',
    ],
  ],
  token: ['SigningAuthor:t15', 'SessionNumber:any'],
  taxes: ['taxes:tax+'],
  tax: [
    ...[
      'taxType:small',
      'taxCategory:small?',
      'underlyingValue:amount?',
      'taxAmount:amount',
      'id:any?',
    ],
  ],
  summary: [
    ...['totalNetValue:amount', 'totalVatAmount:amount', 'totalWithheldAmount:amount'],
    ...['totalFeesAmount:amount', 'totalStampDutyAmount:amount', 'totalOtherTaxesAmount:amount'],
    ...[
      'totalDeductionsAmount:amount',
      'totalGrossValue:amount',
      'incomeClassification:classified*',
    ],
  ],
}
