// Every text that Portugal puts on a receipt, and every rule that it can refuse one for.
import { rulesOf } from '../kit/rules.js'
import lists from './lists.json' with { type: 'json' }
import rules from './rules.json' with { type: 'json' }

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
export const designations: Readonly<Record<string, string>> = lists.designations

export const captions = {
  hash: 'Hash',
  line: '-----',
  refund: (number: string) => `Referencia ${number}`,
} as const

export type Rule = keyof typeof rules
export const { broken, refuse } = rulesOf(rules)
