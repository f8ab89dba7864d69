// Checks a signature with the certificate that came with it, before it is put on a receipt.
// Called for devices that can answer wrongly; verifying costs more than signing.
import { createVerify, type KeyObject, X509Certificate } from 'node:crypto'
import type { CertificateEntry } from '../model/journal.js'

const MAX_CACHED = 1024
const keys = new Map<string, KeyObject>()

export interface Es256Signature {
  /** R and S. */
  signature: Buffer
  certificate: CertificateEntry
}

/** Throws when the certificate cannot be read. */
export function verifies(data: Buffer, { signature, certificate }: Es256Signature): boolean {
  const key = publicKeyOf(certificate)
  return createVerify('sha256').update(data).verify({ key, dsaEncoding: 'ieee-p1363' }, signature)
}

/** R and S as an ASN.1 sequence of two integers. */
export function derOf(signature: Buffer): Buffer {
  const half = signature.length / 2
  const parts = [signature.subarray(0, half), signature.subarray(half)].map((part) => {
    const first = part.findIndex((byte) => byte !== 0)
    const digits = part.subarray(first < 0 ? half - 1 : first)
    const value = (digits[0] ?? 0) < 0x80 ? digits : Buffer.concat([Buffer.of(0), digits])
    return Buffer.concat([Buffer.of(0x02, value.length), value])
  })
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.of(0x30, body.length), body])
}

function publicKeyOf({ fingerprint, der }: { fingerprint: Buffer; der: Buffer }): KeyObject {
  const name = fingerprint.toString('base64')
  const known = keys.get(name)
  if (known !== undefined) return known
  const key = new X509Certificate(der).publicKey
  if (keys.size >= MAX_CACHED) keys.clear()
  keys.set(name, key)
  return key
}
