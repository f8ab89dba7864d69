// Documents of an Epson RT server: elements with a dot in amounts, and the chain of fingerprints
// (CCDC) over the bytes as they are sent.
import { createHash } from 'node:crypto'
import { formatCents } from '../../lib/decimal.js'
import { ADJUSTMENTS, DEPARTMENTS, subtotalOf } from './fpmate.js'
import numbers from './numbers.json' with { type: 'json' }
import { paidOf, paymentsOf, totalOf } from './sums.js'
import type { PayKind, RtDocument, RtLine } from './unit.js'
import { four, lineOf, tag } from './wire.js'

const WIDTH = 38
const PAYMENTS: Readonly<Record<PayKind, number>> = numbers.fpserver.payments
const DOC_TYPES = numbers.fpserver.types

/** Where the document stands: what the till has carried on. */
export interface ServerPlace {
  serial: string
  z: number
  doc: number
  /** `20260702T120000` */
  stamp: string
  /** Gross of the sales of the day before this one. */
  daily: bigint
  isSummer: boolean
}

const dot = (cents: bigint): string => formatCents(cents, '.')

/**
 * Lower-case hexadecimal; `before`: the token for the first document after it, else the last
 * one.
 */
export function ccdcOf(before: string, receipt: string): string {
  const bytes = `<receipt><hash fingerPrint="${before}"/>${receipt}</receipt>`
  return createHash('sha256').update(bytes, 'utf8').digest('hex')
}

export interface Token {
  serial: string
  till: string
  /** Five characters of chance, and the day: `20260702`. */
  chance: string
  day: string
  z: number
  /** Of the next document. */
  doc: number
  daily: bigint
}

const TOKEN = /^(.{11})(.{8})(.{5})(\d{8})(\d{4})(\d{4})(\d{9})$/

/** Undefined for a text that is none. */
export function readToken(text: string): Token | undefined {
  const found = TOKEN.exec(text)
  if (found === null) return undefined
  const [, serial = '', till = '', chance = '', day = '', z = '', doc = '', daily = ''] = found
  return { serial, till, chance, day, z: Number(z), doc: Number(doc), daily: BigInt(daily) }
}

export function tokenText({ serial, till, chance, day, z, doc, daily }: Token): string {
  return `${serial}${till}${chance}${day}${four(z)}${four(doc)}${`${daily}`.padStart(9, '0')}`
}

export function serverXml(document: RtDocument, place: ServerPlace): string {
  const { lines, payments, lottery, taxId, subtotal } = document
  const buyer = taxId === '' ? '' : tag('printRecTaxID', { taxID: taxId })
  const amount = dot(subtotal < 0n ? -subtotal : subtotal)
  const parts = [
    beginXml(document),
    ...lines.map(lineXml),
    subtotal === 0n ? '' : tag('printRecSubtotalAdjustment', { ...subtotalOf(subtotal), amount }),
    // one of the two: a code of the lottery goes first
    lottery === '' ? buyer : tag('printRecLotteryID', { lotteryID: lottery }),
    ...paymentsOf(document).map(({ kind, text, cents }) =>
      tag('printRecTotal', {
        ...{ description: lineOf(text, WIDTH), payment: dot(cents) },
        ...{ paymentType: PAYMENTS[kind], index: payments.length > 0 ? '1' : '0' },
      }),
    ),
    informationXml(document, place),
    tag('endFiscalReceipt'),
  ]
  return tag('printerFiscalReceipt', {}, ...parts)
}

function beginXml({ type, reference, till }: RtDocument): string {
  if (reference === undefined) return tag('beginFiscalReceipt')
  const { z, doc, date } = reference
  const refDateTime = `${date.replaceAll('-', '')}T000000`
  const docType = DOC_TYPES[type]
  const unknown = { docType, refDateTime, refRefundVoidType: 'ND' }
  const known = { docType, refZRepNum: four(z), refRecNum: doc, refDateTime, refTillID: till }
  return tag('beginFiscalReceipt', z === 0 ? unknown : known)
}

function lineXml({ kind, text, quantity, cents, vat }: RtLine): string {
  const description = lineOf(text, WIDTH)
  if (kind === 'note') return tag('printRecMessage', { message: description })
  const end = { type: 'B', ateco: '0' }
  const plain = { vatID: DEPARTMENTS[vat], description }
  const adjustmentType = ADJUSTMENTS[kind]
  return adjustmentType === undefined
    ? tag('printRecItem', { ...plain, quantity, unitPrice: dot(cents / BigInt(quantity)), ...end })
    : tag('printRecItemAdjustment', { ...plain, adjustmentType, amount: dot(cents), ...end })
}

function informationXml(document: RtDocument, place: ServerPlace): string {
  const total = totalOf(document)
  const { tax, change, kept, of: paid } = paidOf(document)
  const tickets = document.payments.filter(({ kind }) => kind === 'ticket')
  const count = tickets.reduce((sum, one) => sum + one.count, 0)
  return tag('fiscalInformation', {
    dailyAmount: dot(place.daily + (document.type === 'sale' ? total : 0n)),
    ...{ tillId: document.till, zRepNumber: four(place.z), recNumber: place.doc },
    ...{ dateTime: place.stamp, recAmount: dot(total), recVAT: dot(tax) },
    docType: DOC_TYPES[document.type],
    ...{ cashAmount: dot(paid('cash')), checkAmount: dot(paid('cheque')) },
    ...{ ePayAmount: dot(paid('card')), ticketAmount: dot(paid('ticket')) },
    ...(count > 0 && { ticketNum: count }),
    ...{ changeAmount: dot(change), paidAmount: dot(kept) },
    discountPayment: dot(paid('discount')),
    noPayAmountGoods: dot(paid('goodsUnpaid')),
    noPayAmountServices: dot(paid('servicesUnpaid')),
    noPayAmountInvoices: dot(paid('invoiceFollows')),
    ...{ noPayAmountSSN: '0.00', rtSerialNumber: place.serial },
    srtUtcOffset: place.isSummer ? '2' : '1',
  })
}
