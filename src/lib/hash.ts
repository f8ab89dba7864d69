// SHA-256 in one call, and comparison of secrets in constant time.
import * as crypto from 'node:crypto'
import { inSlices } from './slices.js'

type Form = 'latin1' | 'base64'
type OneShot = (algorithm: string, data: string | Uint8Array, encoding: Form) => string
// crypto.hash came with Node 20.12 and is missing in the type package of the runtime's line
const oneShot = (crypto as unknown as { hash: OneShot }).hash

const SHA256_BYTES = 32

/**
 * The hash takes the detour over a text of 32 characters: Buffers made here share their memory,
 * while one from the library has memory of its own to be had and freed.
 */
export function sha256(data: string | Uint8Array): Buffer {
  const text = oneShot('sha256', data, 'latin1')
  const bytes = Buffer.allocUnsafe(SHA256_BYTES)
  for (let at = 0; at < SHA256_BYTES; at += 1) bytes[at] = text.charCodeAt(at)
  return bytes
}

/** The hash as a text for whoever wants no bytes; `latin1`: a character for each byte. */
export function sha256Text(data: string | Uint8Array, form: Form): string {
  return oneShot('sha256', data, form)
}

/** Bytes between two looks at the clock. */
const PIECE = 256 * 1024

/** The same hash of much, in short pieces with turns of others between them. */
export async function sha256InSlices(data: string | Uint8Array): Promise<Buffer> {
  const bytes = typeof data === 'string' ? Buffer.from(data) : data
  const hash = crypto.createHash('sha256')
  let at = 0
  await inSlices(() => {
    hash.update(bytes.subarray(at, at + PIECE))
    at += PIECE
    return at >= bytes.length
  })
  return hash.digest()
}

/** True when both are equal; takes the same time wherever they differ. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && crypto.timingSafeEqual(a, b)
}

/** Of bytes that never change and come again and again, such as a fingerprint: made once. */
export const keptHex = keptTexts('hex')
export const keptBase64 = keptTexts('base64')

function keptTexts(form: 'hex' | 'base64'): (bytes: Buffer) => string {
  const texts = new WeakMap<Buffer, string>()
  return (bytes) => {
    const known = texts.get(bytes)
    if (known !== undefined) return known
    const text = bytes.toString(form)
    texts.set(bytes, text)
    return text
  }
}
