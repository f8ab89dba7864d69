// What an Epson RT printer is told (fpmate): one document in XML for each act. Amounts have a
// comma. What it answers stands at fixed places.
import { formatCents } from '../../lib/decimal.js'
import table from './fpmate.json' with { type: 'json' }
import { valuesOf, type WholeWire, type Wire } from './receipt.js'
import type { RtDocument } from './unit.js'
import { xml } from './wire.js'

export const { forms, paper, silent } = table
/**
 * `vats`: rate or nature → department, as technicians usually program it; a setting of the unit.
 * VI: ventilation, goods without rates; no printer has it by itself.
 */
export const WIRE: WholeWire = { ...table, money: (cents) => formatCents(cents, ',') }

/** All that is due, in cash. */
const IN_CASH = [{ kind: 'cash', text: 'CONTANTI', cents: 0n, count: 1 }] as const

/** `departments`: those that are programmed otherwise. */
export function receiptXml(document: RtDocument, departments: Wire['vats']): string {
  const { taxId } = document
  const payments = document.payments.length === 0 ? IN_CASH : document.payments
  const company = /^\d{11}$/.test(taxId)
  const vats = { ...WIRE.vats, ...departments }
  const values = valuesOf({ ...document, payments }, { ...WIRE, vats })
  return xml(forms.receipt, { ...values, company, person: taxId !== '' && !company })
}

/** What is posted. */
export const enveloped = (body: string): { body: string; contentType: string } => ({
  ...{ body: table.envelope.join(body), contentType: table.contentType },
})

/** The last document, as command 1387 tells it. */
export type LastDocument = NonNullable<ReturnType<typeof lastDocument>>

/** Operator, total, VAT, day, time, Z, document, serial number, lottery, whether it is fiscal. */
const LAST =
  /^..(\d{9}).{9}(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{4})(\d{1,4})(.{0,11})(?:.{9}(.))?/s

/** Undefined where the device has none. */
export function lastDocument(data: string) {
  const found = LAST.exec(data) ?? []
  const [, total, day, month, year, hour, minute, second, z, doc, serial = '', flag] = found
  if (total === undefined) return undefined
  return {
    ...{ total: BigInt(total), z: Number(z), doc: Number(doc) },
    moment: `20${year}-${month}-${day} ${hour}:${minute}:${second}`,
    ...{ serial: serial.trim(), isFiscal: flag === '1' },
  }
}

/** `99MAB123456` of `XX123456AB99` and the letter of the type. */
export function serialOf(data: string, type: string): string {
  return data.slice(10, 12) + type + data.slice(8, 10) + data.slice(2, 8)
}

/** `2026-07-02 14:00:00` of `2/7/2026` and `14:00`. */
export function momentOf(day: string, time: string): string {
  const [date = '', month = '', year = ''] = day.split('/')
  const two = (text: string) => text.padStart(2, '0')
  return `${year}-${two(month)}-${two(date)} ${time.length === 5 ? `${time}:00` : time}`
}
