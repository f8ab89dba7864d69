// The TSEs of one closing: their numbers inside it (TSE_ID), and what tse.csv says of them.
import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import type { ExportSource } from '../../../../model/export-source.js'
import type { Closing } from '../../queue.js'
import type { TseData } from './answer.js'
import type { Row } from './cells.js'
import { CERTIFICATE_PART, type Table, tables } from './tables.js'

/** Columns of tse.csv for the parts of a certificate that every export has. */
const USUAL_PARTS = 2
const ROMAN = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X', 'XI', 'XII']

interface Unit {
  serial: string
  fingerprint: Buffer
  /** As the signatures of its receipts have them; '' before the first one. */
  algorithm: string
  timeFormat: string
}

/** In the order of their use; without a receipt that names its TSE it is the latest one. */
export class Units {
  private readonly units: Unit[]
  private current = 0

  constructor(closing: Closing) {
    this.units = closing.units.map(({ serialHex, fingerprintHex }) => ({
      serial: serialHex.toLowerCase(),
      fingerprint: Buffer.from(fingerprintHex, 'hex'),
      algorithm: '',
      timeFormat: '',
    }))
  }

  /** TSE_ID of a receipt, 1 and up. */
  idOf(tse: TseData): number {
    const found = tse.serial === '' ? -1 : this.place(serialOf(tse.serial))
    if (found >= 0) this.current = found
    const unit = this.units[this.current]
    if (unit !== undefined && tse.signature !== '') {
      unit.algorithm ||= tse.algorithm
      unit.timeFormat ||= tse.timeFormat
    }
    return this.current + 1
  }

  async rows(source: ExportSource): Promise<Row<'tse'>[]> {
    return Promise.all(this.units.map((unit, at) => unitRow(source, unit, at + 1)))
  }

  private place(serial: string): number {
    return this.units.findIndex((unit) => unit.serial === serial)
  }
}

const HEX = /^(?:[0-9a-f]{2})+$/i

/** Signatures give the serial in hexadecimal or in base64. */
function serialOf(text: string): string {
  return HEX.test(text) ? text.toLowerCase() : Buffer.from(text, 'base64').toString('hex')
}

async function unitRow(source: ExportSource, unit: Unit, id: number): Promise<Row<'tse'>> {
  const der = await certificateOf(source, unit.fingerprint)
  const point = publicPoint(der)
  const parts = partsOf(der)
  return {
    TSE_ID: id,
    TSE_SERIAL: unit.serial,
    TSE_SIG_ALGO: unit.algorithm || algorithmOf(point),
    TSE_ZEITFORMAT: unit.timeFormat || 'unixTime',
    TSE_PD_ENCODING: 'UTF-8',
    TSE_PUBLIC_KEY: point.toString('base64'),
    TSE_ZERTIFIKAT_I: parts[0] ?? '',
    TSE_ZERTIFIKAT_II: parts[1] ?? '',
    ...Object.fromEntries(
      parts.slice(USUAL_PARTS).map((part, at) => [certificateColumn(at + USUAL_PARTS), part]),
    ),
  }
}

async function certificateOf(source: ExportSource, fingerprint: Buffer): Promise<Buffer> {
  const entry = await source.certificate(fingerprint)
  assert(entry, `certificate ${fingerprint.toString('hex')} of a cash point closing is not stored`)
  return entry.der
}

/** 04‖X‖Y, the end of the key's SubjectPublicKeyInfo: its last bit string. */
function publicPoint(der: Buffer): Buffer {
  const key = new X509Certificate(der).publicKey.export({ type: 'spki', format: 'der' })
  // behind the curve's name: tag 03, a length of one byte or two, no unused bits, the point
  for (const coordinate of [32, 48, 64]) {
    const point = key.subarray(-1 - 2 * coordinate)
    const length = key.length - point.length
    if (point[0] === 0x04 && key[length - 1] === 0 && length < SPKI_HEAD) return point
  }
  return key
}

/** Longest beginning of such a key: outer tags, two object identifiers, tag of the bit string. */
const SPKI_HEAD = 32

/** BSI TR-03151: the hash fits the curve. */
function algorithmOf(point: Buffer): string {
  const bits = ((point.length - 1) / 2) * 8
  return `ecdsa-plain-SHA${bits === 384 || bits === 512 ? bits : 256}`
}

function partsOf(der: Buffer): string[] {
  return der.toString('base64').match(new RegExp(`.{1,${CERTIFICATE_PART}}`, 'g')) ?? []
}

/** How many columns the certificates of these closings need. */
export async function certificateParts(
  source: ExportSource,
  fingerprints: Iterable<string>,
): Promise<number> {
  let most = USUAL_PARTS
  for (const hex of fingerprints) {
    const der = await certificateOf(source, Buffer.from(hex, 'hex'))
    most = Math.max(most, partsOf(der).length)
  }
  return most
}

/** tse.csv with as many certificate columns as this export needs. */
export function tseTable(parts: number): Table {
  const extra = Array.from({ length: parts - USUAL_PARTS }, (_, at) => ({
    name: certificateColumn(at + USUAL_PARTS),
    kind: 'text' as const,
    max: CERTIFICATE_PART,
    mandatory: false,
  }))
  return { ...tables.tse, columns: [...tables.tse.columns, ...extra] }
}

function certificateColumn(at: number): string {
  return `TSE_ZERTIFIKAT_${ROMAN[at] ?? at + 1}`
}
