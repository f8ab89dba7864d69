// ECDSA on P-256 over a hash that somebody else has made (FIPS 186-5, 6.4.1): Node signs data only.
// For simulators: its numbers are not guarded against who watches the clock.
import { createECDH, type KeyObject, randomBytes } from 'node:crypto'

const N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
const BYTES = 32

/** R and S, 32 bytes each. */
export function signHash(key: KeyObject, hash: Buffer): Buffer {
  const d = numberOf(Buffer.from(key.export({ format: 'jwk' }).d ?? '', 'base64url'))
  const z = numberOf(hash)
  for (;;) {
    const k = numberOf(randomBytes(BYTES)) % N
    if (k === 0n) continue
    const point = createECDH('prime256v1')
    point.setPrivateKey(bytesOf(k))
    // 04, X, Y
    const r = numberOf(point.getPublicKey().subarray(1, 1 + BYTES)) % N
    const s = (inverse(k) * ((z + r * d) % N)) % N
    if (r !== 0n && s !== 0n) return Buffer.concat([bytesOf(r), bytesOf(s)])
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
