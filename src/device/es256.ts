// Checks a signature with the certificate that came with it, before it is put on a receipt.
// Called for devices that can answer wrongly; verifying costs more than signing.
import { type KeyObject, verify, X509Certificate } from 'node:crypto'
import type { CertificateEntry } from '../model/journal.js'
import { DeviceError } from './device.js'
import { SIGNATURE_BYTES } from './rksv.js'

const MAX_CACHED = 1024
const keys = new Map<string, KeyObject>()

export interface Es256Signature {
  /** R and S. */
  signature: Buffer
  certificate: CertificateEntry
}

/** Throws when the certificate cannot be read. */
export function verifies(data: Buffer, { signature, certificate }: Es256Signature): boolean {
  return verify('sha256', data, keyOf(certificate), signature)
}

/**
 * As `verifies`, beside the event loop: for units that are waited for anyway, so that queues share
 * more than one processor. Rejects when the certificate cannot be read.
 */
export function verifiesBeside(data: Buffer, signed: Es256Signature): Promise<boolean> {
  return new Promise((resolve, reject) => {
    verify('sha256', data, keyOf(signed.certificate), signed.signature, (error, isGood) =>
      error === null ? resolve(isGood) : reject(error),
    )
  })
}

function keyOf(certificate: CertificateEntry) {
  return { key: publicKeyOf(certificate), dsaEncoding: 'ieee-p1363' } as const
}

/**
 * Throws DeviceError where a signature must not be used. `isSame`: its certificate is the one that
 * was asked for. `data`: what it is verified over; left out: it is believed.
 */
export function checkSigned(
  signed: Es256Signature,
  { isSame, data }: { isSame: boolean; data?: Buffer | undefined },
): void {
  const { length } = signed.signature
  if (length !== SIGNATURE_BYTES) throw new DeviceError(`the signature has ${length} bytes`)
  if (!isSame) throw new DeviceError('the certificate changed while signing')
  if (data === undefined || verifies(data, signed)) return
  throw new DeviceError('the signature does not verify with the certificate')
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
