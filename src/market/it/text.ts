// Every text that Italy puts on a receipt, and every rule that it can refuse one for.
import { rulesOf } from '../kit/rules.js'
import rules from './rules.json' with { type: 'json' }

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
} as const

export type Rule = keyof typeof rules
export const { refuse } = rulesOf(rules)
