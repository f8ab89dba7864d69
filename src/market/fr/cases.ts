// The case tables of France: receipts with their chains, items with their buckets, words of both
// taggings.
import type { CaseRules } from '../../case/rules.js'
import type { Tagging } from '../../case/word.js'
import { Decimal } from '../../lib/decimal.js'
import type { Letter } from './rows.js'

/** Receipt cases that are named somewhere in the program. */
export const receiptCases = {
  unknown: 0x00,
  ticket: 0x01,
  paymentProve: 0x02,
  invoice: 0x03,
  shift: 0x04,
  daily: 0x05,
  monthly: 0x06,
  yearly: 0x07,
  bill: 0x08,
  deliveryNote: 0x09,
  payIn: 0x0a,
  payOut: 0x0b,
  transfer: 0x0c,
  internal: 0x0d,
  foreignSale: 0x0e,
  zero: 0x0f,
  start: 0x10,
  stop: 0x11,
  technicalLog: 0x12,
  auditLog: 0x13,
  customLog: 0x14,
  archive: 0x15,
  copy: 0x16,
} as const

export interface ReceiptRow {
  /** Null: it is not signed. */
  letter: Letter | null
  /** `none`: neither charge nor pay items; `transfer`: no charge items, payments of sum 0. */
  items: 'any' | 'none' | 'transfer' | 'counted'
}

const none = { items: 'none' } as const
const any = { items: 'any' } as const
const transfer = { letter: 'P', items: 'transfer' } as const

/** `counted`: exactly one payment, the counter entry 11. */
const rows: Readonly<Record<number, ReceiptRow>> = {
  [receiptCases.unknown]: { letter: 'T', ...any },
  [receiptCases.ticket]: { letter: 'T', ...any },
  [receiptCases.paymentProve]: transfer,
  [receiptCases.invoice]: { letter: 'I', ...any },
  [receiptCases.shift]: { letter: 'G', ...none },
  [receiptCases.daily]: { letter: 'G', ...none },
  [receiptCases.monthly]: { letter: 'G', ...none },
  [receiptCases.yearly]: { letter: 'G', ...none },
  [receiptCases.bill]: { letter: 'B', items: 'counted' },
  [receiptCases.deliveryNote]: { letter: null, ...any },
  [receiptCases.payIn]: transfer,
  [receiptCases.payOut]: transfer,
  [receiptCases.transfer]: transfer,
  [receiptCases.internal]: { letter: null, ...any },
  [receiptCases.foreignSale]: { letter: 'B', items: 'counted' },
  [receiptCases.zero]: { letter: 'G', ...none },
  [receiptCases.start]: { letter: 'G', ...none },
  [receiptCases.stop]: { letter: 'G', ...none },
  [receiptCases.technicalLog]: { letter: 'L', ...any },
  [receiptCases.auditLog]: { letter: 'L', ...none },
  [receiptCases.customLog]: { letter: null, ...any },
  [receiptCases.archive]: { letter: 'A', ...none },
  [receiptCases.copy]: { letter: 'C', ...none },
}

export function receiptRow(code: number): ReceiptRow | undefined {
  return rows[code]
}

/** Bits 16 and up of a v0/v1 receipt case. */
export const receiptFlags = { failed: 0x0001, training: 0x0002, void: 0x0004 } as const

// ------------------------------------------------------------------ charge items

export const CHARGE_BUCKETS = ['ci-n', 'ci-r1', 'ci-r2', 'ci-rs', 'ci-z', 'ci-u'] as const
export type ChargeBucket = (typeof CHARGE_BUCKETS)[number]

/** Groups of five consecutive codes: 5.5 %, 10 %, 20 %, super reduced and others, zero. */
const FIVE: readonly ChargeBucket[] = ['ci-r1', 'ci-r2', 'ci-n', 'ci-rs', 'ci-z']
const GROUP_STARTS = [0x01, 0x08, 0x0d, 0x12, 0x17, 0x1c]
const byCode = new Map(
  GROUP_STARTS.flatMap((start) =>
    FIVE.map((bucket, at): [number, ChargeBucket] => [start + at, bucket]),
  ),
)

/** Unknown, reverse charge, sales of others, account of a third party: the rate decides. */
const BY_RATE: ReadonlySet<number> = new Set([0x00, 0x06, 0x07, 0x21])

const rates: readonly (readonly [rate: Decimal, code: number])[] = [
  [Decimal.of('5.5'), 0x0001],
  [Decimal.of('10'), 0x0002],
  [Decimal.of('20'), 0x0003],
  [Decimal.ZERO, 0x0005],
]
const OTHER_RATE = 0x0004

/** The code of an undefined service with this rate in percent. */
export function codeOfRate(rate: Decimal): number {
  return rates.find(([known]) => known.equals(rate))?.[1] ?? OTHER_RATE
}

/** The case decides, never the rate, but for the cases that say nothing of it. */
export function chargeBucket(code: number, rate: Decimal): ChargeBucket {
  return byCode.get(BY_RATE.has(code) ? codeOfRate(rate) : code) ?? 'ci-u'
}

/** V of version 2 for a rate: zero is 7, the others are numbered as the codes are. */
export function vatOfRate(rate: Decimal): number {
  return rate.isZero ? 7 : codeOfRate(rate)
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

export const ERROR_STATE = 0x4652_2000_eeee_eeeen

/** Bits of ftState, the same in both taggings. */
export const stateBits = { outOfService: 0x01, lateSigning: 0x08, messagePending: 0x40 } as const

/** Bits that say what should have been closed; version 2 alone has them. */
export const dueBits = { daily: 0x0100, monthly: 0x0200, yearly: 0x0400 } as const

const BASE: Record<Tagging, bigint> = {
  v0: 0x4652_0000_0000_0000n,
  v2: 0x4652_2000_0000_0000n,
}

export function stateWord(bits: number, tagging: Tagging): bigint {
  return BASE[tagging] | BigInt(bits)
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
  return BASE[tagging] | types[name][tagging === 'v0' ? 0 : 1]
}

/** ftSignatureFormat values that France uses. */
export const formats = { text: 0x01n, qr: 0x03n } as const

export const caseRules: CaseRules = { country: 'FR', name: 'France', currency: 'EUR', vatOfRate }
