// The certificates of one TSE export: names, keys, the chain to the exported root (TR-03151 5.1,
// TR-03153).
import type { X509Certificate } from 'node:crypto'
import type { Reporter } from '../reporter.js'
import { certificateKey, certificatesOf, type DeviceKey, keySerial } from './keys.js'
import { certificateStem } from './member-name.js'
import type { TarCode } from './tar-rules.js'
import type { Trust } from './trust.js'

export interface ProvingKey extends DeviceKey {
  /** Unix milliseconds. */
  validFrom: number
  validTo: number
  /** It was given beside the file, or certified by what was given. */
  isTrusted: boolean
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
  private readonly trust: Trust
  private readonly held: Held[] = []
  private readonly keys = new Map<string, ProvingKey>()

  constructor(reporter: Reporter<TarCode>, trust: Trust) {
    this.reporter = reporter
    this.trust = trust
  }

  /** One file of certificates. */
  add(place: string, name: string, content: Buffer): void {
    const certificates = certificatesOf(content)
    if (certificates.length === 0) {
      const text = `expected an X.509 certificate, found ${content.length} other bytes`
      this.reporter.add('CERTIFICATE_FORM', place, text)
      return
    }
    const stem = certificateStem(name)
    for (const certificate of certificates) {
      if (this.held.length === MOST_CERTIFICATES) {
        const text = `expected at most ${MOST_CERTIFICATES} certificates in an archive, found more`
        this.reporter.add('CERTIFICATE_FORM', place, text)
        return
      }
      this.held.push({ place, stem, certificate, key: certificateKey(certificate) })
    }
  }

  /** After the last one: names, chains, keys. */
  judge(): void {
    for (const held of this.held) {
      const isFirst = this.held.find(({ place }) => place === held.place) === held
      // a file of several certificates is named after the first
      if (isFirst) this.judgeName(held)
      const chain = this.judgeChain(held)
      const { certificate, key } = held
      // devices with a self-signed certificate call themselves an authority
      if (key === undefined || (certificate.ca && this.keys.has(key.serialHex))) continue
      const validFrom = Date.parse(certificate.validFrom)
      const validTo = Date.parse(certificate.validTo)
      const isTrusted = this.trust.covers(key.key, chain)
      this.keys.set(key.serialHex, { ...key, validFrom, validTo, isTrusted })
    }
  }

  /** The key of a device by its serial number; where the export has none, a given one. */
  key(serialHex: string): ProvingKey | undefined {
    const given = this.trust.key(serialHex)
    const always = { validFrom: Number.NEGATIVE_INFINITY, validTo: Number.POSITIVE_INFINITY }
    const known = this.keys.get(serialHex)
    return known ?? (given === undefined ? undefined : { ...given, ...always, isTrusted: true })
  }

  private judgeName({ place, stem, certificate, key }: Held): void {
    const serialHex = key?.serialHex ?? serialOf(certificate)
    if (serialHex === undefined) {
      const text = 'expected a kind of key that is known here, found another'
      this.reporter.add('CERTIFICATE_KEY', place, text)
      return
    }
    const isAuthority = certificate.ca || key === undefined
    if (stem !== serialHex) {
      const text = `expected a file named ${serialHex.toUpperCase()}_X509, found ${stem}`
      this.reporter.add(isAuthority ? 'CERTIFICATE_CA_NAME' : 'CERTIFICATE_NAME', place, text)
    }
    if (isAuthority || certificate.subject.toLowerCase().includes(`cn=${serialHex}`)) return
    const text = `expected CN=${serialHex} in the subject, found another subject`
    this.reporter.add('CERTIFICATE_SUBJECT', place, text)
  }

  /** The certificates from this one up to its root, as far as they are there. */
  private judgeChain({ place, certificate }: Held): X509Certificate[] {
    const chain = [certificate]
    for (let current = certificate; chain.length <= LONGEST_CHAIN; chain.push(current)) {
      const issuer = this.held.find((other) => isIssuer(other.certificate, current))?.certificate
      if (issuer === undefined) {
        const expected = 'expected the certificate of its issuer, which signed it'
        const text = `${expected}, found none for ${nameOf(current)}`
        this.reporter.add('CERTIFICATE_CHAIN', place, text)
        return chain
      }
      if (issuer.fingerprint256 === current.fingerprint256) return chain
      current = issuer
    }
    const text = `expected a root after at most ${LONGEST_CHAIN} certificates, found none`
    this.reporter.add('CERTIFICATE_CHAIN', place, text)
    return chain
  }
}

function serialOf(certificate: X509Certificate): string | undefined {
  try {
    return keySerial(certificate.publicKey)
  } catch {
    return undefined // an algorithm that OpenSSL does not know
  }
}

function isIssuer(issuer: X509Certificate, of: X509Certificate): boolean {
  if (issuer.subject !== of.issuer) return false
  const isSelf = issuer.fingerprint256 === of.fingerprint256
  // roots of the first X.509 version do not say that they are authorities
  if (!isSelf && !issuer.ca && !isRoot(issuer)) return false
  return isSigned(of, issuer)
}

function isRoot(certificate: X509Certificate): boolean {
  return certificate.subject === certificate.issuer && isSigned(certificate, certificate)
}

function isSigned(certificate: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return certificate.verify(issuer.publicKey)
  } catch {
    return false // a kind of key that OpenSSL does not know
  }
}

function nameOf(certificate: X509Certificate): string {
  return JSON.stringify(certificate.subject.replaceAll('\n', ', '))
}
