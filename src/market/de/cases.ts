// Receipt cases of Germany, and the 64-bit words of both taggings (v0/v1 and v2).

import type { Tagging } from '../../case/word.js'
import { formats } from '../kit/draft.js'
import { wordsOf } from '../kit/words.js'

export const processTypes = {
  receipt: 'Kassenbeleg-V1',
  order: 'Bestellung-V1',
  other: 'SonstigerVorgang',
  none: '',
} as const
export type ProcessType = (typeof processTypes)[keyof typeof processTypes]

/** Kinds of a Bon (DSFinV-K, BON_TYP); null: no Bon. */
export type BonType =
  | 'Beleg'
  | 'AVRechnung'
  | 'AVTransfer'
  | 'AVBestellung'
  | 'AVTraining'
  | 'AVBelegstorno'
  | 'AVBelegabbruch'
  | 'AVSachbezug'
  | 'AVSonstige'

/** Which path a receipt takes through the queue. */
export type Path =
  | 'business'
  | 'zero'
  | 'start'
  | 'stop'
  | 'monthly'
  | 'yearly'
  | 'daily'
  | 'startTransaction'
  | 'updateTransaction'
  | 'failTransaction'
  | 'initiateSwitch'
  | 'finishSwitch'
  | 'startMigration'

export interface ReceiptCase {
  path: Path
  bonType: BonType | null
  processType: ProcessType
  /** `I`: only with the implicit flag, `E`: never with it, `IE`: both. */
  flow: 'I' | 'E' | 'IE'
  /** Data of SonstigerVorgang; '' where the data come from the items. */
  text: string
  /** True when the training flag is refused. */
  noTraining: boolean
}

export const receiptCases = {
  zero: 0x0002,
  start: 0x0003,
  stop: 0x0004,
  monthly: 0x0005,
  yearly: 0x0006,
  daily: 0x0007,
  startTransaction: 0x0008,
  updateTransaction: 0x0009,
  deltaTransaction: 0x000a,
  failTransaction: 0x000b,
  order: 0x0010,
  infoInternal: 0x0013,
  protocol: 0x0014,
  foreignSales: 0x0015,
  void: 0x0016,
  initiateSwitch: 0x0017,
  finishSwitch: 0x0018,
  startMigration: 0x0019,
} as const

function business(bonType: BonType): ReceiptCase {
  const processType = processTypes.receipt
  return { path: 'business', bonType, processType, flow: 'IE', text: '', noTraining: false }
}

function operation(path: Path, text: string, noTraining = true): ReceiptCase {
  const processType = processTypes.other
  return { path, bonType: null, processType, flow: 'I', text, noTraining }
}

function step(path: Path): ReceiptCase {
  const processType = processTypes.none
  return { path, bonType: null, processType, flow: 'E', text: '', noTraining: false }
}

function log(text: string): ReceiptCase {
  return { ...operation('business', text, false), flow: 'IE' }
}

/** By code; 0010 and 0013 look at their items as well, see caseOf. */
const table: readonly ReceiptCase[] = [
  business('Beleg'), // 0000 unknown
  business('Beleg'), // 0001 point of sale
  operation('zero', 'zero-receipt', false),
  operation('start', 'initial operation receipt / start-receipt'),
  operation('stop', 'out of operation receipt / stop-receipt'),
  operation('monthly', 'monthly-closing'),
  operation('yearly', 'yearly-closing'),
  operation('daily', 'daily-closing'),
  step('startTransaction'), // 0008
  step('updateTransaction'), // 0009
  step('updateTransaction'), // 000A delta
  { ...business('AVBelegabbruch'), path: 'failTransaction' }, // 000B
  business('Beleg'), // 000C invoice B2B
  business('Beleg'), // 000D invoice B2C
  business('AVRechnung'), // 000E
  business('AVTransfer'), // 000F delivery note
  { ...business('AVBestellung'), processType: processTypes.order }, // 0010 order
  business('Beleg'), // 0011 pay-in, pay-out, exchange
  business('AVSachbezug'), // 0012
  log('info-internal'), // 0013
  log('protocol'), // 0014
  business('AVSonstige'), // 0015 foreign sales
  business('AVBelegstorno'), // 0016
  operation('initiateSwitch', 'initiate-scu-switch'), // 0017
  operation('finishSwitch', 'finish-scu-switch'), // 0018
  operation('startMigration', 'start-migration'), // 0019
]

/** How many items of each kind a receipt has: orders and internal information depend on it. */
export interface ItemCounts {
  charges: number
  pays: number
}

/** The row of a code, or undefined for codes above 0019. */
export function caseOf(code: number, { charges, pays }: ItemCounts): ReceiptCase | undefined {
  const row = table[code]
  if (row === undefined) return undefined
  if (code === receiptCases.order && pays > 0) return business('AVBestellung')
  if (code === receiptCases.infoInternal && charges > 0 && pays > 0) return business('AVSonstige')
  return row
}

/** BON_TYP with the training flag looked at: it counts for Kassenbeleg-V1 only. */
export function bonTypeOf(row: ReceiptCase, training: boolean): BonType | null {
  return training && row.processType === processTypes.receipt ? 'AVTraining' : row.bonType
}

/** Bits 16 to 33 of a v0/v1 receipt case, moved down by 16. */
export const receiptFlags = {
  lateSigning: 0x0001,
  training: 0x0002,
  void: 0x0004,
  handwritten: 0x0008,
  tseInfo: 0x0080,
  /** Zero receipt: self-test. Start, stop, initiate switch: the TSE's state is left alone. */
  selfTestOrClientOnly: 0x0100,
  tarDownload: 0x0200,
  bypassTar: 0x0400,
  masterData: 0x0800,
  failIfOpen: 0x1000,
  dropUnknown: 0x2000,
  force: 0x4000,
  implicit: 0x1_0000,
  closeAll: 0x2_0000,
} as const

// ------------------------------------------------------------------------------------------- words

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

/** ftState without any bit, and that of an error: the same in both taggings. */
const { bases: READY, error } = wordsOf('DE')
export const ERROR_STATE = error

/** The complete ftState for bits in v0/v1 numbering. */
export function stateWord(bits: number, tagging: Tagging): bigint {
  const common = BigInt(bits & ~(stateBits.switching | stateBits.dailyDue))
  const switching = (bits & stateBits.switching) !== 0
  if (tagging === 'v0') return READY.v0 | common | (switching ? BigInt(stateBits.switching) : 0n)
  const due = (bits & stateBits.dailyDue) === 0 ? 0n : DAILY_DUE_V2
  return READY.v2 | common | due | (switching ? SWITCHING_V2 : 0n)
}

/** Type of the signature item of an error, the same in both taggings. */
export const ERROR_TYPE = 0x4445_2000_0000_3000n

// -------------------------------------------------------------- ftSignatureType

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
  /** v2 shows it, v0/v1 leaves it to the register. */
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
  const found = known.get(kind) ?? styled(kind, style)
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

function styled(
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
