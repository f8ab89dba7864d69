// The case tables of Portugal: receipts with their documents and series, rates, reasons for no tax,
// and words of version 2, which is the only one that the country has.
import type { CaseRules } from '../../case/rules.js'
import { REGIONS, type Region, type Table, type TaxCode } from '../../device/pt/document.js'
import { Decimal } from '../../lib/decimal.js'
import { wordsOf } from '../kit/words.js'
import lists from './lists.json' with { type: 'json' }

/** Receipt cases that are named somewhere in the program. */
export const receiptCases = {
  ...{ payment: 0x0002, copy: 0x3010, start: 0x4001, stop: 0x4002 },
} as const

/** A series of its own each; in training the same letter in small. */
export const SLOTS = ['S', 'I', 'N', 'H', 'R', 'P', 'O', 'C'] as const
export type Slot = (typeof SLOTS)[number]
export const CHAINS = [...SLOTS, ...(['s', 'i', 'n', 'r', 'p', 'o', 'c'] as const)] as const
export type Chain = (typeof CHAINS)[number]

export interface DocumentRow {
  type: string
  /** Class of the type towards the authority. */
  class: 'SI' | 'WD' | 'PY'
  table: Table
}

/** H: invoices that were written by hand first, in a series of recovery. */
export const documents = lists.documents as Readonly<Record<Slot, DocumentRow>>

export const slotOf = (chain: Chain): Slot => chain.toUpperCase() as Slot

/** tipoSerie of the authority: normal, recovery, training. */
export function kindOf(chain: Chain): 'N' | 'R' | 'F' {
  if (chain !== slotOf(chain)) return 'F'
  return chain === 'H' ? 'R' : 'N'
}

/** What a case without document is: checked like a sale, or only stored. */
type Plain = 'stored' | 'checked' | 'copy' | 'life'

/** By code; invoices are 1000 to 1003. */
export const receipts = lists.receipts as Readonly<Record<number, Slot | Plain>>

/** Local flag of a pro forma: it is a budget. */
export const BUDGET_FLAG = 0x002
/** A flag that asks for transport documents, which are not made here. */
export const TRANSPORT_FLAG = 0x1000

// ------------------------------------------------------------------------------------------- rates

/** V of version 2; all others are refused. */
export const vatCodes = lists.vatCodes as Readonly<Record<number, TaxCode>>

/** In percent (CIVA, art. 18). */
export const rates: Readonly<Record<Region, Readonly<Record<TaxCode, number>>>> = lists.rates

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
export const services = lists.services as Readonly<Record<number, 'P' | 'S' | 'O'>>

/**
 * NN by its digits → mention, as printed and as exported (Portaria 302/2016, annex). That of 15 is
 * shortened: a mention has at most 60 characters.
 */
export const exemptions: Readonly<Record<string, string>> = lists.exemptions

// ---------------------------------------------------------------------------------------- payments

export const CASH = 0x01
/** PP of a payment that settles later: it is no payment in the books. */
export const ON_ACCOUNT = 0x09

const mechanisms: Readonly<Record<number, string>> = lists.mechanisms
export const mechanismOf = (kind: number): string => mechanisms[kind] ?? 'OU'

// ------------------------------------------------------------------------------------------- words

const words = wordsOf('PT')
export const { error: ERROR_STATE, word: stateWord } = words
export const OUT_OF_SERVICE = 0x01n
/** A series waits for its code. */
export const MESSAGE_PENDING = 0x40n

/** ftSignatureType. */
export const types = words.types(lists.signatureTypes)

export const caseRules: CaseRules = {
  ...{ country: 'PT', name: 'Portugal', currency: 'EUR', vatOfRate, wantsNature: true },
}
