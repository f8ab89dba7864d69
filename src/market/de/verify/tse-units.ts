// The TSEs that an export names in tse.csv: key, serial number, certificate. Called by closings.ts.
import { certificateKey, certificateOf, type DeviceKey, keyOfBytes } from './keys.js'
import { quote } from './reporter.js'
import type { Report, Row } from './table-reader.js'

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

  constructor(report: Report) {
    this.report = report
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
    const key = this.key(row, serialHex)
    if (key !== undefined) this.judgeCertificate(row, certificate, key)
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

  private judgeCertificate(row: Row, text: string, key: DeviceKey): void {
    if (text === '') return // mandatory, told as such
    const certificate = BASE64.test(text) ? certificateOf(Buffer.from(text, 'base64')) : undefined
    if (certificate === undefined) {
      this.add(row, 'TSE_ZERTIFIKAT_I: expected base64 of an X.509 certificate, found another text')
      return
    }
    const found = certificateKey(certificate)
    if (found?.serialHex === key.serialHex) return
    const other = found?.serialHex ?? 'another kind of key'
    this.add(row, `TSE_ZERTIFIKAT_I: expected the key ${key.serialHex}, found ${other}`)
  }

  private add(row: Row, text: string): void {
    this.report.add('TSE_KEY', row.owner, `${row.place}, ${text}`)
  }
}
