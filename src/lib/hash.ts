// SHA-256 in one call, and comparison of secrets in constant time.
import * as crypto from 'node:crypto'

type OneShot = (algorithm: string, data: string | Uint8Array, encoding: 'buffer') => Buffer
// crypto.hash came with Node 20.12 and is missing in the type package of the runtime's line
const oneShot = (crypto as unknown as { hash: OneShot }).hash

export function sha256(data: string | Uint8Array): Buffer {
  return oneShot('sha256', data, 'buffer')
}

/** True when both are equal; takes the same time wherever they differ. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && crypto.timingSafeEqual(a, b)
}
