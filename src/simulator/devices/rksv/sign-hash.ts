// ECDSA on P-256 over a hash that somebody else has made (FIPS 186-5, 6.4.1): Node signs data only.
// For simulators: its numbers are not guarded against who watches the clock.
import { createECDH, type KeyObject, randomBytes } from 'node:crypto'

const N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
const BYTES = 32

/** The secret number of a signature, as it is used: R, and its inverse. */
export interface Nonce {
  r: bigint
  inverse: bigint
}

/** R and S, 32 bytes each. */
export const signHash = (key: KeyObject, hash: Buffer): Buffer => hashSigner(key)(hash)

/** As signHash. Two signatures by one `nonce` give the key away. */
export function hashSigner(key: KeyObject): (hash: Buffer, nonce?: Nonce) => Buffer {
  const d = numberOf(Buffer.from(key.export({ format: 'jwk' }).d ?? '', 'base64url'))
  return (hash, nonce = freshNonce()) => {
    const z = numberOf(hash)
    for (let used = nonce; ; used = freshNonce()) {
      const s = (used.inverse * ((z + used.r * d) % N)) % N
      if (s !== 0n) return Buffer.concat([bytesOf(used.r), bytesOf(s)])
    }
  }
}

export function freshNonce(): Nonce {
  for (;;) {
    const k = numberOf(randomBytes(BYTES)) % N
    if (k === 0n) continue
    const point = createECDH('prime256v1')
    point.setPrivateKey(bytesOf(k))
    // 04, X, Y
    const r = numberOf(point.getPublicKey().subarray(1, 1 + BYTES)) % N
    if (r !== 0n) return { r, inverse: inverse(k) }
  }
}

const numberOf = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString('hex')}`)
const bytesOf = (value: bigint): Buffer =>
  Buffer.from(value.toString(16).padStart(2 * BYTES, '0'), 'hex')

/** By the extended algorithm of Euclid. */
function inverse(value: bigint): bigint {
  let [a, b] = [value % N, N]
  let [x, y] = [1n, 0n]
  while (b !== 0n) {
    const quotient = a / b
    ;[a, b] = [b, a % b]
    ;[x, y] = [y, x - quotient * y]
  }
  return ((x % N) + N) % N
}
