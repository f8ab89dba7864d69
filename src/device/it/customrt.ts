// Documents of a Custom RT server: JSON as text inside of JSON, its SHA-256, and the signature with
// the key of the till that chains one document to the next. Amounts are cents.
import { createHash, createHmac } from 'node:crypto'
import { z } from 'zod'
import { formatCents } from '../../lib/decimal.js'
import table from './customrt.json' with { type: 'json' }
import { chained } from './rt-unit.js'
import { paidOf, paymentsOf, sumsOf, totalOf, worth } from './sums.js'
import type { RtDocument, RtLine } from './unit.js'
import { type Form, filled, four, lineOf, type Values } from './wire.js'

const cents = z.string().regex(/^-?\d+$/)
const signed = chained.extend({ signature: z.string() })

/** What a server remembers of a till. */
export const till = z.object({
  uuid: z.string(),
  /** Token of the day, or signature of the document before; '': the day must be opened. */
  before: z.string(),
  /** The running Z, its newest document, and the sum of all documents so far. */
  ...{ z: z.int(), doc: z.int(), grand: cents },
  last: signed.nullable(),
  /** Asked and not answered. */
  open: signed.extend({ amount: cents }).nullable(),
  settled: z.array(signed),
})
export type Till = z.infer<typeof till>

/** Where the document itself stands, and the VAT number of who sells. */
export interface TillPlace extends Pick<Till, 'uuid' | 'z' | 'doc' | 'before' | 'grand'> {
  /** `2026-07-02 12:00:00` */
  moment: string
  vatId: string
}

const WIDTH = 20
const THOUSANDTHS = 3
const THOUSAND = 1000n

const comma = (cents: bigint): string => formatCents(cents, ',')
const members = (form: Form, values: Values): object =>
  Object.fromEntries(filled(form, { ...values, none: null }))

/** `2200` and no letters, or no rate and the letters of the nature. */
const rateOf = (vat: string): { vatvalue: string; vatcode: string } =>
  /^\d/.test(vat) ? { vatvalue: `${vat}00`, vatcode: '' } : { vatvalue: '0', vatcode: vat }

export function fiscalData(document: RtDocument, place: TillPlace): string {
  const { type, taxId, lottery } = document
  const head = members(table.forms.document, {
    ...{ ...place, grand: Number(place.grand), amount: Number(totalOf(document)) },
    ...{ lottery: lottery || undefined, type: table.types[type], taxId },
    ...referenceOf(document, place.uuid),
  })
  const taxs = Object.entries(sumsOf(document)).map(([vat, [gross, tax]]) => {
    const { vatvalue, vatcode } = rateOf(vat)
    const sums = { gross: Number(gross), tax: Number(tax) }
    const values = { ...sums, vatvalue: Number(vatvalue), vatcode }
    return { ...members(table.forms.tax, values), additional_tax_data: [] }
  })
  const items = [...linesOf(document), ...endOf(document, place)]
  return JSON.stringify({ document: head, items, taxs })
}

/** -1: a sale; 0: what it takes back has no number here. */
function referenceOf({ reference }: RtDocument, uuid: string): Values {
  if (reference === undefined) return { refZ: -1, refDoc: -1, date: null, serial: null, till: null }
  const { z: refZ, doc: refDoc, date, serial } = reference
  return { refZ, refDoc, date: `${date} 00:00:00`, serial, till: refZ === 0 ? 'ND' : uuid }
}

/** One of what was sold carries its rate. */
function itemOf(vat: string | undefined, values: Values): object {
  const { vatvalue, vatcode } = vat === undefined ? { vatvalue: '', vatcode: '' } : rateOf(vat)
  const none = { quantity: '', unitprice: '', paymentid: '' }
  const department = vat === undefined ? '' : '1'
  return members(table.forms.item, { ...none, vatvalue, vatcode, department, ...values })
}

const text = (description: string, amount = ''): object =>
  itemOf(undefined, { type: '97', description, amount })

/** What is taken off the whole stands at its rates, as the sums have it. */
function linesOf(document: RtDocument): object[] {
  const lines = document.lines.map(lineOfSale)
  if (document.subtotal === 0n) return lines
  const parts = sumsOf({ ...document, subtotal: 0n })
  const adjusted = Object.entries(sumsOf(document)).flatMap(([vat, [gross]]) => {
    const cents = gross - (parts[vat]?.[0] ?? 0n)
    const told = cents < 0n ? 'SCONTO' : 'MAGGIORAZIONE'
    return cents === 0n ? [] : sold({ text: told, quantity: '1', cents, vat })
  })
  return [...lines, ...adjusted]
}

/** `cents`: below zero where it is taken off. */
type Sold = Omit<RtLine, 'kind' | 'vat'> & { vat: string }

function lineOfSale(line: RtLine): object {
  const { kind, text: told, quantity, cents, vat } = line
  if (kind === 'note') return text(lineOf(told, WIDTH * 2))
  if (kind === 'gift') return itemOf(vat, { type: '8', description: told, amount: `${cents}` })
  return sold({ text: told, quantity, cents: worth(line), vat })
}

function sold({ text: told, cents, vat, quantity }: Sold): object {
  const [whole = '0', part = ''] = quantity.split('.')
  const thousandths = BigInt(whole + part.padEnd(THOUSANDTHS, '0'))
  const each = thousandths === 0n ? cents : (cents * THOUSAND) / thousandths
  const percent = /^\d/.test(vat) ? `${vat}%` : vat
  const columns = [
    lineOf(told, WIDTH).padEnd(WIDTH),
    percent.padStart(6),
    comma(cents).padStart(14),
  ]
  const numbers = { amount: `${cents}`, quantity: `${thousandths}`, unitprice: `${each}` }
  return itemOf(vat, { type: '1', description: columns.join(''), ...numbers })
}

/** Total, tax, payments and number, as they stand below the sale. */
function endOf(document: RtDocument, { moment, z, doc }: TillPlace): object[] {
  const { tax, change, kept, of } = paidOf(document)
  const told = (name: string, cents: bigint) => text(`${name} ${comma(cents)}`, `${cents}`)
  const [day = '', time = ''] = moment.split(' ')
  return [
    told('TOTALE  COMPLESSIVO', totalOf(document)),
    told('DI CUI IVA', tax),
    ...paymentsOf(document).map(({ kind, text: name, cents }) => {
      const description = `${lineOf(name, WIDTH)} ${comma(cents)}`
      const paymentid = `${table.payments[kind]}`
      return itemOf(undefined, { type: '5', description, amount: `${cents}`, paymentid })
    }),
    told('NON RISCOSSO', of('goodsUnpaid', 'servicesUnpaid', 'invoiceFollows')),
    told('RESTO', change),
    told('SCONTO A PAGARE', of('discount')),
    told('IMPORTO PAGATO', kept),
    text(`${day.split('-').toReversed().join('/')} ${time}       DOC.N.${four(z)}-${four(doc)}`),
  ]
}

/** `key` as the server gives it, in Base64. */
export function qrData(data: string, key: string) {
  const shaMetadata = createHash('sha256').update(data, 'utf8').digest('base64')
  const hmac = createHmac('sha256', Buffer.from(key, 'base64')).update(shaMetadata, 'utf8')
  return { shaMetadata, signature: hmac.digest('base64'), addInfo: null }
}
