// The case tables of Austria: receipts, items, rates, flags, and the 64-bit words of both taggings
// (v0/v1 and v2).

import type { CaseRules } from '../../case/rules.js'
import type { Tagging } from '../../case/word.js'
import { Decimal } from '../../lib/decimal.js'
import { byGroup, rateTable } from '../kit/v0-cases.js'
import { wordsOf } from '../kit/words.js'

/** What the queue does with a receipt. */
export type Path = 'pos' | 'zero' | 'start' | 'stop' | 'monthly' | 'yearly'

/** Receipt cases that are named somewhere in the program. */
export const receiptCases = {
  unknown: 0x0000,
  cashSale: 0x0001,
  zero: 0x0002,
  start: 0x0003,
  stop: 0x0004,
  monthly: 0x0005,
  yearly: 0x0006,
  noDuty: 0x0007,
  invoice: 0x0008,
  deliveryNote: 0x0009,
  payIn: 0x000a,
  payOut: 0x000b,
  transfer: 0x000c,
  protocol: 0x000d,
  internalUse: 0x000e,
  onlineShop: 0x000f,
  saleAbroad: 0x0010,
} as const

const paths: Record<number, Path> = {
  [receiptCases.zero]: 'zero',
  [receiptCases.start]: 'start',
  [receiptCases.stop]: 'stop',
  [receiptCases.monthly]: 'monthly',
  [receiptCases.yearly]: 'yearly',
}

/** Codes outside the table are refused: a rounded number must not pass for a receipt. */
export function isReceiptCode(code: number): boolean {
  return code <= receiptCases.saleAbroad
}

/** Every code of the table without a path of its own runs as a point-of-sale receipt. */
export function pathOf(code: number): Path {
  return paths[code] ?? 'pos'
}

/** Bits 16 and up of a v0/v1 receipt case that change what the queue does. */
export const receiptFlags = {
  lateSigning: 0x0001,
  training: 0x0002,
  void: 0x0004,
  handwritten: 0x0008,
} as const

// ------------------------------------------------------------------ charge items

/** Amounts per rate (RKSV Annex, machine-readable code) in the order of the code. */
export const NORMAL = 0
export const ERM1 = 1
export const ERM2 = 2
export const NULL = 3
export const BESONDERS = 4
export type Bucket = 0 | 1 | 2 | 3 | 4

export interface ChargeRow {
  code: number
  bucket: Bucket
  /** Own turnover (decision bit 4), or not (bit 2). */
  turnover: boolean
  /** 0022, an obligation with RKSV duty: counts as a cash payment too. */
  obligation: boolean
}

/** Groups of five consecutive codes: discounted-1, discounted-2, normal, special, zero. */
const FIVE: readonly Bucket[] = [ERM1, ERM2, NORMAL, BESONDERS, NULL]
const REVERSE_CHARGE = 0x0006
const NOT_OWN_SALES = 0x0007
const THIRD_PARTY = 0x0021
const OBLIGATION_WITH_DUTY = 0x0022
const OBLIGATION_WITHOUT_DUTY = 0x0023

const singles: readonly (readonly [code: number, bucket: Bucket, turnover: boolean])[] = [
  [REVERSE_CHARGE, NULL, true],
  [NOT_OWN_SALES, NULL, false],
  [THIRD_PARTY, NULL, false],
  [OBLIGATION_WITH_DUTY, NULL, true],
  [OBLIGATION_WITHOUT_DUTY, NULL, false],
  // items without turnover that stay in the bucket of their tax; not in the public table
  [0x0024, ERM1, false],
  [0x0025, ERM2, false],
  [0x0026, NORMAL, false],
  [0x0027, BESONDERS, false],
]

const chargeRows = new Map<number, ChargeRow>()
for (const [code, bucket] of byGroup(FIVE)) {
  chargeRows.set(code, { code, bucket, turnover: true, obligation: false })
}
for (const [code, bucket, turnover] of singles) {
  chargeRows.set(code, { code, bucket, turnover, obligation: code === OBLIGATION_WITH_DUTY })
}

/** Rates of the value added tax law (§ 10 UStG) and the code of case 0000 that they stand for. */
const rates: readonly (readonly [rate: Decimal, code: number])[] = [
  [Decimal.of('20'), 0x0003],
  [Decimal.of('10'), 0x0001],
  [Decimal.of('13'), 0x0002],
  [Decimal.ZERO, 0x0005],
]

/** 19 % (Jungholz, Mittelberg), 4.9 % and every other rate belong to Besonders. */
export const { codeOfRate, vatOfRate } = rateTable(rates)

/** Besonders: Jungholz and Mittelberg; selected food from July 2026 on. */
const otherRates = [Decimal.of('19'), Decimal.of('4.9')]

export function isRate(rate: Decimal): boolean {
  return rates.some(([known]) => known.equals(rate)) || otherRates.some((one) => one.equals(rate))
}

/** Rates of the buckets; Besonders has every other one. */
const rateTexts: Record<Bucket, string> = {
  [NORMAL]: 'is for 20 %',
  [ERM1]: 'is for 10 %',
  [ERM2]: 'is for 13 %',
  [NULL]: 'is for 0 %',
  [BESONDERS]: 'is for rates other than 20, 13, 10 and 0 %',
}

/** What the code says of the rate where the rate is of another bucket; the code counts. */
export function ratesOfV0(code: number, rate: Decimal): string | undefined {
  const row = chargeRows.get(code)
  // what is no own turnover carries the rate of its seller
  if (row === undefined || row.obligation || (!row.turnover && row.bucket === NULL))
    return undefined
  const ofRate = chargeRows.get(codeOfRate(rate))?.bucket
  return ofRate === row.bucket ? undefined : rateTexts[row.bucket]
}

/** The row of a code; 0000 and codes outside the table go by the rate. */
export function chargeRow(code: number, rate: Decimal): ChargeRow {
  const row = chargeRows.get(code) ?? chargeRows.get(codeOfRate(rate))
  if (row === undefined) throw new Error(`no row for the rate ${rate}`)
  return row
}

/** 0000 stands for "by the rate"; unknown codes are read so as well. */
export function isChargeCode(code: number): boolean {
  return code === 0 || chargeRows.has(code)
}

// --------------------------------------------------------------------- pay items

/** 0000 to 000A count as cash in the sense of § 131b BAO: cards and vouchers as well. */
const LAST_CASH = 0x000a

/** 0012, change and tips in cash, is the last code of the table. */
const LAST_PAY = 0x0012

export function isPayCode(code: number): boolean {
  return code <= LAST_PAY
}

/** A receivable: delivery note, settlement in another system. */
export const RECEIVABLE = 0x000b

export function isCash(payCode: number): boolean {
  return payCode <= LAST_CASH
}

// ------------------------------------------------------------------------------------------- words

/** "AT" in ASCII: the top 16 bits of every Austrian word. */
export const COUNTRY = 0x4154

// ------------------------------------------------------------------------ ftState

/** Bits of ftState in v0/v1 numbering; they are OR-ed. */
export const stateBits = {
  outOfService: 0x01,
  signerOut: 0x02,
  signerOutLong: 0x04,
  subsequentEntry: 0x08,
  monthlyDue: 0x10,
  yearlyDue: 0x20,
  messagePending: 0x40,
  backupSigner: 0x80,
} as const

/** The same in v2: AT local bits 001 and 002 for "out for more than 48 h" and "backup". */
const stateBitsV2: readonly (readonly [bit: number, word: bigint])[] = [
  [stateBits.outOfService, 0x0000_0001n],
  [stateBits.signerOut, 0x0000_0002n],
  [stateBits.signerOutLong, 0x0001_0000_0000n],
  [stateBits.subsequentEntry, 0x0000_0008n],
  [stateBits.monthlyDue, 0x0000_0200n],
  [stateBits.yearlyDue, 0x0000_0400n],
  [stateBits.messagePending, 0x0000_0040n],
  [stateBits.backupSigner, 0x0002_0000_0000n],
]

const words = wordsOf('AT')
/** ftState without any bit. */
export const READY = words.bases

/** The complete ftState for bits in v0/v1 numbering. */
export function stateWord(bits: number, tagging: Tagging): bigint {
  if (bits === 0) return READY[tagging]
  if (tagging === 'v0') return READY.v0 | BigInt(bits)
  return stateBitsV2.reduce(
    (word, [bit, mask]) => ((bits & bit) === 0 ? word : word | mask),
    READY.v2,
  )
}

/** ftState of an error and the type of its signature item: the same in both taggings. */
export const ERROR_STATE = words.error
export const ERROR_TYPE = 0x4154_2000_0000_3000n

// -------------------------------------------------------------- ftSignatureType

export interface SignatureTypes {
  /** Hints and sandbox explanations. */
  unknown: bigint
  rksv: bigint
  /** Must be archived: start, stop, monthly, yearly and collective receipts. */
  archive: bigint
  finanzOnline: bigint
}

export const signatureTypes: Record<Tagging, SignatureTypes> = {
  v0: words.types({ unknown: '0x0', rksv: '0x1', archive: '0x2', finanzOnline: '0x3' }, 'v0'),
  v2: words.types({ unknown: '0x0', rksv: '0x1', archive: '0x10002', finanzOnline: '0x3' }),
}

// ----------------------------------------------------------------------- reading by other programs

export const caseRules: CaseRules = {
  country: 'AT',
  name: 'Austria',
  currency: 'EUR',
  vatOfRate,
  isRate,
  ratesOfV0,
}
