// The tables of version 0 that Austria and France have in common: receipts of version 2 among
// them, rates, groups of services, and how items and receipts read on a page.
import type { CasedRequest } from '../../case/reader.js'
import {
  type ChargeTraits,
  type DocumentKind,
  type PageRules,
  type PayTraits,
  PLAIN_CHARGE,
  PLAIN_PAY,
  type ReceiptTraits,
} from '../../case/traits.js'
import type { Word } from '../../case/word.js'
import type { Decimal } from '../../lib/decimal.js'

// ----------------------------------------------------------------------------- receipts

/** Receipt codes `txcc` of version 2: receipts, invoices, daily operations, logs, life cycle. */
const V2_RECEIPTS = [
  ...[0x0000, 0x0001, 0x0002, 0x0003, 0x0004, 0x0005, 0x0006, 0x0007],
  ...[0x1000, 0x1001, 0x1002, 0x1003],
  ...[0x2000, 0x2001, 0x2010, 0x2011, 0x2012, 0x2013],
  ...[0x3000, 0x3001, 0x3002, 0x3003, 0x3004, 0x3005, 0x3010, 0x3011],
  ...[0x4001, 0x4002, 0x4011, 0x4012, 0x4021, 0x4022],
]
const PAYMENT_TRANSFER = 0x0002
const LAST_SALE = 0x0003
const SALE_ABROAD_FLAG = 0x0080

export interface ReceiptTables {
  /** v0 codes of the receipts of version 2, in their order. */
  codes: readonly number[]
  saleAbroad: number
  payIn: number
  payOut: number
  /** Flags of v0 that have the same bits in version 2. */
  flags: number
  training: number
}

/** What decides between pay-in, pay-out and transfer. */
export interface MoneyMoved {
  chargeItems: number
  cash: Decimal
}

/** The v0 receipt case of a v2 code with its flags; undefined: there is no such code. */
export function receiptCodeOf(
  { code, flags }: Pick<Word, 'code' | 'flags'>,
  { codes, saleAbroad, payIn, payOut }: ReceiptTables,
  moved: () => MoneyMoved,
): number | undefined {
  if (code <= LAST_SALE && (flags & SALE_ABROAD_FLAG) !== 0) return saleAbroad
  const found = codes[V2_RECEIPTS.indexOf(code)]
  if (code !== PAYMENT_TRANSFER) return found
  const { chargeItems, cash } = moved()
  if (chargeItems > 0 || cash.isZero) return found
  return cash.isPositive ? payIn : payOut
}

/** Receipts and invoices have all flags, logs training only, the rest none. */
export function receiptFlagsOf(
  { code, flags }: Pick<Word, 'code' | 'flags'>,
  tables: ReceiptTables,
): number {
  const category = code >>> 12
  if (category < 2) return flags & tables.flags
  return category === 3 ? flags & tables.training : 0
}

const RECEIPT_REQUEST = 0x0000_8000_0000_0000n

/** The case that a receipt has in version 0, as a complete word: for dry runs. */
export function v0WordOf(
  { words: { receipt, asks } }: CasedRequest,
  code: number,
  { base, tables }: { base: bigint; tables: ReceiptTables },
): bigint {
  const asking = asks ? RECEIPT_REQUEST : 0n
  return base | asking | (BigInt(receiptFlagsOf(receipt, tables)) << 16n) | BigInt(code)
}

// -------------------------------------------------------------------------------- rates

/** 4: every rate that is not in the table. */
const OTHER_RATE = 0x0004

/** Codes 1 to 5 of an undefined service, and V of version 2, by a rate in percent. */
export function rateTable(rates: readonly (readonly [rate: Decimal, code: number])[]) {
  const known = rates.map(([one]) => one)
  const codes = rates.map(([, code]) => code)
  const codeOfRate = (rate: Decimal): number => {
    for (let at = 0; at < known.length; at += 1) {
      if (known[at]?.equals(rate) === true) return codes[at] ?? OTHER_RATE
    }
    return OTHER_RATE
  }
  // zero is 7, the others are numbered as the codes are
  return { codeOfRate, vatOfRate: (rate: Decimal) => (rate.isZero ? 7 : codeOfRate(rate)) }
}

const FIRST_PREPAYMENT = 0x1c
/** Undefined service, goods, other service, catalogue service, own consumption, prepayment. */
const GROUPS = [0x01, 0x08, 0x0d, 0x12, 0x17, FIRST_PREPAYMENT]

/** Each group of services has five consecutive codes, for the same five `buckets`. */
export function byGroup<T>(buckets: readonly T[]): [code: number, bucket: T][] {
  return GROUPS.flatMap((start) => buckets.map((one, at): [number, T] => [start + at, one]))
}

// ------------------------------------------------------------------------------- a page

export type Flag = 'training' | 'void' | 'late' | 'handwritten' | 'smallBusiness'

/** `documents`: by code; a flag that is left out does not exist. */
export function receiptTraits(
  documents: Readonly<Record<number, DocumentKind>>,
  known: Readonly<Partial<Record<Flag, number>>>,
): PageRules['receiptOf'] {
  return ({ flags, code }): ReceiptTraits => {
    const has = (flag: Flag): boolean => (flags & (known[flag] ?? 0)) !== 0
    return {
      document: documents[code] ?? 'receipt',
      training: has('training'),
      void: has('void'),
      refund: false,
      handwritten: has('handwritten'),
      late: has('late'),
      smallBusiness: has('smallBusiness'),
      grouped: false,
    }
  }
}

/** Reverse charge, sales of others, account of a third party, obligations. */
const UNTAXED: ReadonlySet<number> = new Set([0x06, 0x07, 0x21, 0x22, 0x23])
const NOT_TAXABLE = 8

/** `vat`: V of version 2, as the bucket of the item says. */
export function chargeTraits(code: number, vat: number): ChargeTraits {
  const downPayment = code >= FIRST_PREPAYMENT && code < FIRST_PREPAYMENT + 5
  return { ...PLAIN_CHARGE, vat: UNTAXED.has(code) ? NOT_TAXABLE : vat, downPayment }
}

/** PP of version 2 by code. */
const PAY_KINDS: readonly number[] = [
  ...[0x00, 0x01, 0x01, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x00],
  ...[0x00, 0x09, 0x0a, 0x0b, 0x0c, 0x0c, 0x09, 0x0d, 0x01],
]
const FOREIGN = 0x02
const CHANGE = 0x12
const TIP = 0x0040

/** `cards`: PP of cases 09 and 0A, which only some countries have. */
export function payTraits({ flags, code }: Word, cards: readonly number[] = []): PayTraits {
  const tip = code === CHANGE && (flags & TIP) !== 0
  return {
    ...PLAIN_PAY,
    kind: cards[code - 0x09] ?? PAY_KINDS[code] ?? 0,
    foreign: code === FOREIGN,
    change: code === CHANGE && !tip,
    tip,
  }
}
