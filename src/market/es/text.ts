// Every text that Spain puts on a receipt, and every rule that it can refuse one for.
import { rulesOf } from '../kit/rules.js'
import rules from './rules.json' with { type: 'json' }

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
} as const

export type Rule = keyof typeof rules
export const { broken, refuse } = rulesOf(rules)
