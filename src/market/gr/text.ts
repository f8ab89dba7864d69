// Every text that Greece puts on a receipt, and every rule that it can refuse one for.
import { filled, type Refusal, refuse as refuseWith } from '../kit/refusal.js'
import rules from './rules.json' with { type: 'json' }

interface Numbered {
  series: string
  aa: string
}

export const texts = {
  order:
    'ΤΟ ΠΑΡΟΝ ΕΙΝΑΙ ΠΛΗΡΟΦΟΡΙΑΚΟ ΣΤΟΙΧΕΙΟ ΚΑΙ ΔΕΝ ΑΠΟΤΕΛΕΙ ΝΟΜΙΜΗ ΦΟΡΟΛΟΓΙΚΗ ' +
    'ΑΠΟΔΕΙΞΗ/ΤΙΜΟΛΟΓΙΟ. THE PRESENT DOCUMENT IS ISSUED ONLY FOR INFORMATION PURPOSES ' +
    'AND DOES NOT ' +
    'STAND FOR A VALID TAX RECEIPT/INVOICE',
  registerCutOff: 'Απώλεια Διασύνδεσης Οντότητας - Παρόχου',
  authorityCutOff: 'ΧΩΡΙΣ ΜΑΡΚ ΛΟΓΩ ΑΠΩΛΕΙΑΣ ΔΙΑΣΥΝΔΕΣΗΣ',
  moved: (to: Numbered, from: Numbered) =>
    `${from.series}-${from.aa} is told as ${to.series}-${to.aa}: AADE has another document under ` +
    'its number, whose process died before it could store its receipt.',
} as const

export const captions = {
  ...{ uid: 'invoiceUid', mark: 'invoiceMark', code: 'authenticationCode', qr: 'qrUrl' },
  ...{ receipt: '[fiskalwerk]', document: 'Μοναδικός αριθμός παραστατικού', xml: 'mydata-xml' },
  failure: (kind: number) => `Transmission Failure_${kind}`,
} as const

export type Rule = keyof typeof rules

/** As the field words it: no code, and no place. */
export function refuse(rule: Rule, ...values: string[]): Refusal {
  const [text = '', member] = rules[rule]
  return refuseWith(filled(text, values), member)
}
