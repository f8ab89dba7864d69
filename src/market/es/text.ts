// Every text that Spain puts on a receipt, and every rule that it can refuse one for.
import type { Fault } from '../contract.js'
import { type Refusal, ruleFault } from '../kit/refusal.js'

export const texts = {
  verifiable: 'Factura verificable en la Sede electrónica de la AEAT',
  sale: 'Venta',
  cancelled: 'Factura anulada',
  copy: 'Duplicado',
} as const

export const captions = {
  huella: 'Huella',
  issuer: 'IDEmisorFactura',
  cancelled: 'IDEmisorFacturaAnulada',
  qr: 'QR tributario:',
  signature: 'Signature',
  warning: (code: string) => `Codigo ${code}`,
  start: 'Initial-operation receipt',
  stop: 'Out-of-operation receipt',
} as const

const SHARED = 'cbPreviousReceiptReference'
const CHARGES = 'cbChargeItems'

/** Code → message and member; places are filled from the left. */
const RULES = {
  ChargeItemsMissing: ['ChargeItems must not be empty.', CHARGES],
  PayItemsMissing: ['PayItems must not be empty.', 'cbPayItems'],
  TrainingModeNotSupported: ['Training receipts are not supported in Spain.', 'ftReceiptCase'],
  CustomerNameMissing: ['CustomerName is mandatory when cbCustomer is given.', 'cbCustomer'],
  CustomerZipMissing: ['CustomerZip is mandatory when cbCustomer is given.', 'cbCustomer'],
  CustomerStreetMissing: ['CustomerStreet is mandatory when cbCustomer is given.', 'cbCustomer'],
  InvalidSpanishTaxId: ['CustomerVATId is no Spanish tax number (NIF).', 'cbCustomer'],
  CustomerIdentifierMissing: [
    'A customer of another country needs its letters, and CustomerVATId, CustomerTaxId or ' +
      'CustomerId.',
    'cbCustomer',
  ],
  CustomerRequiredForInvoice: ['An invoice needs cbCustomer.', 'cbCustomer'],
  ChargeItemDescriptionMissing: ['Description is mandatory.', CHARGES],
  ChargeItemAmountMissing: ['Amount is mandatory and must not be 0.', CHARGES],
  UnsupportedVatRate: ["The VAT category '{}' is not used in Spain.", CHARGES],
  UnsupportedChargeItemServiceType: ["The type of service '{}' is not supported.", CHARGES],
  UnsupportedNatureOfVat: ["The nature of VAT '{}' is not known in Spain.", CHARGES],
  NatureWithVat: ["An item with the nature of VAT '{}' carries no VAT, but {} %.", CHARGES],
  VatRateMismatch: ["The VAT category '{}' expects {} %, but VATRate is {}.", CHARGES],
  SurchargeNotAllowed: ["The surcharge '{}' is not one that goes with {} % VAT.", CHARGES],
  VatAmountMismatch: ['VATAmount {} does not match the calculated {}.', CHARGES],
  DiscountExceedsArticleAmount: ['The discount {} exceeds the article amount {}.', CHARGES],
  NegativeQuantityNotAllowed: ['Negative quantity {} outside of a refund.', CHARGES],
  NegativeAmountNotAllowed: ['Negative amount {} outside of a refund.', CHARGES],
  RefundAmountNotNegative: ['A refund has a negative total, not {}.', CHARGES],
  TooManyBreakdowns: ['More than 12 kinds of tax in one invoice.', CHARGES],
  ReverseChargeNeedsInvoice: ['Reverse charge needs an invoice with its recipient.', CHARGES],
  IntraCommunityNeedsRecipient: [
    'An intra-community supply needs an invoice to a recipient of another member state.',
    CHARGES,
  ],
  SimplifiedInvoiceExceedsLimit: ['A simplified invoice has at most 3000 euros, not {}.', CHARGES],
  ReceiptNotBalanced: ['Charge items {} and pay items {} differ.', 'cbPayItems'],
  ReceiptMomentInFuture: ['cbReceiptMoment {} is later than {}.', 'cbReceiptMoment'],
  RefundMissingPreviousReceiptReference: [
    'Refunds must have a cbPreviousReceiptReference set to the receipt that is refunded.',
    SHARED,
  ],
  PreviousReceiptReference: ['cbPreviousReceiptReference is mandatory for this receipt.', SHARED],
  PreviousReceiptNotFound: [
    "The given cbPreviousReceiptReference didn't match with any of the items in the Queue.",
    SHARED,
  ],
  MultipleReceiptReferences: ['Multiple receipt references are currently not supported.', SHARED],
  PreviousReceiptType: ["The receipt '{}' is no invoice that this receipt can refer to.", SHARED],
  PreviousReceiptIsVoided: ["The receipt '{}' is voided.", SHARED],
  PreviousReceiptIsReplaced: ["The receipt '{}' was replaced by a full invoice.", SHARED],
  VoidAlreadyExists: ["A void for receipt '{}' already exists.", SHARED],
  VoidItemsMismatch: ["The items of the void do not match those of '{}'.", SHARED],
  CorrectionUnknown: [
    'ES.Subsanacion is S or N, and ES.RechazoPrevio beside it N, S or X.',
    'ftReceiptCaseData',
  ],
  CorrectionOfInvoiceOnly: ['Only a plain invoice has its record corrected.', SHARED],
  CorrectionItemsMismatch: [
    "The items of the corrected record do not match those of '{}': amounts are rectified.",
    SHARED,
  ],
  CannotVoidRefundedReceipt: ["The receipt '{}' is refunded and cannot be voided.", SHARED],
  RefundItemsMismatch: ["The refund does not match '{}': '{}' is not in it.", SHARED],
  RefundExceedsOriginal: ["With {}, more of '{}' would be refunded than was sold: {}.", SHARED],
  KindOfQueueIsFixed: ['The queue works for {}, its signing unit for {}.', undefined],
  IssuerMissing: [
    'Neither the signing unit nor the master data name a tax number (NIF): {}.',
    undefined,
  ],
  SigningUnit: ['No signing unit has done its work: {}.', undefined],
} as const satisfies Readonly<Record<string, readonly [string, string | undefined]>>
export type Rule = keyof typeof RULES

/** `index`: of the item at fault, from 0 on. */
export function broken(rule: Rule, values: readonly string[] = [], index?: number): Fault {
  const [text, member] = RULES[rule]
  return ruleFault({ rule, text, values, member, index })
}

export const refuse = (...given: Parameters<typeof broken>): Refusal => ({
  kind: 'refusal',
  faults: [broken(...given)],
})
