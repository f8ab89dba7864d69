// One case word, `CCCC_vlll_gggg_xxxx`, taken apart: the same in every country and both taggings.

import { highHalf, lowHalf } from '../lib/ticks.js'

/** How the numbers of a request are meant: by the tables of v0/v1, or by those of v2. */
export type Tagging = 'v0' | 'v2'

/** In small numbers: the sign path reads many. */
export interface Word {
  country: number
  version: number
  /** Bits 32 to 43: implicit flow in v0/v1, the local flags in v2. */
  local: number
  /** Bits 16 to 31. */
  flags: number
  code: number
}

export function wordOf(value: bigint): Word {
  const high = highHalf(value)
  const low = lowHalf(value)
  return {
    country: high >>> 16,
    version: (high >>> 12) & 0xf,
    local: high & 0xfff,
    flags: low >>> 16,
    code: low & 0xffff,
  }
}

/**
 * Version nibble 2 is v2; 0 and 1 are v0/v1. Bit 47, the receipt request flag of v0/v1, lies inside
 * the nibble, so 8 and 9 are v0/v1 as well. Anything else is unknown.
 */
export function taggingOf({ version }: Word): Tagging | undefined {
  if (version === 2) return 'v2'
  return (version & 0x7) <= 1 ? 'v0' : undefined
}

/** Version 2 by the word alone. */
export function isVersion2({ version }: Word): boolean {
  return version === 2
}

/** S of the code of a charge item in version 2: what kind of supply it is. */
export const serviceIn = ({ code }: Pick<Word, 'code'>): number => (code >>> 4) & 0xf

/** NN of the same code, as its two digits: why there is no tax. */
export const natureIn = ({ code }: Pick<Word, 'code'>): string =>
  (code >>> 8).toString(16).padStart(2, '0')

/** The country, or none at all, which means the queue's. */
export function isAtHome({ country }: Word, code: string): boolean {
  return country === 0 || country === lettersWord(code)
}

// ---------------------------------------------------------------- receipt request

const RECEIPT_REQUEST: Record<Tagging, bigint> = {
  v0: 0x0000_8000_0000_0000n,
  v2: 0x0000_0000_8000_0000n,
}

/** The receipt request flag of the tagging that the word has. */
export function isReceiptRequest(word: Word): boolean {
  return taggingOf(word) === 'v2' ? (word.flags & 0x8000) !== 0 : (word.version & 0x8) !== 0
}

export function withoutReceiptRequest(receiptCase: bigint): bigint {
  return receiptCase & ~RECEIPT_REQUEST[taggingOf(wordOf(receiptCase)) ?? 'v0']
}

// ------------------------------------------------------------------------ country

function lettersWord(code: string): number {
  return (code.charCodeAt(0) << 8) | code.charCodeAt(1)
}

/** `AT` ↔ 0x4154: the two ASCII letters of the country code. */
export function countryWord(code: string): bigint {
  return BigInt(lettersWord(code))
}

/** The letters of the country, or '' when its 16 bits are no two capital letters. */
export function countryOf({ country }: Word): string {
  const text = String.fromCharCode(country >>> 8, country & 0xff)
  return /^[A-Z]{2}$/.test(text) ? text : ''
}

/** `0x4154000000000001`: the spelling of exports and logs. */
export function hexWord(word: bigint): string {
  return `0x${BigInt.asUintN(64, word).toString(16).toUpperCase().padStart(16, '0')}`
}
