// The TSEs that an export names in tse.csv: key, serial number, certificate.
import type { X509Certificate } from 'node:crypto'
import { certificateOf } from '../given.js'
import { quote } from '../text.js'
import { certificateKey, type DeviceKey, keyOfBytes } from './keys.js'
import type { Report, Row } from './table-reader.js'
import type { Trust } from './trust.js'

export interface TseUnit {
  serialHex: string
  /** Undefined after a finding. */
  key: DeviceKey | undefined
  algorithm: string
  timeFormat: string
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
const FURTHER = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X']

export class TseUnits {
  private readonly report: Report
  /** By everything that the row says: a unit is judged once, not at every closing. */
  private readonly known = new Map<string, TseUnit>()
  private readonly trust: Trust

  constructor(report: Report, trust: Trust) {
    this.report = report
    this.trust = trust
  }

  unit(row: Row): TseUnit {
    const certificate = FURTHER.map((name) => row.get(`TSE_ZERTIFIKAT_${name}`)).join('')
    const names = ['TSE_SERIAL', 'TSE_SIG_ALGO', 'TSE_ZEITFORMAT', 'TSE_PUBLIC_KEY']
    const text = [...names.map((name) => row.get(name)), certificate].join('\n')
    const unit = this.known.get(text) ?? this.read(row, certificate)
    this.known.set(text, unit)
    return unit
  }

  private read(row: Row, certificate: string): TseUnit {
    const serialHex = row.get('TSE_SERIAL').toLowerCase()
    let key = this.key(row, serialHex)
    const found = key === undefined ? undefined : this.judgeCertificate(row, certificate, key)
    if (key !== undefined && this.trust.isGiven && !this.trust.covers(key.key, found ?? [])) {
      const text = `expected a key that a given certificate covers, found ${serialHex}`
      this.report.add('CERTIFICATE_DISTRUSTED', row.owner, `${row.place}: ${text}`)
      key = undefined
    }
    const [algorithm, timeFormat] = [row.get('TSE_SIG_ALGO'), row.get('TSE_ZEITFORMAT')]
    return { serialHex, key, algorithm, timeFormat }
  }

  private key(row: Row, serialHex: string): DeviceKey | undefined {
    const text = row.get('TSE_PUBLIC_KEY')
    const key = BASE64.test(text) ? keyOfBytes(Buffer.from(text, 'base64')) : undefined
    if (key === undefined) {
      this.add(row, `TSE_PUBLIC_KEY: expected base64 of an EC point, found ${quote(text)}`)
    } else if (key.serialHex !== serialHex) {
      const expected = `${key.serialHex}, the SHA-256 of the key`
      this.add(row, `TSE_SERIAL: expected ${expected}, found ${quote(serialHex)}`)
    }
    return key
  }

  /** The certificate of this key, alone in a list. */
  private judgeCertificate(row: Row, text: string, key: DeviceKey): X509Certificate[] {
    if (text === '') return [] // mandatory, told as such
    const certificate = BASE64.test(text) ? certificateOf(Buffer.from(text, 'base64')) : undefined
    if (certificate === undefined) {
      this.add(row, 'TSE_ZERTIFIKAT_I: expected base64 of an X.509 certificate, found another text')
      return []
    }
    const found = certificateKey(certificate)
    if (found?.serialHex === key.serialHex) return [certificate]
    const other = found?.serialHex ?? 'another kind of key'
    this.add(row, `TSE_ZERTIFIKAT_I: expected the key ${key.serialHex}, found ${other}`)
    return []
  }

  private add(row: Row, text: string): void {
    this.report.add('TSE_KEY', row.owner, `${row.place}, ${text}`)
  }
}
