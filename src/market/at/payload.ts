// The machine-readable code of the RKSV (algorithm R1), its JWS and its other printed forms. The
// OCR and link forms by the rendering of receipts.
import { sha256, sha256Text } from '../../lib/hash.js'

/** Base64url of {"alg":"ES256"}: the header of every receipt. */
export const JWS_HEADER = 'eyJhbGciOiJFUzI1NiJ9'

/** Third part of the JWS when the signing device failed: "Sicherheitseinrichtung ausgefallen". */
export const FAILED_SIGNATURE = Buffer.from('Sicherheitseinrichtung ausgefallen')

const CHAIN_BYTES = 8
/** Of Base64 that the first bytes of a hash fill alone. */
const CHAIN_DIGITS = 10
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Fields 2 to 10, which are the same whichever device signs: `_Kassen-ID_…_Umsatz`. */
export interface CodeBody {
  kassenId: string
  receiptId: string
  /** Local time of Austria, `yyyy-MM-ddTHH:mm:ss`. */
  localTime: string
  /** Fields 5 to 9 as one text. */
  amounts: string
  /** Field 10. */
  turnover: string
}

export function codeBody({ kassenId, receiptId, localTime, amounts, turnover }: CodeBody): string {
  return `_${kassenId}_${receiptId}_${localTime}_${amounts}_${turnover}`
}

export interface CodeSeal {
  /** Trust service provider (ZDA), e.g. AT1. */
  zda: string
  /** Certificate serial number, hexadecimal. */
  serialHex: string
  /** Field 12. */
  chain: string
}

/** The 12 fields without signature. */
export function machineCode(body: string, { zda, serialHex, chain }: CodeSeal): string {
  return `_R1-${zda}${body}_${serialHex}_${chain}`
}

/** The 13 fields that the QR code carries. */
export function qrCode(code: string, signature: Buffer): string {
  return `${code}_${signature.toString('base64')}`
}

/** Field 12 of the next receipt; `previous`: the compact JWS before it, or the Kassen-ID. */
export function chainValue(previous: string): string {
  const hash = sha256Text(previous, 'base64')
  // of the eleventh digit four bits belong to the eighth byte
  const last = BASE64.indexOf(hash.charAt(CHAIN_DIGITS)) & 0x3c
  return `${hash.slice(0, CHAIN_DIGITS)}${BASE64.charAt(last)}=`
}

// ------------------------------------------------------------------ other forms

/** Fields that are base64 in the QR form and Base32 in the OCR form: counter, chain, signature. */
const RECODED: ReadonlySet<number> = new Set([10, 12, 13])

/** The code for OCR-A and Base32: as the QR form with three fields in Base32 (RFC 4648). */
export function ocrCode(qr: string): string {
  return qr
    .split('_')
    .map((field, at) => (RECODED.has(at) ? base32(Buffer.from(field, 'base64')) : field))
    .join('_')
}

/** Last part of an address under which the code can be fetched. */
export function linkHash(qr: string): string {
  return sha256(qr).subarray(0, CHAIN_BYTES).toString('base64url')
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648 section 6, with padding. */
function base32(bytes: Buffer): string {
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    bits += 8
    for (; bits >= 5; bits -= 5) text += ALPHABET[(held >>> (bits - 5)) & 31] ?? ''
    held &= (1 << bits) - 1
  }
  if (bits > 0) text += ALPHABET[(held << (5 - bits)) & 31] ?? ''
  return text.padEnd(Math.ceil(text.length / 8) * 8, '=')
}
