// 64-bit case, state and signature words of Austria in both taggings (v0/v1 and v2).
import type { Tagging } from '../../case/word.js'

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

/** ftState without any bit. */
export const READY: Record<Tagging, bigint> = {
  v0: 0x4154_0000_0000_0000n,
  v2: 0x4154_2000_0000_0000n,
}

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
export const ERROR_STATE = 0x4154_2000_eeee_eeeen
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
  v0: {
    unknown: 0x4154_0000_0000_0000n,
    rksv: 0x4154_0000_0000_0001n,
    archive: 0x4154_0000_0000_0002n,
    finanzOnline: 0x4154_0000_0000_0003n,
  },
  v2: {
    unknown: 0x4154_2000_0000_0000n,
    rksv: 0x4154_2000_0000_0001n,
    archive: 0x4154_2000_0001_0002n,
    finanzOnline: 0x4154_2000_0000_0003n,
  },
}

/** ftSignatureFormat values that Austria uses. */
export const formats = { text: 0x01n, qr: 0x03n, aztec: 0x08n, base64: 0x0dn } as const
