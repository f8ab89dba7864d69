// The case tables of France: receipts with their chains, items with their buckets, words of both
// taggings.
import type { CaseRules } from '../../case/rules.js'
import type { DocumentKind } from '../../case/traits.js'
import { type ChargeMeant, chargeCodeOf } from '../../case/v0-items.js'
import type { Tagging } from '../../case/word.js'
import { Decimal } from '../../lib/decimal.js'
import { byGroup, type ReceiptTables, rateTable } from '../kit/v0-cases.js'
import { wordsOf } from '../kit/words.js'
import lists from './lists.json' with { type: 'json' }
import type { Letter } from './rows.js'

/** Neither charge nor pay items; no charge items, payments of sum 0; one payment, entry 11. */
type Items = 'any' | 'none' | 'transfer' | 'counted'

/** What closings and archives end. */
export const PERIODS = ['shift', 'day', 'month', 'year', 'archive'] as const
export type Period = (typeof PERIODS)[number]

export interface ReceiptRow {
  /** Its chain; null: it is not signed. */
  letter: Letter | null
  items: Items
  /** What a page calls it. */
  document: DocumentKind
  /** By the action journal; `JET-…`: number of the event in the French technical journal. */
  told?: { message: string; type: string }
  /** Periods that end with it, shortest first. */
  ends?: readonly Period[]
}

const rows = Object.values(lists.receipts) as readonly ReceiptRow[]

type ReceiptName = keyof typeof lists.receipts
/** The codes by their names: places in the table. */
export const receiptCases = Object.fromEntries(
  Object.keys(lists.receipts).map((name, code) => [name, code]),
) as Readonly<Record<ReceiptName, number>>

export function receiptRow(code: number): ReceiptRow | undefined {
  return rows[code]
}

export const documents = rows.map(({ document }) => document)

/** Closings that tell the perpetual totals. */
export const isClosing = (code: number): boolean =>
  code >= receiptCases.shift && code <= receiptCases.yearly

/** Bits 16 and up of a v0/v1 receipt case. */
export const receiptFlags = { failed: 0x0001, training: 0x0002, void: 0x0004 } as const

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

const words = wordsOf('FR')
export const { bases, error: ERROR_STATE } = words

/** Bits of ftState, the same in both taggings. */
export const stateBits = { outOfService: 0x01, lateSigning: 0x08, messagePending: 0x40 } as const

/** Bits that say what should have been closed; version 2 alone has them. */
export const dueBits = { daily: 0x0100, monthly: 0x0200, yearly: 0x0400 } as const

export function stateWord(bits: number, tagging: Tagging): bigint {
  return bases[tagging] | BigInt(bits)
}

export type SignatureName = keyof typeof lists.signatureTypes.v0

/** ftSignatureType. */
export const signatureTypes: Record<Tagging, Readonly<Record<SignatureName, bigint>>> = {
  v0: words.types(lists.signatureTypes.v0, 'v0'),
  v2: words.types(lists.signatureTypes.v2),
}

/** Of version 2; 0002 (transfer) is decided by the payments, 0004 is a sale: it is turnover. */
export const RECEIPT_TABLES: ReceiptTables = {
  codes: (lists.receiptsOfVersion2 as ReceiptName[]).map((name) => receiptCases[name]),
  saleAbroad: receiptCases.foreignSale,
  payIn: receiptCases.payIn,
  payOut: receiptCases.payOut,
  flags: receiptFlags.failed | receiptFlags.training | receiptFlags.void,
  training: receiptFlags.training,
}

export const COPY_OF_VERSION_2 = 0x3010

const ITEM_TABLES = { codeOfRate, cashTransfer: 0x0022 }

/** The v0 charge item case of a v2 code with its flags. */
export const chargeCode = (meant: ChargeMeant): number => chargeCodeOf(meant, ITEM_TABLES)

export const caseRules: CaseRules = { country: 'FR', name: 'France', currency: 'EUR', vatOfRate }
