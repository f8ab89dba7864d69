// Documents of an Epson RT server: elements with a dot in amounts, and the chain of fingerprints
// (CCDC) over the bytes as they are sent.
import { createHash } from 'node:crypto'
import { formatCents } from '../../lib/decimal.js'
import { WIRE as PRINTER } from './fpmate.js'
import table from './fpserver.json' with { type: 'json' }
import { valuesOf, type WholeWire } from './receipt.js'
import { paidOf, totalOf } from './sums.js'
import { PAY_KINDS, type RtAnswer, type RtDocument } from './unit.js'
import { four, xml } from './wire.js'

const dot = (cents: bigint): string => formatCents(cents, '.')

/** `stale`, `taken`: numbers of answers, out of step, or kept with a warning. */
export const { forms, stale, taken } = table
/** Departments and adjustments are those of the maker's printers. */
const WIRE: WholeWire = { ...PRINTER, payments: table.payments, money: dot }

/** Where the document stands: what the till has carried on. */
export interface ServerPlace extends Pick<RtAnswer, 'serial' | 'z' | 'doc'> {
  /** `20260702T120000` */
  stamp: string
  /** Gross of the sales of the day before this one. */
  daily: bigint
  isSummer: boolean
}

/** `before`: the token for the first document after it, else the last fingerprint. */
export const chain = (before: string, receipt: string): string =>
  `<receipt><hash fingerPrint="${before}"/>${receipt}</receipt>`

/** The fingerprint, in lower-case hexadecimal letters. */
export const ccdcOf = (before: string, receipt: string): string =>
  createHash('sha256').update(chain(before, receipt), 'utf8').digest('hex')

/** Serial, till, letters of chance, the day `20260702`, Z, next document, sales of the day. */
const TOKEN = /^(.{11})(.{8})(.{5})(\d{8})(\d{4})(\d{4})(\d{9})$/

/** Undefined for a text that is none. */
export function readToken(text: string) {
  const [, serial, till = '', chance = '', day = '', z, doc, daily = ''] = TOKEN.exec(text) ?? []
  if (serial === undefined) return undefined
  return { serial, till, chance, day, z: Number(z), doc: Number(doc), daily: BigInt(daily) }
}

export function serverXml(document: RtDocument, place: ServerPlace): string {
  const { type, lottery, taxId, payments } = document
  const { tax, change, kept, of: paid } = paidOf(document)
  const total = totalOf(document)
  const tickets = payments.reduce((sum, one) => sum + (one.kind === 'ticket' ? one.count : 0), 0)
  return xml(forms.receipt, {
    ...valuesOf(document, WIRE),
    ...{ docType: table.types[type], isPaid: payments.length > 0 ? 1 : 0 },
    // one of the two: a code of the lottery goes first
    buyer: lottery === '' ? taxId : '',
    ...Object.fromEntries(PAY_KINDS.map((kind) => [kind, dot(paid(kind))])),
    ...{ tickets: tickets > 0 ? tickets : undefined, change: dot(change), kept: dot(kept) },
    ...{ total: dot(total), tax: dot(tax), stamp: place.stamp, device: place.serial },
    daily: dot(place.daily + (type === 'sale' ? total : 0n)),
    ...{ running: four(place.z), number: place.doc, offset: place.isSummer ? 2 : 1 },
  })
}
