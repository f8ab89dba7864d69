// One receipt of the collection protocol, taken apart: three parts, twelve fields, and what is
// wrong with their form.
import { isUtf8 } from 'node:buffer'
import { centsOf, FIELDS, isBase64, SPECIAL } from './fields.js'
import { chainOver } from './primitives.js'
import { type Place, quote } from './reporter.js'
import type { RuleCode } from './rules.js'

export interface Fault {
  code: RuleCode
  text: string
}

export type Turnover = 'training' | 'void' | Buffer | undefined

/**
 * How far the content is proven: `valid` signature; `failed` device, so no signature; `invalid`
 * signature; `unchecked` because there is no certificate; `broken` because the parts cannot be
 * read.
 */
export type Proof = 'valid' | 'failed' | 'invalid' | 'unchecked' | 'broken'

export interface Reading extends Place {
  firstOfGroup: boolean
  /** The chaining value that the next receipt must carry. */
  hash: string
  /** Faults of form. A receipt with one was perhaps changed later. */
  faults: Fault[]
  proof: Proof
  /** `header.payload`, and the third part when it is a signature. */
  signed: string
  signature: Buffer | undefined
  provider: string
  cashBox: string
  /** '' when the form is wrong. */
  time: string
  /** Sum of the five amounts in cents; undefined when one cannot be read. */
  total: bigint | undefined
  /** All five are zero. */
  zero: boolean
  turnover: Turnover
  serial: string
  chain: string
}

/** base64url of {"alg":"ES256"} and of "Sicherheitseinrichtung ausgefallen". */
const HEADER = 'eyJhbGciOiJFUzI1NiJ9'
const FAILED = 'U2ljaGVyaGVpdHNlaW5yaWNodHVuZyBhdXNnZWZhbGxlbg'
/** 64 bytes in canonical base64url: the last character carries two bits. */
const SIGNATURE = /^[A-Za-z0-9_-]{85}[AQgw]$/
/**
 * The schema of the tax office wants 100 to 1000 characters of code; this bounds the work before
 * that.
 */
const LENGTH_LIMIT = 4096
/** The underscore and the base64 signature that make a payload the printed code. */
const CODE_TAIL = 1 + 88
/** Most receipts have no fault; they share this list. */
const NONE: Fault[] = []

export interface Position {
  position: number
  group: number
  firstOfGroup: boolean
}

/**
 * Reads one entry of `Belege-kompakt`. The proof of a signed one is still to be found by the
 * keyring.
 */
export function readReceipt(text: string, place: Position): Reading {
  const reading: Reading = {
    position: place.position,
    group: place.group,
    firstOfGroup: place.firstOfGroup,
    number: '',
    hash: chainOver(text),
    faults: NONE,
    proof: 'broken',
    signed: '',
    signature: undefined,
    provider: '',
    cashBox: '',
    time: '',
    total: undefined,
    zero: false,
    turnover: undefined,
    serial: '',
    chain: '',
  }
  const payload = openParts(text, reading)
  const readable = payload !== undefined && readFields(payload, reading)
  if (!readable) reading.proof = 'broken'
  return reading
}

export function addFault(reading: Reading, code: RuleCode, text: string): void {
  if (reading.faults === NONE) reading.faults = []
  reading.faults.push({ code, text })
}

/** The payload as text, or undefined when the parts cannot be read. */
function openParts(text: string, reading: Reading): string | undefined {
  if (text.length > LENGTH_LIMIT) {
    addFault(
      reading,
      'JWS_FORM',
      `expected at most ${LENGTH_LIMIT} characters, found ${text.length}`,
    )
    return undefined
  }
  const [header, payload, signature, ...more] = text.split('.')
  if (payload === undefined || signature === undefined || more.length > 0) {
    addFault(reading, 'JWS_FORM', `expected three parts, found ${quote(text)}`)
    return undefined
  }
  if (header !== HEADER) {
    addFault(reading, 'JWS_HEADER', `expected ${HEADER}, found ${quote(header ?? '')}`)
  }
  readSignature(signature, reading)
  reading.signed = text.slice(0, text.lastIndexOf('.'))
  const bytes = Buffer.from(payload, 'base64url')
  if (bytes.toString('base64url') !== payload) {
    const found = `found ${quote(payload.slice(-40))} at its end`
    addFault(reading, 'JWS_FORM', `expected the second part in base64url without padding, ${found}`)
    reading.number = bytes.toString('utf8').split('_')[3] ?? ''
    return undefined
  }
  if (!isUtf8(bytes)) {
    addFault(reading, 'PAYLOAD_FORM', 'expected UTF-8 in the second part, found other bytes')
    return undefined
  }
  return bytes.toString('utf8')
}

function readSignature(part: string, reading: Reading): void {
  if (part === FAILED) {
    reading.proof = 'failed'
  } else if (SIGNATURE.test(part)) {
    reading.signature = Buffer.from(part, 'base64url')
    reading.proof = 'unchecked'
  } else {
    const expected = `expected 86 characters of base64url or the fixed text ${FAILED}`
    addFault(reading, 'SIGNATURE_FORM', `${expected}, found ${quote(part)}`)
  }
}

/** False when there are not twelve fields. */
function readFields(payload: string, reading: Reading): boolean {
  const parts = payload.split('_')
  if (parts.length !== 13 || parts[0] !== '') {
    const found = `found ${parts.length - 1} in ${quote(payload)}`
    addFault(reading, 'PAYLOAD_FORM', `expected twelve fields after underscores, ${found}`)
    return false
  }
  const length = payload.length + CODE_TAIL
  if (length < 100 || length > 1000) {
    addFault(reading, 'CODE_LENGTH', `expected 100 to 1000 characters of code, found ${length}`)
  }
  reading.time = parts[4] ?? ''
  for (const field of FIELDS) {
    const part = parts[field.at] ?? ''
    if (field.holds(part)) continue
    addFault(reading, field.code, `expected ${field.expected}, found ${quote(part)}`)
    if (field.code === 'TIME_FORM') reading.time = ''
  }
  takeFields(parts, reading)
  return true
}

function takeFields(parts: string[], reading: Reading): void {
  const field = (at: number): string => parts[at] ?? ''
  reading.provider = field(1).slice('R1-'.length)
  reading.cashBox = field(2)
  reading.number = field(3)
  takeAmounts(parts, reading)
  takeTurnover(field(10), reading)
  reading.serial = field(11)
  reading.chain = field(12)
  const closed = reading.serial.charAt(1) === ':'
  if ((reading.provider === 'AT0') !== closed) {
    const expected = closed
      ? 'AT0 with the key of a closed system'
      : 'a provider that issues certificates'
    addFault(reading, 'PROVIDER', `expected ${expected}, found ${quote(reading.provider)}`)
  }
}

function takeAmounts(parts: string[], reading: Reading): void {
  let total = 0n
  let zero = true
  for (let at = 5; at <= 9; at += 1) {
    const cents = centsOf(parts[at] ?? '')
    if (cents === undefined) return
    if (cents !== 0n) zero = false
    total += cents
  }
  reading.total = total
  reading.zero = zero
}

function takeTurnover(part: string, reading: Reading): void {
  const special = SPECIAL.get(part)
  if (special !== undefined) {
    reading.turnover = special
    return
  }
  const bytes = Buffer.from(part, 'base64')
  if (isBase64(part, bytes) && bytes.length >= 5 && bytes.length <= 16) {
    reading.turnover = bytes
    return
  }
  const expected = 'expected base64 of 5 to 16 bytes, VFJB or U1RP'
  addFault(reading, 'TURNOVER_FORM', `${expected}, found ${quote(part)}`)
}
