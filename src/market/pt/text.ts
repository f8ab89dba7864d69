// Every text that Portugal puts on a receipt, and every rule that it can refuse one for.
import type { Fault } from '../contract.js'
import { type Refusal, ruleFault } from '../kit/refusal.js'

export const texts = {
  certification: (excerpt: string, number: string) =>
    `${excerpt} - Processado por programa certificado n.º ${number}/AT`,
  atcud: (code: string) => `ATCUD: ${code}`,
  taxIncluded: 'IVA incluido',
  refund: 'Razão: Devolução',
  refers: (number: string) => `Referencia: ${number}`,
  origin: (number: string) => `Origem: ${number}`,
  recovered: (series: string, number: string) =>
    `Cópia do documento original - FTM ${series}/${number}`,
  anonymous: 'Consumidor final',
  noInvoice: 'Este documento não serve de fatura',
  training: 'Documento emitido para fins de Formação',
  duplicate: 'Duplicado',
  voided: 'Documento anulado',
} as const

/** What the law wants a document to be called on paper (Despacho 8632/2014). */
export const designations: Readonly<Record<string, string>> = {
  FS: 'Fatura simplificada',
  FT: 'Fatura',
  NC: 'Nota de crédito',
  RG: 'Recibo',
  PF: 'Fatura pró-forma',
  OR: 'Orçamento',
  CM: 'Consulta de mesa',
}

export const captions = {
  hash: 'Hash',
  line: '-----',
  refund: (number: string) => `Referencia ${number}`,
  start: 'Initial-operation receipt',
  stop: 'Out-of-operation receipt',
} as const

const SHARED = 'cbPreviousReceiptReference'

/** Code → message; places are filled from the left. */
const RULES = {
  InvalidCountryCodeForPT:
    "Invalid country code for Portugal. Only 'PT' is accepted as valid country code.",
  TrainingModeNotSupported: 'Training mode is not enabled for this queue.',
  TransportationIsNotSupported: '{} with Flag TransportInformation is not supported in Portugal.',
  ReceiptReferenceAlreadyUsed:
    "cbReceiptReference '{}' has already been used by a successfully processed receipt. " +
    'Each receipt must have its own.',
  UserRequiredForSignatures:
    'cbUser is mandatory for all receipts that generate signatures. Please provide a valid ' +
    'PTUserObject with UserId.',
  UserTooShort: 'cbUser must have at least 3 characters.',
  InvalidUserStructure:
    'cbUser must follow the PTUserObject structure (UserId, UserDisplayName, UserEmail).',
  HandwrittenReceiptsNotSupported:
    'Handwritten receipts must not be used in combination with void/refund or other connections.',
  HandwrittenReceiptOnlyForInvoices:
    'Handwritten receipts are only supported for Invoice document types (0x1000 to 0x1003).',
  HandwrittenReceiptSeriesAndNumberMandatory:
    'When using Handwritten flag, ftReceiptCaseData.PT.Series and ' +
    'ftReceiptCaseData.PT.Number are mandatory, and Number must be greater than or equal to ' +
    '1.',
  HandwrittenReceiptSeriesInvalidCharacter:
    'Handwritten receipt series contains invalid characters.',
  HandwrittenReceiptSeriesNumberAlreadyLinked:
    "A handwritten receipt with series '{}' and number '{}' has already been linked. Each " +
    'paper document is recovered once.',
  CbReceiptMomentInFuture: 'cbReceiptMoment ({}) cannot be in the future. Server time: ({}).',
  CbReceiptMomentDeviationExceeded:
    'cbReceiptMoment ({}) deviates more than {} minutes from server time ({}).',
  InvalidPositions:
    '{} positions must start at 1 and be strictly increasing without gaps when provided.',
  InvalidPortugueseTaxId:
    "Invalid Portuguese Tax Identification Number (NIF): '{}'. The NIF must be a 9-digit " +
    'number with a valid check digit.',
  CustomerInvalid: 'cbCustomer definition is invalid: {}.',
  ChargeItemDescriptionMissing: 'Charge item description is mandatory and cannot be null or empty.',
  ChargeItemDescriptionTooShort: 'Charge item description must be at least 3 characters long.',
  ChargeItemDescriptionEncodingInvalid:
    'Charge item at position {}: Description contains characters that cannot be encoded with ' +
    'Windows-1252.',
  ChargeItemQuantityZeroNotAllowed: 'Charge item quantity cannot be zero.',
  ChargeItemTooLong: 'Charge item at position {}: {} has more than {} characters.',
  UnsupportedVatRate:
    "Charge item at position {} uses unsupported VAT rate '{}'. Portugal only supports: 1 " +
    'reduced, 2 intermediate, 3 normal, 8 exempt.',
  UnsupportedChargeItemServiceType:
    "Charge item at position {}: Type of service '{}' is not supported in Portugal. " +
    'Supported types: UnknownService, Delivery, OtherService, Tip, CatalogService.',
  VatRateMismatch:
    "Charge item at position {}: VAT rate category '{}' expects {}% but VATRate property " +
    'is set to {}%.',
  VatAmountMismatch:
    'Charge item at position {}: VATAmount {} does not match the calculated VAT amount {}.',
  ZeroVatRateMissingNature:
    'Charge item at position {}: When VAT rate is 0%, a valid tax exemption reason must be ' +
    'specified via the Nature of VAT (NN) field.',
  UnknownTaxExemptionCode: "Charge item at position {}: Unknown tax exemption code '{}' provided.",
  DiscountVatRateOrCaseMismatch:
    'Discount/extra at position {} must use the same VAT rate and VAT case as its related ' +
    'line item.',
  DiscountExceedsArticleAmount:
    'Discount at position {}: The discount amount ({}) exceeds the article amount ({}).',
  PositiveDiscountNotAllowed:
    'Charge item at position {}: Positive discounts/extras are not allowed in Portugal. ' +
    'Amount was {}.',
  NegativeQuantityNotAllowed:
    'Charge item at position {}: Negative quantity ({}) is not allowed in non-refund receipts.',
  NegativeAmountNotAllowed:
    'Charge item at position {}: Negative amount ({}) is not allowed in non-refund receipts. ' +
    'Only discounts may have negative values.',
  ReceiptNotBalanced:
    'Receipt is not balanced: Sum of charge items ({}) does not match sum of pay items ({}). ' +
    'Difference: {}.',
  CashPaymentExceedsLimit: 'Individual cash payment exceeds the legal limit of {}€.',
  PosReceiptNetAmountExceedsLimit:
    'Point of Sale receipt net amount exceeds the legal limit of {}€. Issue an invoice (0x1001).',
  OtherServiceNetAmountExceedsLimit:
    'The sum of OtherService charge items exceeds the legal limit of {}€ net amount.',
  WorkingDocumentPayItemsNotAllowed:
    'Working documents (ProForma, Table Check, Budget) must not contain payment items.',
  ChargeItemsMissing: 'ChargeItems must not be empty.',
  RefundMissingPreviousReceiptReference:
    'Refunds must have a cbPreviousReceiptReference set to the receipt that is refunded.',
  PreviousReceiptReference:
    'cbPreviousReceiptReference is mandatory and must be set for this receipt.',
  PreviousReceiptNotFound:
    "The given cbPreviousReceiptReference didn't match with any of the items in the Queue.",
  MultipleReceiptReferences: 'Multiple receipt references are currently not supported.',
  PreviousReceiptType: "The receipt '{}' is a {}, which this receipt cannot refer to.",
  PreviousReceiptIsVoided:
    "VOID for receipt '{}' already exists. Changing the receipt state after voiding is not " +
    'allowed.',
  RefundAlreadyExists:
    "A refund for receipt '{}' already exists. Multiple refunds for the same receipt are " +
    'not allowed.',
  FullRefundItemsMismatch: "Full refund does not match the original invoice '{}'.",
  PartialRefundItemsMismatch:
    "Partial refund does not match the original invoice '{}'. '{}' is not in it.",
  PartialRefundExceedsOriginalQuantity:
    "Partial refund for product '{}' exceeds the original quantity. Total refunded: {}, " +
    'Original: {}.',
  PartialRefundExceedsOriginalAmount:
    "Partial refund for product '{}' exceeds the original amount. Total refunded: {}€, " +
    'Original: {}€.',
  MixedRefundItemsNotAllowed: 'Partial refund contains mixed refund and non-refund items.',
  VoidAlreadyExists:
    "A void for receipt '{}' already exists. Multiple voids for the same receipt are not allowed.",
  VoidItemsMismatch:
    "Void does not match the original invoice '{}'. Void items carry the opposite sign of " +
    'the original.',
  CannotVoidInvoicedDocument: "Document '{}' is already invoiced and cannot be voided.",
  CannotVoidRefundedDocument:
    "Document '{}' is refunded, partially refunded or paid and cannot be voided.",
  WorkingDocumentAlreadyInvoiced: "Working document '{}' has already been invoiced.",
  PreviousReceiptLineItemMismatch:
    'cbPreviousReceiptReference must point to a receipt that shares at least one matching ' +
    'line item.',
  PaymentTransferRequiresAccountReceivableItem:
    'PaymentTransfer pay items require at least one accounts receivable charge item in the ' +
    'receipt.',
  PaymentTransferForRefundedReceipt:
    "Payment transfer cannot be created for receipt '{}' because it has already been refunded.",
  PaymentTransferCustomerMismatch:
    "Customer data in payment transfer does not match that of the invoice '{}'.",
  PaymentTransferExceedsRemainingAmount:
    "Payment transfer amount ({}€) exceeds the remaining amount ({}€) for invoice '{}'.",
  CopyReceiptNotSupported:
    'CopyReceipt (0x3010) is only supported for PosReceipt (0x0001) and Invoice types ' +
    '(0x100x), payments and working documents.',
  CopyReceiptMismatch:
    "The incoming ReceiptRequest does not match the referenced receipt's ReceiptRequest.",
  SeriesWithoutCode:
    'The series {} has no validation code of the authority, and no document is made without ' +
    'one: {}.',
  SigningUnit: 'No signing unit has signed the document: {}.',
  IssuerDiffers: 'The signing unit is of the issuer {}, the documents of this queue are of {}.',
} as const
export type Rule = keyof typeof RULES

/** Those that say where the fault is. */
export interface Place {
  field?: string
  index?: number
}

export function broken(rule: Rule, values: readonly string[] = [], place: Place = {}): Fault {
  const { field: member = fieldOf(rule), index } = place
  return ruleFault({ rule, text: `EEEE_${RULES[rule]}`, values, member, index })
}

export const refuse = (...given: Parameters<typeof broken>): Refusal => ({
  kind: 'refusal',
  faults: [broken(...given)],
})

function fieldOf(rule: Rule): string | undefined {
  if (/^ChargeItem|Vat|Discount|^Negative/.test(rule)) return 'cbChargeItems'
  if (/^Handwritten/.test(rule)) return 'ftReceiptCaseData'
  if (/User/.test(rule)) return 'cbUser'
  if (/^CbReceiptMoment/.test(rule)) return 'cbReceiptMoment'
  if (/Customer|TaxId/.test(rule)) return 'cbCustomer'
  if (/Refund|Void|Previous|PaymentTransfer|Working.*Invoiced/.test(rule)) return SHARED
  return undefined
}
