// What a Custom RT printer is told (printer.htm): one document in XML for each act, without an
// envelope. Amounts are cents, quantities thousandths.
import table from './printer-htm.json' with { type: 'json' }
import { valuesOf, type Wire } from './receipt.js'
import type { RtDocument } from './unit.js'
import { lineOf, xml } from './wire.js'

/**
 * `stops`: places of the five digits of its state, and what makes a document impossible. A gift is
 * known to the printer, its element is not.
 */
export const { forms, paper, stops } = table

/**
 * As the technician has programmed the printer beside what is usual: what has no number cannot be
 * printed. `paperless`: an electronic document instead of paper.
 */
type Programmed = Pick<Wire, 'vats' | 'payments'> & { paperless: boolean }

export function receiptXml(document: RtDocument, programmed: Programmed): string {
  const vats = { ...table.usual.vats, ...programmed.vats }
  const payments = { ...table.usual.payments, ...programmed.payments }
  const { paperless } = programmed
  const isSale = document.type === 'sale'
  // nothing is paid where something is taken back
  const told = isSale ? document : { ...document, payments: [] }
  const wire = { ...table, vats, payments, money: (cents: bigint) => cents }
  const taxId = lineOf(document.taxId, paper)
  return xml(forms.receipt, { ...valuesOf(told, wire), sold: isSale, taxId, paperless })
}

/** `ddMMyyHHmm`, four digits of the document, perhaps four of the Z; undefined: there is none. */
export function lastPrinted(data: string) {
  const found = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{4})(\d{4})?$/.exec(data.trim()) ?? []
  const [, day, month, year, hour, minute, doc = '0000', z] = found
  if (doc === '0000') return undefined
  const moment = `20${year}-${month}-${day} ${hour}:${minute}`
  return { doc: Number(doc), z: z === undefined ? undefined : Number(z), moment }
}

/** `2026-07-02 14:00:00` of `02/07/2026 14:00:00`, of ISO 8601, or of the day alone. */
export function momentOf(text: string): string {
  const local = /^(\d\d)\/(\d\d)\/(\d{4})(?: (\d\d:\d\d:\d\d))?$/.exec(text) ?? []
  const [, day, month, year, time = '00:00:00'] = local
  if (day !== undefined) return `${year}-${month}-${day} ${time}`
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(text) ? text.slice(0, 19).replace('T', ' ') : ''
}
