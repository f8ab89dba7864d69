// The certificates of one TSE export: names, keys, the chain to the exported root (TR-03151 5.1,
// TR-03153). Called by tar-file.ts.
import type { X509Certificate } from 'node:crypto'
import { certificateKey, certificateOf, type DeviceKey } from './keys.js'
import { certificateStem } from './member-name.js'
import type { Reporter } from './reporter.js'
import type { TarCode } from './tar-rules.js'

export interface ProvingKey extends DeviceKey {
  certificate: X509Certificate
  /** Unix milliseconds. */
  validFrom: number
  validTo: number
}

interface Held {
  place: string
  stem: string
  certificate: X509Certificate
  key: DeviceKey | undefined
}

/** A chain longer than this is none. */
const LONGEST_CHAIN = 10
/** So many certificates are read per archive; a TSE has three or four. */
const MOST_CERTIFICATES = 100

export class ArchiveCertificates {
  private readonly reporter: Reporter<TarCode>
  private readonly held: Held[] = []
  private readonly keys = new Map<string, ProvingKey>()

  constructor(reporter: Reporter<TarCode>) {
    this.reporter = reporter
  }

  /** One certificate file. */
  add(place: string, name: string, content: Buffer): void {
    const certificate = certificateOf(content)
    if (certificate === undefined) {
      const text = `expected an X.509 certificate, found ${content.length} other bytes`
      this.reporter.add('CERTIFICATE_FORM', place, text)
      return
    }
    if (this.held.length === MOST_CERTIFICATES) {
      const text = `expected at most ${MOST_CERTIFICATES} certificates in an archive, found more`
      this.reporter.add('CERTIFICATE_FORM', place, text)
    }
    if (this.held.length >= MOST_CERTIFICATES) return
    const stem = certificateStem(name)
    this.held.push({ place, stem, certificate, key: certificateKey(certificate) })
  }

  /** After the last one: names and chains. */
  judge(): void {
    for (const held of this.held) {
      this.judgeName(held)
      this.judgeChain(held)
      if (held.key === undefined || held.certificate.ca) continue
      const { certificate, key } = held
      const validFrom = Date.parse(certificate.validFrom)
      const validTo = Date.parse(certificate.validTo)
      this.keys.set(key.serialHex, { ...key, certificate, validFrom, validTo })
    }
  }

  /** The key of a device by its serial number. */
  key(serialHex: string): ProvingKey | undefined {
    return this.keys.get(serialHex)
  }

  get count(): number {
    return this.held.length
  }

  private judgeName({ place, stem, certificate, key }: Held): void {
    if (key === undefined) {
      // authorities may use other keys, RSA for instance: what they are called says nothing then
      if (certificate.ca) return
      const text = 'expected an EC key on a NIST or Brainpool curve, found another key'
      this.reporter.add('CERTIFICATE_KEY', place, text)
      return
    }
    if (stem !== key.serialHex) {
      const text = `expected a file named ${key.serialHex.toUpperCase()}_X509, found ${stem}`
      this.reporter.add('CERTIFICATE_NAME', place, text)
    }
    if (certificate.ca || certificate.subject.toLowerCase().includes(`cn=${key.serialHex}`)) return
    const text = `expected CN=${key.serialHex} in the subject, found another subject`
    this.reporter.add('CERTIFICATE_SUBJECT', place, text)
  }

  private judgeChain({ place, certificate }: Held): void {
    let current = certificate
    for (let step = 0; step < LONGEST_CHAIN; step += 1) {
      const issuer = this.held.find((other) => isIssuer(other.certificate, current))?.certificate
      if (issuer === undefined) {
        const expected = 'expected the certificate of its issuer, which signed it'
        const text = `${expected}, found none for ${nameOf(current)}`
        this.reporter.add('CERTIFICATE_CHAIN', place, text)
        return
      }
      if (issuer.fingerprint256 === current.fingerprint256) return
      current = issuer
    }
    const text = `expected a root after at most ${LONGEST_CHAIN} certificates, found none`
    this.reporter.add('CERTIFICATE_CHAIN', place, text)
  }
}

function isIssuer(issuer: X509Certificate, of: X509Certificate): boolean {
  if (issuer.subject !== of.issuer) return false
  const isSelf = issuer.fingerprint256 === of.fingerprint256
  if (!isSelf && !issuer.ca) return false
  try {
    return of.verify(issuer.publicKey)
  } catch {
    return false // a kind of key that OpenSSL does not know
  }
}

function nameOf(certificate: X509Certificate): string {
  return JSON.stringify(certificate.subject.replaceAll('\n', ', '))
}
