// Certificates and public keys: those in the file, and those that are given beside it.
import { createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import { fail } from '../../errors.js'
import { viennaTime } from './calendar.js'
import { isBase64 } from './fields.js'
import type { RuleCode } from './rules.js'

export interface ProvingKey {
  key: KeyObject
  /** First second of its validity in Austrian local time, '' for a bare public key. */
  validFrom: string
}

export interface NamedKey extends ProvingKey {
  /** As field 11 writes it; '' for a bare public key. */
  serial: string
  /** SHA-256 of the certificate as X.509 tools print it, '' for a bare public key. */
  fingerprint: string
  certificate: X509Certificate | undefined
}

/** One entry of the "cryptographic material container" of the ministry's tools. */
export interface ContainerEntry {
  id: string
  signatureDeviceType: string
  signatureCertificateOrPublicKey: string
}

/** Certificates or public keys (base64 DER or PEM) and certificateOrPublicKeyMaps of containers. */
export type GivenKeys = readonly (string | Readonly<Record<string, ContainerEntry>>)[]

/** Why a text in the file is no usable certificate. */
export interface CertificateFault {
  code: RuleCode
  text: string
}

/** Reads a certificate as the file carries it: DER in padded base64. */
export function readCertificate(text: string): NamedKey | CertificateFault {
  const der = Buffer.from(text, 'base64')
  const certificate = isBase64(text, der) ? parseDer(der) : undefined
  if (certificate === undefined) {
    const expected = 'expected an X.509 certificate, DER in base64'
    return { code: 'CERTIFICATE_FORM', text: `${expected}, found ${text.length} other characters` }
  }
  const key = p256(certificate)
  if (key === undefined)
    return { code: 'CERTIFICATE_KEY', text: 'expected a P-256 key, found another' }
  if (!isIssuedRightly(certificate, [certificate])) {
    const expected = 'expected a certificate that its own key signed, as its issuer says'
    return { code: 'CERTIFICATE_SIGNATURE', text: `${expected}, found another signature` }
  }
  return { ...key, ...describe(certificate) }
}

/** An issuer's certificate: any key will do, its form must be right. */
export function readAuthority(text: string): X509Certificate | undefined {
  const der = Buffer.from(text, 'base64')
  return isBase64(text, der) ? parseDer(der) : undefined
}

/** True unless the certificate names one of these as issuer and none of that name signed it. */
export function isIssuedRightly(
  certificate: X509Certificate,
  authorities: readonly X509Certificate[],
): boolean {
  const named = authorities.filter((authority) => authority.subject === certificate.issuer)
  return named.length === 0 || named.some((authority) => signed(certificate, authority))
}

function signed(certificate: X509Certificate, authority: X509Certificate): boolean {
  try {
    return certificate.verify(authority.publicKey)
  } catch {
    return true // a kind of key that OpenSSL does not know proves nothing and refutes nothing
  }
}

function parseDer(der: Buffer): X509Certificate | undefined {
  if (der[0] !== DER_SEQUENCE) return undefined
  try {
    const certificate = new X509Certificate(der)
    return certificate.raw.equals(der) ? certificate : undefined
  } catch {
    return undefined
  }
}

/** DER begins with it; PEM, which the class would read too, does not. */
const DER_SEQUENCE = 0x30

function p256(certificate: X509Certificate): { key: KeyObject } | undefined {
  try {
    const key = certificate.publicKey
    return isP256(key) ? { key } : undefined
  } catch {
    return undefined // an algorithm that OpenSSL does not know
  }
}

function isP256(key: KeyObject): boolean {
  return key.asymmetricKeyDetails?.namedCurve === 'prime256v1'
}

function describe(certificate: X509Certificate): Omit<NamedKey, 'key'> {
  return {
    serial: certificate.serialNumber.toLowerCase().replace(/^0+(?=.)/, ''),
    validFrom: viennaTime(new Date(certificate.validFrom)),
    fingerprint: certificate.fingerprint256,
    certificate,
  }
}

/** Keys given beside the file, by the text of field 11. Throws FiscalError FIELD_INVALID. */
export function readGivenKeys(given: GivenKeys): ReadonlyMap<string, NamedKey> {
  const keys = new Map<string, NamedKey>()
  for (const item of given) {
    if (typeof item === 'string') {
      const key = readGiven(item)
      keys.set(key.serial, key)
      continue
    }
    for (const [serial, entry] of Object.entries(item)) {
      const key = readGiven(entry.signatureCertificateOrPublicKey)
      keys.set(serial, { ...key, serial })
      // containers name certificates in decimal, too; the code has hexadecimal
      if (key.serial !== '' && !keys.has(key.serial)) keys.set(key.serial, key)
    }
  }
  return keys
}

function readGiven(text: string): NamedKey {
  const body = text.replace(/-----[^-]+-----|\s/g, '')
  const certificate = readCertificate(body)
  if ('key' in certificate) return certificate
  try {
    const der = Buffer.from(body, 'base64')
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
    if (isP256(key))
      return { key, serial: '', validFrom: '', fingerprint: '', certificate: undefined }
  } catch (cause) {
    throw refuse(cause)
  }
  throw refuse(undefined)
}

function refuse(cause: unknown): Error {
  const expected = 'X.509 certificates or public keys (P-256), base64 or PEM'
  const error = fail('FIELD_INVALID', { field: 'certificates', expected })
  error.cause = cause
  return error
}
