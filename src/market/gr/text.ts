// Every text that Greece puts on a receipt, and every rule that it can refuse one for.
import { filled, type Refusal, refuse as refuseWith } from '../kit/refusal.js'

export const texts = {
  order:
    'ΤΟ ΠΑΡΟΝ ΕΙΝΑΙ ΠΛΗΡΟΦΟΡΙΑΚΟ ΣΤΟΙΧΕΙΟ ΚΑΙ ΔΕΝ ΑΠΟΤΕΛΕΙ ΝΟΜΙΜΗ ΦΟΡΟΛΟΓΙΚΗ ' +
    'ΑΠΟΔΕΙΞΗ/ΤΙΜΟΛΟΓΙΟ. THE PRESENT DOCUMENT IS ISSUED ONLY FOR INFORMATION PURPOSES ' +
    'AND DOES NOT ' +
    'STAND FOR A VALID TAX RECEIPT/INVOICE',
  registerCutOff: 'Απώλεια Διασύνδεσης Οντότητας - Παρόχου',
  authorityCutOff: 'ΧΩΡΙΣ ΜΑΡΚ ΛΟΓΩ ΑΠΩΛΕΙΑΣ ΔΙΑΣΥΝΔΕΣΗΣ',
} as const

export const captions = {
  ...{ uid: 'invoiceUid', mark: 'invoiceMark', code: 'authenticationCode', qr: 'qrUrl' },
  ...{ receipt: '[fiskalwerk]', document: 'Μοναδικός αριθμός παραστατικού', xml: 'mydata-xml' },
  failure: (kind: number) => `Transmission Failure_${kind}`,
  ...{ start: 'Initial-operation receipt', stop: 'Out-of-operation receipt' },
} as const

const CHARGES = 'cbChargeItems'
const PAYS = 'cbPayItems'
const DATA = 'ftReceiptCaseData'
const PREVIOUS = 'cbPreviousReceiptReference'

/** Text and member; places are filled from the left. Those of the field are kept as they are. */
const RULES = {
  notSupported: [
    'The ftReceiptCase {} is not supported in the QueueGR implementation.',
    'ftReceiptCase',
  ],
  voidNotSupported: [
    'Voiding of documents is not supported for this invoice type. Please use refund.',
    'ftReceiptCase',
  ],
  mixed: ["All charge items must be of type '{}' for this receipt type.", CHARGES],
  customer: ['Customer info is required for this invoice type.', 'cbCustomer'],
  customerVat: ["The VAT id '{}' is no Greek tax number (AFM).", 'cbCustomer'],
  vatRate: [
    "The Property cbChargeItem.VATRate with the Value '{}' is invalid for the given Type " +
      "of VAT '{}'.",
    CHARGES,
  ],
  zeroRate: ['When using VAT type {} the VATRate has to be 0.00.', CHARGES],
  nature: ['The ChargeItemCase {} contains a not supported Nature NN.', CHARGES],
  natureMissing: ['An item without VAT needs its reason (NN) in the ChargeItemCase {}.', CHARGES],
  natureWithVat: ['An item with a reason for no VAT (NN) carries none, but {}.', CHARGES],
  negative: ['A negative amount is no part of this document: {}.', CHARGES],
  modifier: ['A discount or extra follows the item that it changes.', CHARGES],
  specialTax: [
    'No withholding tax, fee, stamp duty, or other tax mapping found for description: ' +
      "'{}'. Please " +
      'use one of the supported Greek tax descriptions or add a new mapping.',
    CHARGES,
  ],
  itemsMissing: ['The document needs cbChargeItems.', CHARGES],
  sums: ['The sum of the charge items must be equal to the sum of the pay items.', PAYS],
  payment: ['The Payment type {} of PayItem with the case {} is not supported.', PAYS],
  tipAlone: ["Tip pay item at position {} ('{}') has no preceding payment.", PAYS],
  tipTwice: [
    "Tip pay item at position {} ('{}') cannot be attached because the preceding payment at " +
      'position {} already has a tip assigned.',
    PAYS,
  ],
  tipOther: [
    "Tip pay item at position {} ('{}') has a payment case that does not match the preceding " +
      'payment at position {}.',
    PAYS,
  ],
  override: ['The override of {} is not supported.', DATA],
  overrideNumber: [
    'Overriding invoiceHeader.series or invoiceHeader.aa via mydataoverride is not supported. ' +
      'The queue numbers its documents.',
    DATA,
  ],
  overrideType: ["Invalid invoiceType override value '{}'. Allowed values: {}.", DATA],
  oneClassification: [
    'incomeClassification override must contain exactly one element.',
    'ftChargeItemCaseData',
  ],
  allClassifications: [
    'An item overrides its incomeClassification: all items must.',
    'ftChargeItemCaseData',
  ],
  foreignMark: ['GR.PreviousReceiptReference.invoiceMark names one MARK, or several.', DATA],
  returnPurpose: [
    'The return of a delivery (9.3) needs reverseDeliveryNotePurpose in mydataoverride.',
    DATA,
  ],
  deliveryVoid: [
    'Cannot void delivery note: The mark of the delivery note to cancel is missing. Name it in ' +
      'cbPreviousReceiptReference.',
    PREVIOUS,
  ],
  paperMember: [
    'When using Handwritten receipts the {} must be provided in the ftReceiptCaseData payload.',
    DATA,
  ],
  paperHash: ['The HashPayload does not match the expected value. Expected: {}, Actual: {}', DATA],
  paperSeries: ["A handwritten receipt has a series of its own, not the queue's '{}'.", DATA],
  paperVat: ["The MerchantVATID '{}' is not the issuer of this queue, '{}'.", DATA],
  previous: ["The receipt '{}' is not in the queue, or there are several of it.", PREVIOUS],
  noMark: ['The referenced receipt has no MARK.', PREVIOUS],
  paidMark: [
    'Cannot send payment method: The invoiceMark of the referenced invoice is missing or ' +
      'invalid. Name one receipt that has its MARK.',
    PREVIOUS,
  ],
  unreached: [
    'Error while sending the request to MyData API. Please check the logs for more details.',
    undefined,
  ],
  orderVoid: [
    'A previous-invoice correlation is required for 8.6 VOID. Name the order in ' +
      'cbPreviousReceiptReference.',
    PREVIOUS,
  ],
  orderTable: ['TableAA (cbArea) must be provided for restaurant order VOID (8.6).', 'cbArea'],
  vatId: [
    'The VATId is not setup correctly for this Queue. Please check the master data configuration ' +
      'in fiskaltrust.Portal.',
    undefined,
  ],
  receiptBase: ['Receipt base address is required for myDATA v2.0.1', undefined],
  counter: [
    'The GR invoice counter of queue {} is not initialized: it was never started.',
    undefined,
  ],
  unit: ['No signing unit has done its work: {}.', undefined],
} as const satisfies Readonly<Record<string, readonly [string, string | undefined]>>
export type Rule = keyof typeof RULES

export function refuse(rule: Rule, ...values: string[]): Refusal {
  const [text, member] = RULES[rule]
  return refuseWith(filled(text, values), member)
}
