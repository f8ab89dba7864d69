// Documents of a Custom RT server: JSON as text inside of JSON, its SHA-256, and the signature with
// the key of the till that chains one document to the next. Amounts are cents.
import { createHash, createHmac } from 'node:crypto'
import { formatCents } from '../../lib/decimal.js'
import numbers from './numbers.json' with { type: 'json' }
import { paidOf, paymentsOf, sumsOf, totalOf, worth } from './sums.js'
import type { PayKind, RtDocument, RtLine, VatKey } from './unit.js'
import { four, lineOf } from './wire.js'

/** Where the document stands: what the till has carried on. */
export interface TillPlace {
  uuid: string
  z: number
  doc: number
  /** `2026-07-02 12:00:00` */
  moment: string
  /** Token of the day, or signature of the document before. */
  before: string
  /** Cents of all documents so far. */
  grand: bigint
  /** VAT number of who sells. */
  vatId: string
}

const DOC_TYPES = numbers.customrt.types
const PAYMENTS: Readonly<Record<PayKind, number>> = numbers.customrt.payments
const WIDTH = 20
const THOUSANDTHS = 3
const THOUSAND = 1000n

const comma = (cents: bigint): string => formatCents(cents, ',')

/** `2200` and no letters, or no rate and the letters of the nature. */
const rateOf = (vat: VatKey): { vatvalue: string; vatcode: string } =>
  /^\d/.test(vat) ? { vatvalue: `${vat}00`, vatcode: '' } : { vatvalue: '0', vatcode: vat }

export function fiscalData(document: RtDocument, place: TillPlace): string {
  const taxs = Object.entries(sumsOf(document)).map(([vat, [gross, tax]]) => ({
    ...{ gross: Number(gross), tax: Number(tax), vatvalue: Number(rateOf(vat as VatKey).vatvalue) },
    ...{ vatcode: rateOf(vat as VatKey).vatcode, businesscode: null, additional_tax_data: [] },
  }))
  const items = [...linesOf(document), ...endOf(document, place)]
  return JSON.stringify({ document: headOf(document, place), items, taxs })
}

function headOf(document: RtDocument, place: TillPlace): object {
  const { type, taxId, lottery } = document
  const { uuid, z, doc, moment, before, grand, vatId } = place
  return {
    ...(lottery === '' ? {} : { lottery_client_code: lottery }),
    ...{ cashuuid: uuid, doctype: DOC_TYPES[type], dtime: moment, docnumber: doc, docznumber: z },
    ...{ amount: Number(totalOf(document)), fiscalcode: taxId },
    ...{ vatcode: vatId, fiscaloperator: '', businessname: null, prevSignature: before },
    ...{ type_signature_id: '1', grandTotal: Number(grand) },
    ...referenceOf(document, uuid),
    ...{ errSignature: null, err_number: null, err_znumber: null },
  }
}

/** -1: a sale; 0: what it takes back has no number here. */
function referenceOf({ reference }: RtDocument, uuid: string): object {
  if (reference === undefined) {
    const none = { referenceClosurenumber: -1, referenceDocnumber: -1, referenceDtime: null }
    return { ...none, refSerialNum: null, referenceCashuuid: null }
  }
  const { z, doc, date, serial } = reference
  return {
    ...{ referenceClosurenumber: z, referenceDocnumber: doc, referenceDtime: `${date} 00:00:00` },
    ...{ refSerialNum: serial, referenceCashuuid: z === 0 ? 'ND' : uuid },
  }
}

interface Item {
  type: string
  description: string
  amount: string
  quantity?: string
  unitprice?: string
  vat?: VatKey
  paymentid?: string
}

function itemOf({ type, description, amount, vat, ...rest }: Item): object {
  const { quantity = '', unitprice = '', paymentid = '' } = rest
  const { vatvalue, vatcode } = vat === undefined ? { vatvalue: '', vatcode: '' } : rateOf(vat)
  const department = vat === undefined ? '' : '1'
  return {
    ...{ type, description, amount, quantity, unitprice, vatvalue, fiscalvoid: '0', signid: '1' },
    ...{ paymentid, plu: department, department, vatcode, service: '0', businesscode: '' },
  }
}

const text = (description: string, amount = ''): object =>
  itemOf({ type: '97', description, amount })

/** What is taken off the whole stands at its rates, as the sums have it. */
function linesOf(document: RtDocument): object[] {
  const lines = document.lines.map(lineOfSale)
  if (document.subtotal === 0n) return lines
  const whole = sumsOf(document)
  const parts = sumsOf({ ...document, subtotal: 0n })
  const adjusted = Object.keys(whole).flatMap((vat) => {
    const cents = (whole[vat]?.[0] ?? 0n) - (parts[vat]?.[0] ?? 0n)
    return cents === 0n
      ? []
      : sold(cents < 0n ? 'SCONTO' : 'MAGGIORAZIONE', { cents, vat: vat as VatKey })
  })
  return [...lines, ...adjusted]
}

function lineOfSale(line: RtLine): object {
  const { kind, text: told, quantity, cents, vat } = line
  if (kind === 'note') return text(lineOf(told, WIDTH * 2))
  if (kind === 'gift') return itemOf({ type: '8', description: told, amount: `${cents}`, vat })
  return sold(told, { cents: worth(line), vat, quantity })
}

interface Sold {
  cents: bigint
  vat: VatKey
  quantity?: string
}

function sold(told: string, { cents, vat, quantity = '1' }: Sold): object {
  const [whole = '0', part = ''] = quantity.split('.')
  const thousandths = BigInt(whole + part.padEnd(THOUSANDTHS, '0'))
  const each = thousandths === 0n ? cents : (cents * THOUSAND) / thousandths
  const price = cents < 0n ? `-${comma(-cents)}` : comma(cents)
  const percent = /^\d/.test(vat) ? `${vat}%` : vat
  const columns = [lineOf(told, WIDTH).padEnd(WIDTH), percent.padStart(6), price.padStart(14)]
  return itemOf({
    ...{ type: '1', description: columns.join(''), amount: `${cents}`, vat },
    ...{ quantity: `${thousandths}`, unitprice: `${each}` },
  })
}

/** Total, tax, payments and number, as they stand below the sale. */
function endOf(document: RtDocument, { moment, z, doc }: TillPlace): object[] {
  const { tax, change, kept, of } = paidOf(document)
  const told = (name: string, cents: bigint) => text(`${name} ${comma(cents)}`, `${cents}`)
  const [day = '', time = ''] = moment.split(' ')
  return [
    told('TOTALE  COMPLESSIVO', totalOf(document)),
    told('DI CUI IVA', tax),
    ...paymentsOf(document).map(({ kind, text: name, cents }) =>
      itemOf({
        ...{ type: '5', description: `${lineOf(name, WIDTH)} ${comma(cents)}` },
        ...{ amount: `${cents}`, paymentid: `${PAYMENTS[kind]}` },
      }),
    ),
    told('NON RISCOSSO', of('goodsUnpaid', 'servicesUnpaid', 'invoiceFollows')),
    told('RESTO', change),
    told('SCONTO A PAGARE', of('discount')),
    told('IMPORTO PAGATO', kept),
    text(`${day.split('-').toReversed().join('/')} ${time}       DOC.N.${four(z)}-${four(doc)}`),
  ]
}

export interface QrData {
  shaMetadata: string
  signature: string
  addInfo: null
}

/** `key` as the server gives it, in Base64. */
export function qrData(data: string, key: string): QrData {
  const shaMetadata = createHash('sha256').update(data, 'utf8').digest('base64')
  const hmac = createHmac('sha256', Buffer.from(key, 'base64')).update(shaMetadata, 'utf8')
  return { shaMetadata, signature: hmac.digest('base64'), addInfo: null }
}
