// What a Portuguese queue stores beside its receipts: from these rows alone the books are exported.
import type { Line, Totals } from './amounts.js'
import type { Region } from './cases.js'
import type { Customer } from './customer.js'
import type { Payment } from './reading.js'

/**
 * A document. `kind` of its row is the letter of its series (cases.ts), `number` its number in it.
 * Members are names of this program; the books name them otherwise.
 */
export interface StoredDocument {
  /** `FS FW2026A/1` */
  number: string
  atcud: string
  type: string
  hash: string
  /** Version of the key; of a recovered document the one on paper as well. */
  control: string
  date: string
  entry: string
  region: Region
  totals: Totals
  lines: readonly Line[]
  /** P made here, M recovered. */
  source: 'P' | 'M'
  user: string
  customer: Customer
  payments: readonly Payment[]
  previous: { number: string; date: string } | null
}

/** Kind of a row that says what became of a document. */
export const STATUS_ROWS = 'A'

export interface StoredStatus {
  /** Of the document. */
  number: string
  status: 'A' | 'F'
  entry: string
  user: string
  reason: string
}
