// The public point of a TSE's key, and the serial number that is made from it.
import type { KeyObject, X509Certificate } from 'node:crypto'
import { sha256 } from '../../lib/hash.js'

/** Bytes of a coordinate; a JWK knows no brainpool curve, so that points are cut out instead. */
const COORDINATE: Readonly<Record<string, number>> = {
  prime256v1: 32,
  brainpoolP256r1: 32,
  secp384r1: 48,
  brainpoolP384r1: 48,
  brainpoolP512r1: 64,
  secp521r1: 66,
}

/** The uncompressed point 04‖X‖Y. Throws for a key that is on no curve. */
export function pointOf(key: KeyObject): Buffer {
  const size = COORDINATE[key.asymmetricKeyDetails?.namedCurve ?? '']
  if (size === undefined) throw new Error('the key of a TSE is on no curve')
  // the end of the SubjectPublicKeyInfo
  const point = key.export({ type: 'spki', format: 'der' }).subarray(-1 - 2 * size)
  if (point[0] !== 4) throw new Error('the key of a TSE is no uncompressed point')
  return Buffer.from(point)
}

/** Serial number of a device or issuer: SHA-256 over the public point, whatever the curve. */
export function keySerial(certificate: X509Certificate): Buffer {
  return sha256(pointOf(certificate.publicKey))
}
