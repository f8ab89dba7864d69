// 64-bit case, state and signature words of Germany in both taggings (v0/v1 and v2).
import type { Tagging } from '../../case/word.js'

/** "DE" in ASCII: the top 16 bits of every German word. */
export const COUNTRY = 0x4445

/** Bits of ftState in v0/v1 numbering; they are OR-ed. */
export const stateBits = {
  outOfService: 0x001,
  tseFailed: 0x002,
  lateSigning: 0x008,
  switching: 0x100,
  /** Version 2 only. */
  dailyDue: 0x1_0000,
} as const

/** The same in v2, where 0x100 means that a daily closing is due: switching is local 001. */
const SWITCHING_V2 = 0x0001_0000_0000n
const DAILY_DUE_V2 = 0x100n

const READY: Record<Tagging, bigint> = {
  v0: 0x4445_0000_0000_0000n,
  v2: 0x4445_2000_0000_0000n,
}

/** The complete ftState for bits in v0/v1 numbering. */
export function stateWord(bits: number, tagging: Tagging): bigint {
  const common = BigInt(bits & ~(stateBits.switching | stateBits.dailyDue))
  const switching = (bits & stateBits.switching) !== 0
  if (tagging === 'v0') return READY.v0 | common | (switching ? BigInt(stateBits.switching) : 0n)
  const due = (bits & stateBits.dailyDue) === 0 ? 0n : DAILY_DUE_V2
  return READY.v2 | common | due | (switching ? SWITCHING_V2 : 0n)
}

/** ftState of an error and the type of its signature item: the same in both taggings. */
export const ERROR_STATE = 0x4445_2000_eeee_eeeen
export const ERROR_TYPE = 0x4445_2000_0000_3000n

// -------------------------------------------------------------- ftSignatureType

/** ftSignatureFormat values that Germany uses. */
export const formats = { text: 0x01n, qr: 0x03n, aztec: 0x08n, base64: 0x0dn } as const
/** Flag of a v0/v1 format: need not be printed. */
const OPTIONAL_FORMAT = 0x1_0000n
/** Flags of a v2 type. */
const ARCHIVE_V2 = 0x0001_0000n
const OPTIONAL_V2 = 0x0010_0000n
const HIDDEN_V2 = 0x0020_0000n

export interface SignatureKind {
  format: bigint
  /** Low 16 bits of ftSignatureType. */
  type: number
  /** False: no country in v0/v1, as plain information has it. */
  country: boolean
  /** v0/v1: may be left off the paper. */
  optional: boolean
  /** Flags of the v2 type. */
  v2: bigint
}

type Use = 'shown' | 'optional' | 'hidden' | 'archive'
const v2Flags: Record<Use, bigint> = {
  shown: 0n,
  optional: OPTIONAL_V2,
  hidden: HIDDEN_V2,
  archive: ARCHIVE_V2,
}

function kind(format: bigint, type: number, use: Use = 'optional'): SignatureKind {
  const optional = use === 'optional' || use === 'hidden'
  return { format, type, country: true, optional, v2: v2Flags[use] }
}

const { text, base64 } = formats

/** Every item that Germany puts on a receipt. */
export const signatureKinds = {
  qr: kind(formats.qr, 0x01, 'shown'),
  storage: kind(text, 0x02, 'archive'),
  start: kind(base64, 0x10, 'hidden'),
  finishPayload: kind(base64, 0x11, 'hidden'),
  finish: kind(base64, 0x12, 'hidden'),
  qrVersion: kind(text, 0x13),
  serial: kind(text, 0x14),
  processType: kind(text, 0x15),
  processData: kind(text, 0x16),
  transactionNumber: kind(text, 0x17),
  counter: kind(text, 0x18),
  startTime: kind(text, 0x19),
  logTime: kind(text, 0x1a),
  algorithm: kind(text, 0x1b),
  logTimeFormat: kind(text, 0x1c),
  signature: kind(text, 0x1d),
  publicKey: kind(text, 0x1e),
  actionStart: kind(text, 0x1f, 'shown'),
  updatePayload: kind(base64, 0x20, 'hidden'),
  update: kind(base64, 0x21, 'hidden'),
  certificationId: kind(text, 0x22, 'shown'),
  /** v2 shows it, v0/v1 leaves it to the till. */
  tseSerial: { ...kind(text, 0x23), v2: 0n },
  started: kind(formats.aztec, 0x03, 'shown'),
  stopped: kind(formats.aztec, 0x04, 'shown'),
  information: { ...kind(text, 0x1000, 'shown'), country: false },
} as const satisfies Record<string, SignatureKind>

export interface KindStyle {
  tagging: Tagging
  /** Parameter FlagOptionalSignatures. */
  flagOptional: boolean
}

/** ftSignatureFormat and ftSignatureType of an item. */
export function signatureWords(kind: SignatureKind, style: KindStyle): SignatureWords {
  const known = knownWords[style.tagging][style.flagOptional ? 'optional' : 'plain']
  const found = known.get(kind) ?? wordsOf(kind, style)
  known.set(kind, found)
  return found
}

interface SignatureWords {
  format: bigint
  type: bigint
}

/** A receipt has twenty items of kinds that never change: their words are made once. */
const knownWords = {
  v0: { optional: new Map<SignatureKind, SignatureWords>(), plain: new Map() },
  v2: { optional: new Map<SignatureKind, SignatureWords>(), plain: new Map() },
} satisfies Record<Tagging, Record<string, Map<SignatureKind, SignatureWords>>>

function wordsOf(
  { format, type, country, optional, v2 }: SignatureKind,
  { tagging, flagOptional }: KindStyle,
): SignatureWords {
  if (tagging === 'v0') {
    const flag = optional && flagOptional ? OPTIONAL_FORMAT : 0n
    return { format: format | flag, type: (country ? READY.v0 : 0n) | BigInt(type) }
  }
  // bits 16 to 19 of a v2 format are a position on the page
  const flags = v2 === OPTIONAL_V2 && !flagOptional ? 0n : v2
  return { format, type: READY.v2 | flags | BigInt(type) }
}
