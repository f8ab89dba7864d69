// What an Italian queue stores beside its receipts. Amounts are cents as text.

/** A chain, numbered from 1 on: documents and Z reports in their order. */
export const RECORDS = 'R'

export interface StoredRecord {
  /** SHA-256 of the row before; '' of the first. */
  previous: string
  type: 'sale' | 'refund' | 'void' | 'closing'
  serial: string
  z: number
  /** 0 of a closing. */
  doc: number
  moment: string
  till: string
  /** Fingerprint of an RT server. */
  sha: string
  receiptCase: number
  receiptReference: string
  receiptMoment: string
  /** Kind, text, quantity, cents, rate. */
  lines: readonly (readonly [string, string, string, string, string])[]
  subtotal: string
  /** Kind, text, cents. */
  payments: readonly (readonly [string, string, string])[]
  /** Rate, gross, tax. */
  vat: readonly (readonly [string, string, string])[]
  total: string
  taxId: string
  lottery: string
  reference: { serial: string; z: number; doc: number; date: string } | null
}

/** What became of a document, in a row of kind `counted` under its hashed reference. */
export interface StoredFate {
  serial: string
  z: number
  doc: number
  /** `2026-07-02` */
  date: string
  fate: 'open' | 'refunded' | 'voided' | 'is-refund' | 'is-void'
  /** Gross cents by rate that were not given back. */
  left: Readonly<Record<string, string>>
}
