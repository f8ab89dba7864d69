// The case tables of Portugal: receipts with their documents and series, rates, reasons for no tax,
// and words of version 2, which is the only one that the country has.
import type { CaseRules } from '../../case/rules.js'
import { Decimal } from '../../lib/decimal.js'
import lists from './lists.json' with { type: 'json' }

/** Receipt cases that are named somewhere in the program. */
export const receiptCases = {
  unknown: 0x0000,
  sale: 0x0001,
  payment: 0x0002,
  tableCheck: 0x0006,
  proForma: 0x0007,
  copy: 0x3010,
  start: 0x4001,
  stop: 0x4002,
} as const

/** A series of its own each; in training the same letter in small. */
export const SLOTS = ['S', 'I', 'N', 'H', 'R', 'P', 'O', 'C'] as const
export type Slot = (typeof SLOTS)[number]
export const CHAINS = [...SLOTS, ...(['s', 'i', 'n', 'r', 'p', 'o', 'c'] as const)] as const
export type Chain = (typeof CHAINS)[number]

export type Table = 'SalesInvoices' | 'WorkingDocuments' | 'Payments'

export interface DocumentRow {
  type: string
  /** Class of the type towards the authority. */
  class: 'SI' | 'WD' | 'PY'
  table: Table
}

const invoice = { class: 'SI', table: 'SalesInvoices' } as const
const working = { class: 'WD', table: 'WorkingDocuments' } as const

/** H: invoices that were written by hand first, in a series of recovery. */
export const documents: Readonly<Record<Slot, DocumentRow>> = {
  S: { type: 'FS', ...invoice },
  I: { type: 'FT', ...invoice },
  N: { type: 'NC', ...invoice },
  H: { type: 'FT', ...invoice },
  R: { type: 'RG', class: 'PY', table: 'Payments' },
  P: { type: 'PF', ...working },
  O: { type: 'OR', ...working },
  C: { type: 'CM', ...working },
}

export const slotOf = (chain: Chain): Slot => chain.toUpperCase() as Slot

/** tipoSerie of the authority: normal, recovery, training. */
export function kindOf(chain: Chain): 'N' | 'R' | 'F' {
  if (chain !== slotOf(chain)) return 'F'
  return chain === 'H' ? 'R' : 'N'
}

/** What a case without document is: checked like a sale, or only stored. */
type Plain = 'stored' | 'checked' | 'copy' | 'life'

/** By code; invoices are 1000 to 1003. */
export const receipts: Readonly<Record<number, Slot | Plain>> = {
  [receiptCases.unknown]: 'S',
  [receiptCases.sale]: 'S',
  [receiptCases.payment]: 'R',
  ...{ 3: 'stored', 4: 'stored', 5: 'stored' },
  [receiptCases.tableCheck]: 'C',
  [receiptCases.proForma]: 'P',
  ...{ 4096: 'I', 4097: 'I', 4098: 'I', 4099: 'I' },
  ...{ 8192: 'stored', 8193: 'stored', 8208: 'stored', 8209: 'stored' },
  ...{ 8210: 'stored', 8211: 'stored' },
  ...{ 12288: 'checked', 12289: 'checked', 12290: 'checked' },
  ...{ 12291: 'stored', 12292: 'stored', 12293: 'stored' },
  [receiptCases.copy]: 'copy',
  [receiptCases.start]: 'life',
  [receiptCases.stop]: 'life',
  ...{ 16401: 'stored', 16402: 'stored' },
}

/** Local flag of a pro forma: it is a budget. */
export const BUDGET_FLAG = 0x002
/** A flag that asks for transport documents, which are not made here. */
export const TRANSPORT_FLAG = 0x1000

// ------------------------------------------------------------------------------------------- rates

export const REGIONS = ['PT', 'PT-AC', 'PT-MA'] as const
export type Region = (typeof REGIONS)[number]

export type TaxCode = 'RED' | 'INT' | 'NOR' | 'ISE'

/** V of version 2; all others are refused. */
export const vatCodes: Readonly<Record<number, TaxCode>> = {
  1: 'RED',
  2: 'INT',
  3: 'NOR',
  8: 'ISE',
}

/** In percent (CIVA, art. 18). */
export const rates: Readonly<Record<Region, Readonly<Record<TaxCode, number>>>> = {
  PT: { RED: 6, INT: 13, NOR: 23, ISE: 0 },
  'PT-AC': { RED: 4, INT: 9, NOR: 16, ISE: 0 },
  'PT-MA': { RED: 5, INT: 12, NOR: 22, ISE: 0 },
}

export const taxNames: Readonly<Record<TaxCode, string>> = lists.taxNames

function vatOfRate(rate: Decimal): number {
  const known = Object.entries(vatCodes).find(([, code]) =>
    REGIONS.some((region) => rate.equals(new Decimal(BigInt(rates[region][code]), 0))),
  )
  return known === undefined ? 0 : Number(known[0])
}

/** Receivable, grant and others are not sold here. */
export const RECEIVABLE = 9
export const OTHER_SERVICE = 2
export const services: Readonly<Record<number, 'P' | 'S' | 'O'>> = {
  0: 'O',
  1: 'P',
  2: 'S',
  3: 'S',
  5: 'O',
}

/**
 * NN by its digits → mention, as printed and as exported (Portaria 302/2016, annex). That of 15 is
 * shortened: a mention has at most 60 characters.
 */
export const exemptions: Readonly<Record<string, string>> = lists.exemptions

// ---------------------------------------------------------------------------------------- payments

export const CASH = 0x01
/** PP of a payment that settles later: it is no payment in the books. */
export const ON_ACCOUNT = 0x09

const mechanisms: Readonly<Record<number, string>> = { 1: 'NU', 3: 'CH', 4: 'CD', 5: 'CC', 6: 'CO' }
export const mechanismOf = (kind: number): string => mechanisms[kind] ?? 'OU'

// ------------------------------------------------------------------------------------------- words

const BASE = 0x5054_2000_0000_0000n
export const ERROR_STATE = BASE | 0xeeee_eeeen
export const OUT_OF_SERVICE = 0x01n
/** A series waits for its code. */
export const MESSAGE_PENDING = 0x40n
export const stateWord = (bits: bigint): bigint => BASE | bits

/** ftSignatureType. */
export const types = {
  qr: BASE | 0x0001n,
  atcud: BASE | 0x0010n,
  hash: BASE | 0x0020_0012n,
  certification: BASE | 0x0014n,
  reference: BASE | 0x0015n,
  text: BASE | 0x0016n,
  start: BASE | 0x1_1001n,
  stop: BASE | 0x1_1002n,
} as const

export const formats = { text: 0x01n, qr: 0x03n } as const

export const caseRules: CaseRules = {
  ...{ country: 'PT', name: 'Portugal', currency: 'EUR', vatOfRate, wantsNature: true },
}
