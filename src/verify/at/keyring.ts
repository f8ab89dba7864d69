// Which key proves a receipt (RKSV § 9 (2), § 15): one that was given beside the file; where none
// was given, the certificate of its group.
import type { X509Certificate } from 'node:crypto'
import {
  type CertificateFault,
  type GivenKeys,
  isIssuedRightly,
  type NamedKey,
  readAuthority,
  readCertificate,
  readGivenKeys,
} from './certificates.js'
import { signatureHolds } from './primitives.js'
import { addFault, type Reading } from './reading.js'
import { quote, type Reporter } from './reporter.js'

/** A certificate that proved receipts. */
export interface UsedCertificate {
  serial: string
  /** SHA-256 of the certificate, '' for a bare public key. */
  fingerprint: string
  receipts: number
}

/** More certificates than any register wears out; what a hostile file has beyond is not listed. */
const LISTED = 100
/** Issuers of one group that are looked at; a chain has two or three. */
const AUTHORITIES = 20

export class Keyring {
  readonly used = new Map<string, UsedCertificate>()
  /** Certificates that stood behind the receipts they prove, as texts of the file. */
  readonly late: string[] = []
  /** What is trusted; when anything is given, nothing else proves a receipt. */
  private readonly given: ReadonlyMap<string, NamedKey>
  private readonly isGiven: boolean
  /** Certificates of this file that an earlier reading found behind their receipts. */
  private readonly found: ReadonlyMap<string, NamedKey>
  private readonly reporter: Reporter
  private group = 0
  private certificate: NamedKey | undefined
  private authorities: X509Certificate[] = []
  /** The group's certificate is there but of no use; that was told once. */
  private useless = false
  /** Receipts of this group, and those of them that found no key. */
  private receipts = 0
  private missed = 0
  private filledGroups = 0
  /** The first group with receipts and without certificate; 0 for none. */
  private bareGroup = 0
  private lastText = ''
  private lastRead: NamedKey | CertificateFault | undefined

  /** Throws FiscalError when a given key cannot be read. */
  constructor(keys: { given: GivenKeys; found: readonly string[] }, reporter: Reporter) {
    this.given = readGivenKeys(keys.given)
    this.isGiven = keys.given.length > 0
    this.found = readGivenKeys(keys.found)
    this.reporter = reporter
  }

  openGroup(): void {
    this.group += 1
    this.certificate = undefined
    this.authorities = []
    this.useless = false
    this.receipts = 0
    this.missed = 0
  }

  /** The group's certificate; '' stands for none. */
  setCertificate(text: string): void {
    if (this.missed > 0 && !this.isGiven) this.tellLate(text)
    if (text === '') return
    const found = this.read(text)
    if (!('key' in found)) {
      this.useless = true
      this.reporter.file(found.code, `group ${this.group}: ${found.text}`)
      return
    }
    this.certificate = found
    const given = this.given.get(found.serial)
    if (given !== undefined && !isSame(given, found)) {
      const text = `expected the given certificate ${found.serial}, found another with this number`
      this.reporter.file('CERTIFICATE_DIFFERS', `group ${this.group}: ${text}`)
    }
  }

  addAuthority(text: string): void {
    const authority = readAuthority(text)
    if (authority !== undefined) {
      if (this.authorities.length < AUTHORITIES) this.authorities.push(authority)
      return
    }
    const expected = 'expected an X.509 certificate, DER in base64'
    this.reporter.file('AUTHORITY_FORM', `group ${this.group}: ${expected}, found ${quote(text)}`)
  }

  /**
   * Certificate and issuers may come in any order, so they are compared at the end of the group.
   */
  closeGroup(): void {
    if (this.receipts > 0) this.countGroup()
    const certificate = this.certificate?.certificate
    if (certificate === undefined || isIssuedRightly(certificate, this.authorities)) return
    const text =
      'expected a certificate that its issuer in Zertifizierungsstellen signed, found another'
    this.reporter.file('CERTIFICATE_SIGNATURE', `group ${this.group}: ${text}`)
  }

  /** Only where all receipts stand in one group may its certificate be left out. */
  private countGroup(): void {
    this.filledGroups += 1
    if (this.bareGroup === 0 && this.certificate === undefined && !this.useless) {
      this.bareGroup = this.group
    }
    const second = this.filledGroups === 2 || this.bareGroup === this.group
    if (this.bareGroup === 0 || this.filledGroups < 2 || !second) return
    const text = 'expected a certificate, as there are several groups, found none'
    this.reporter.file('CERTIFICATE_MISSING', `group ${this.bareGroup}: ${text}`)
  }

  /** Finds the key for the serial on the receipt and sets its proof. */
  prove(reading: Reading): void {
    this.receipts += 1
    if (reading.proof === 'broken' || reading.serial === '') return
    const key = this.keyFor(reading)
    if (reading.signature === undefined) return
    if (key === undefined) {
      this.missed += 1
      return
    }
    const holds = signatureHolds(reading.signed, key.key, reading.signature)
    reading.proof = holds ? 'valid' : 'invalid'
    if (holds) this.count(reading, key)
  }

  private keyFor(reading: Reading): NamedKey | undefined {
    const { serial } = reading
    const own = this.certificate
    if (own?.serial === serial && !this.isGiven) return own
    const known = this.isGiven ? this.given : this.found
    const key = known.get(serial) ?? known.get('')
    if (own !== undefined && own.serial !== serial && key !== undefined) {
      const text = `expected the serial ${own.serial}, found ${quote(serial)}`
      addFault(reading, 'SERIAL_MISMATCH', text)
    } else if (key === undefined && (this.isGiven || !this.useless)) {
      const expected = this.expectedSerial(own)
      addFault(reading, 'SERIAL_UNKNOWN', `expected ${expected}, found ${quote(serial)}`)
    }
    return key
  }

  private expectedSerial(own: NamedKey | undefined): string {
    if (this.isGiven) return 'the serial of a given certificate'
    return own === undefined ? 'a certificate for the serial' : `the serial ${own.serial}`
  }

  private count(reading: Reading, key: NamedKey): void {
    if (key.validFrom !== '' && reading.time !== '' && reading.time < key.validFrom) {
      const text = `expected a time from ${key.validFrom} on, when the certificate begins`
      this.reporter.receipt('CERTIFICATE_EARLY', reading, `${text}, found ${reading.time}`)
    }
    const used = this.used.get(reading.serial)
    if (used !== undefined) used.receipts += 1
    else if (this.used.size < LISTED) {
      const { fingerprint } = key
      this.used.set(reading.serial, { serial: reading.serial, fingerprint, receipts: 1 })
    }
  }

  private tellLate(text: string): void {
    if (this.late.length < LISTED) this.late.push(text)
    const found = 'found it behind them: give it beside the file'
    const expected = 'expected the certificate before the receipts'
    this.reporter.file('CERTIFICATE_LATE', `group ${this.group}: ${expected}, ${found}`)
  }

  private read(text: string): NamedKey | CertificateFault {
    if (this.lastRead === undefined || this.lastText !== text) {
      this.lastText = text
      this.lastRead = readCertificate(text)
    }
    return this.lastRead
  }
}

/** The same certificate, or the same key where one of them is a bare key. */
function isSame(given: NamedKey, found: NamedKey): boolean {
  if (given.fingerprint === '') return given.key.equals(found.key)
  return given.fingerprint === found.fingerprint
}
