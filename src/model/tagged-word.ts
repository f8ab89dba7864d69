// Case words in both taggings (v0/v1 and v2), taken apart: the same in every country.

/** How the numbers of a request are meant: by the tables of v0/v1, or by those of v2. */
export type Tagging = 'v0' | 'v2'

/** A case word `CCCC_vlll_gggg_xxxx` taken apart into small numbers (the sign path reads many). */
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
  const high = Number(BigInt.asUintN(32, value >> 32n))
  const low = Number(BigInt.asUintN(32, value))
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
export function taggingOf(word: Word): Tagging | undefined {
  if (word.version === 2) return 'v2'
  return (word.version & 0x7) <= 1 ? 'v0' : undefined
}

const RECEIPT_REQUEST: Record<Tagging, bigint> = {
  v0: 0x0000_8000_0000_0000n,
  v2: 0x0000_0000_8000_0000n,
}

/** The receipt request flag of the tagging that the case has. */
export function isReceiptRequest(receiptCase: bigint): boolean {
  return (receiptCase & requestFlagOf(receiptCase)) !== 0n
}

export function withoutReceiptRequest(receiptCase: bigint): bigint {
  return receiptCase & ~requestFlagOf(receiptCase)
}

function requestFlagOf(receiptCase: bigint): bigint {
  return RECEIPT_REQUEST[taggingOf(wordOf(receiptCase)) ?? 'v0']
}

// ------------------------------------------------------------------------ ftState
