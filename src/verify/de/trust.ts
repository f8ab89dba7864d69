// What is trusted: certificates and keys that were given beside the file. Without any, signatures
// prove a log to itself only.
import { createPublicKey, type KeyObject, type X509Certificate } from 'node:crypto'
import { fail } from '../../errors.js'
import type { VerifyOptions } from '../contract.js'
import { certificateOf, derOf, givenTexts } from '../given.js'
import { type DeviceKey, deviceKey } from './keys.js'

export class Trust {
  /** False: nothing was given. */
  readonly isGiven: boolean
  private readonly certificates: X509Certificate[] = []
  private readonly keys: KeyObject[] = []

  /** Throws FiscalError FIELD_INVALID. */
  constructor(given: VerifyOptions['certificates']) {
    this.isGiven = given !== undefined
    for (const text of givenTexts(given)) this.take(text)
  }

  /** The given key of a device by its serial number. */
  key(serialHex: string): DeviceKey | undefined {
    const keys = [...this.keys, ...this.certificates.map(({ publicKey }) => publicKey)]
    return keys.map(deviceKey).find((key) => key?.serialHex === serialHex)
  }

  /** True when this key was given, or the chain holds what was given, or was issued by it. */
  covers(key: KeyObject, chain: readonly X509Certificate[]): boolean {
    if (this.keys.some((given) => given.equals(key))) return true
    return this.certificates.some(
      (given) =>
        given.publicKey.equals(key) ||
        chain.some((one) => one.fingerprint256 === given.fingerprint256 || isIssued(one, given)),
    )
  }

  private take(text: string): void {
    const der = derOf(text)
    const certificate = certificateOf(der)
    if (certificate !== undefined) {
      this.certificates.push(certificate)
      return
    }
    try {
      this.keys.push(createPublicKey({ key: der, format: 'der', type: 'spki' }))
    } catch (cause) {
      const expected = 'X.509 certificates or public keys, base64 or PEM'
      const error = fail('FIELD_INVALID', { field: 'certificates', expected })
      error.cause = cause
      throw error
    }
  }
}

function isIssued(certificate: X509Certificate, issuer: X509Certificate): boolean {
  if (certificate.issuer !== issuer.subject || !issuer.ca) return false
  try {
    return certificate.verify(issuer.publicKey)
  } catch {
    return false // a kind of key that OpenSSL does not know
  }
}
