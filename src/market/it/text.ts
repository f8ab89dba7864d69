// Every text that Italy puts on a receipt, and every rule that it can refuse one for.
import { type Refusal, ruleFault } from '../kit/refusal.js'

export const texts = {
  sale: 'di vendita o prestazione',
  refund: 'emesso per RESO MERCE',
  void: 'emesso per ANNULLAMENTO',
  training: 'DOCUMENTO DI PROVA',
  management: 'Documento Gestionale',
} as const

export const captions = {
  ...{ document: 'DOCUMENTO COMMERCIALE', serial: '<rt-serialnumber>', z: '<rt-z-number>' },
  ...{ doc: '<rt-doc-number>', moment: '<rt-doc-moment>', documentType: '<rt-document-type>' },
  ...{ sha: '<rt-server-shametadata>', customer: '<rt-customer-id>', lottery: '<rt-lottery-id>' },
  ...{ referenceZ: '<rt-reference-z-number>', referenceDoc: '<rt-reference-doc-number>' },
  ...{ referenceMoment: '<rt-reference-doc-moment>', warning: 'rt-warning' },
  lotteryLost: 'rt-server-lottery-not-registered',
  ...{ start: 'Initial-operation receipt', stop: 'Out-of-operation receipt' },
} as const

const CHARGES = 'cbChargeItems'
const PAYS = 'cbPayItems'
const PREVIOUS = 'cbPreviousReceiptReference'

/** Code → message and member; places are filled from the left. */
const RULES = {
  ChargeItemsMissing: ['ChargeItems must not be empty.', CHARGES],
  VatUnknown: ["The VAT category '{}' has no department in Italy.", CHARGES],
  NatureUnknown: ["The nature of VAT '{}' has no department.", CHARGES],
  VatRateMismatch: ["The VAT category '{}' expects {} %, but VATRate is {}.", CHARGES],
  NegativeAmount: ['The negative amount {} is neither a discount nor a voucher.', CHARGES],
  MixedSigns: ['A return or void has one sign in all its items.', CHARGES],
  PaymentUnknown: ["The kind of payment '{}' is not known.", PAYS],
  PaymentNegative: ['The negative payment {} is no change, and more than what is paid.', PAYS],
  TaxIdInvalid: [
    "it-customer-taxid-invalid: '{}' is no codice fiscale or partita IVA.",
    'cbCustomer',
  ],
  PreviousReceiptNotFound: [
    "There is no item available with the given cbPreviousReceiptReference '{}'.",
    PREVIOUS,
  ],
  PreviousReceiptNoDocument: [
    "The given cbPreviousReceiptReference '{}' does not reference a request with RT references.",
    PREVIOUS,
  ],
  ReferenceMissing: ['cbPreviousReceiptReference is mandatory for this receipt.', PREVIOUS],
  TillName: ["An RT server needs a name of 8 characters for its till, not '{}'.", undefined],
  SigningUnit: ['No signing unit has done its work: {}.', undefined],
} as const satisfies Readonly<Record<string, readonly [string, string | undefined]>>
export type Rule = keyof typeof RULES

/** `index`: of the item at fault, from 0 on. */
export function refuse(rule: Rule, values: readonly string[] = [], index?: number): Refusal {
  const [text, member] = RULES[rule]
  return { kind: 'refusal', faults: [ruleFault({ rule, text, values, member, index })] }
}
