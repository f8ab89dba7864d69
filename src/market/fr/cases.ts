// The case tables of France: receipts with their chains, items with their buckets, words of both
// taggings.
import type { CaseRules } from '../../case/rules.js'
import type { DocumentKind } from '../../case/traits.js'
import type { Tagging } from '../../case/word.js'
import { Decimal } from '../../lib/decimal.js'
import { byGroup, rateTable } from '../kit/v0-cases.js'
import { wordsOf } from '../kit/words.js'
import type { Letter } from './rows.js'

/** Neither charge nor pay items; no charge items, payments of sum 0; one payment, entry 11. */
type Items = 'any' | 'none' | 'transfer' | 'counted'

/**
 * By code: name, chain (null: not signed), items that it takes, what a page calls it, and what the
 * action journal says of it. `JET-…`: number of the event in the French technical journal.
 */
const TABLE = [
  ['unknown', 'T', 'any', 'receipt'],
  ['ticket', 'T', 'any', 'receipt'],
  ['paymentProve', 'P', 'transfer', 'payment'],
  ['invoice', 'I', 'any', 'invoice'],
  ['shift', 'G', 'none', 'shift', 'Shift closure', ''],
  ['daily', 'G', 'none', 'daily', 'Daily closure', 'JET-50'],
  ['monthly', 'G', 'none', 'monthly', 'Monthly closure', 'JET-50'],
  ['yearly', 'G', 'none', 'yearly', 'Yearly closure', 'JET-60'],
  ['bill', 'B', 'counted', 'tableCheck'],
  ['deliveryNote', null, 'any', 'deliveryNote'],
  ['payIn', 'P', 'transfer', 'transfer'],
  ['payOut', 'P', 'transfer', 'transfer'],
  ['transfer', 'P', 'transfer', 'transfer'],
  ['internal', null, 'any', 'internal'],
  ['foreignSale', 'B', 'counted', 'exempt'],
  ['zero', 'G', 'none', 'zero', 'Zero receipt', ''],
  ['start', 'G', 'none', 'start', 'start enable of the queue', ''],
  ['stop', 'G', 'none', 'stop', 'try to disable the queue', ''],
  ['technicalLog', 'L', 'any', 'log', 'Log requested', ''],
  ['auditLog', 'L', 'none', 'log'],
  ['customLog', null, 'any', 'log'],
  ['archive', 'A', 'none', 'archive', 'Archive requested', 'JET-20'],
  ['copy', 'C', 'none', 'copy'],
] as const satisfies readonly (readonly [
  name: string,
  letter: Letter | null,
  items: Items,
  document: DocumentKind,
  message?: string,
  type?: string,
])[]

/** The codes by their names. */
export const receiptCases = Object.fromEntries(TABLE.map(([name], code) => [name, code])) as Record<
  (typeof TABLE)[number][0],
  number
>

export interface ReceiptRow {
  letter: Letter | null
  items: Items
  document: DocumentKind
  told: { message: string; type: string } | undefined
}

const rows: readonly ReceiptRow[] = TABLE.map(([, letter, items, document, message, type]) => {
  const told = message === undefined ? undefined : { message, type }
  return { letter, items, document, told }
})

export function receiptRow(code: number): ReceiptRow | undefined {
  return rows[code]
}

/** What a page calls them. */
export const documents = rows.map(({ document }) => document)

/** Closings that tell the perpetual totals. */
export const isClosing = (code: number): boolean =>
  code >= receiptCases.shift && code <= receiptCases.yearly

/** Bits 16 and up of a v0/v1 receipt case. */
export const receiptFlags = { failed: 0x0001, training: 0x0002, void: 0x0004 } as const

// ------------------------------------------------------------------ charge items

export const CHARGE_BUCKETS = ['ci-n', 'ci-r1', 'ci-r2', 'ci-rs', 'ci-z', 'ci-u'] as const
export type ChargeBucket = (typeof CHARGE_BUCKETS)[number]

/** 5.5 %, 10 %, 20 %, super reduced and others, zero: each group of services has them. */
const byCode = new Map(byGroup<ChargeBucket>(['ci-r1', 'ci-r2', 'ci-n', 'ci-rs', 'ci-z']))

/** Unknown, reverse charge, sales of others, account of a third party: the rate decides. */
const BY_RATE: ReadonlySet<number> = new Set([0x00, 0x06, 0x07, 0x21])

export const { codeOfRate, vatOfRate } = rateTable([
  [Decimal.of('5.5'), 0x0001],
  [Decimal.of('10'), 0x0002],
  [Decimal.of('20'), 0x0003],
  [Decimal.ZERO, 0x0005],
])

/** The case decides, never the rate, but for the cases that say nothing of it. */
export function chargeBucket(code: number, rate: Decimal): ChargeBucket {
  return byCode.get(BY_RATE.has(code) ? codeOfRate(rate) : code) ?? 'ci-u'
}

// --------------------------------------------------------------------- pay items

export const PAY_BUCKETS = ['pi-c', 'pi-n', 'pi-i', 'pi-u'] as const
export type PayBucket = (typeof PAY_BUCKETS)[number]

/** Receipts that are no sale are balanced with it. */
export const COUNTER_ENTRY = 0x11

const payCodes: readonly (readonly [bucket: PayBucket, codes: readonly number[]])[] = [
  ['pi-c', [0x00, 0x01, 0x02, 0x03, 0x05, 0x06, 0x0a, 0x12]],
  ['pi-n', [0x04, 0x07, 0x08, 0x09, 0x0c, 0x0d]],
  ['pi-i', [0x0b, 0x0e, 0x0f, 0x10, COUNTER_ENTRY]],
]

export function payBucket(code: number): PayBucket {
  return payCodes.find(([, codes]) => codes.includes(code))?.[0] ?? 'pi-u'
}

// ------------------------------------------------------------------------------------------- words

export const { bases, error: ERROR_STATE } = wordsOf('FR')

/** Bits of ftState, the same in both taggings. */
export const stateBits = { outOfService: 0x01, lateSigning: 0x08, messagePending: 0x40 } as const

/** Bits that say what should have been closed; version 2 alone has them. */
export const dueBits = { daily: 0x0100, monthly: 0x0200, yearly: 0x0400 } as const

export function stateWord(bits: number, tagging: Tagging): bigint {
  return bases[tagging] | BigInt(bits)
}

/** ftSignatureType: numbers of version 0, and those of version 2. */
const types = {
  information: [0x00n, 0x00n],
  jws: [0x01n, 0x01n],
  shift: [0x02n, 0x10n],
  day: [0x03n, 0x11n],
  month: [0x04n, 0x12n],
  year: [0x05n, 0x13n],
  archive: [0x06n, 0x14n],
  perpetual: [0x07n, 0x15n],
  excerpt: [0x08n, 0x16n],
  operator: [0x1000n, 0x1000n],
} as const
export type SignatureName = keyof typeof types

export function signatureType(name: SignatureName, tagging: Tagging): bigint {
  return bases[tagging] | types[name][tagging === 'v0' ? 0 : 1]
}

export const caseRules: CaseRules = { country: 'FR', name: 'France', currency: 'EUR', vatOfRate }
