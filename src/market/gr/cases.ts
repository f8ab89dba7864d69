// The case tables of Greece: receipts, rates, reasons for no tax, ways to pay, and words of version
// 2, which is the only one that the country has.
import type { CaseRules } from '../../case/rules.js'
import type { Decimal } from '../../lib/decimal.js'
import { decidedBy } from '../kit/decide.js'
import type { formats } from '../kit/draft.js'
import { wordsOf } from '../kit/words.js'
import lists from './lists.json' with { type: 'json' }

/** Receipt cases that are named somewhere in the program. */
export const receiptCases = { order: 0x3004, payment: 0x3005, start: 0x4001, stop: 0x4002 } as const

type Sale = 'receipt' | 'transfer' | 'online' | 'deliveryNote' | 'invoice' | 'order'
export type What = Sale | 'payment' | 'plain' | 'life'

/** By code; all others are not supported. */
export const receipts = lists.receipts as Readonly<Record<number, What>>

/** What may have been written by hand, and what a program may say more of. */
export const written: ReadonlySet<string> = new Set(lists.written)

/** With the document goes what it is about. */
export const TRANSPORT_FLAG = 0x0400

/** Of a pay item, above its flags: it pays a document that was issued before. */
export const LATER_PAYMENT = 0x001

/** Member states but Greece. */
export const UNION: ReadonlySet<string> = new Set(lists.union)

// --------------------------------------------------------------------------------------------- tax

/** vatCategory by V and by rate in percent; V 0 knows them all. */
export const vatCategories: Readonly<Record<number, Readonly<Record<string, number>>>> =
  lists.vatCategories
/** By V; and S of a charge item case. */
export const { vatNames, services } = lists
export const EXEMPT = 7
export const NO_TAX = 8
export const VOUCHER_EXEMPTION = '27'

/** vatExemptionCategory by the digits of NN. */
export const exemptions: Readonly<Record<string, string>> = lists.exemptions

function vatOfRate(rate: Decimal): number {
  const text = rate.toShortString()
  return [3, 1, 4, 7].find((vat) => vatCategories[vat]?.[text] !== undefined) ?? 0
}

// ---------------------------------------------------------------------------------------- payments

/** Type of a payment by PP; of TRANSFER the description in capitals decides, 0D is not told. */
export const ways: Readonly<Record<number, number>> = lists.ways
export const TRANSFER = 0x0a
export const NOT_TOLD = 0x0d

export const transferWay = decidedBy<number>(lists.transferWays)

// ------------------------------------------------------------------------------------------- words

const words = wordsOf('GR')
export const { error: ERROR_STATE, word: stateWord } = words
export const OUT_OF_SERVICE = 0x01n
/** The authority does not answer, and documents wait. */
export const UNREACHED = 0x02n

/** ftSignatureType. */
export const types = words.types(lists.signatureTypes)
type Named = keyof typeof types
/** Of what is no text. */
export const formatsOf = lists.signatureFormats as Partial<Record<Named, keyof typeof formats>>
/** What members of an answer are called by. */
export const answers: Readonly<Record<string, Named>> = lists.answers as Record<string, Named>

export const caseRules: CaseRules = {
  ...{ country: 'GR', name: 'Greece', currency: 'EUR', vatOfRate, wantsNature: true },
}
