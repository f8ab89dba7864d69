// Certificates and keys that are given beside a file, as texts.
import { createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import type { VerifyOptions } from './contract.js'

/** Each as Base64 or PEM, those of a container one by one. */
export function givenTexts(given: VerifyOptions['certificates']): string[] {
  return (given ?? []).flatMap((one) =>
    typeof one === 'string'
      ? [one]
      : Object.values(one).map((entry) => entry.signatureCertificateOrPublicKey),
  )
}

/** The bytes of a Base64 or PEM text. */
export function derOf(text: string): Buffer {
  return Buffer.from(text.replace(/-----[^-]+-----|\s/g, ''), 'base64')
}

/** A certificate in DER or PEM, or undefined. */
export function certificateOf(bytes: Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(bytes)
  } catch {
    return undefined // no certificate: the caller says so
  }
}

/** A public key (SubjectPublicKeyInfo in DER), or undefined. */
export function publicKeyOf(der: Buffer): KeyObject | undefined {
  try {
    return createPublicKey({ key: der, format: 'der', type: 'spki' })
  } catch {
    return undefined // no key: the caller says so
  }
}
