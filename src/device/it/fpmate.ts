// What an Epson RT printer is told (fpmate): one document in XML for each act. Amounts have a
// comma.
import { formatCents } from '../../lib/decimal.js'
import numbers from './numbers.json' with { type: 'json' }
import type { LineKind, PayKind, RtDocument, RtLine, RtReference, VatKey } from './unit.js'
import { four, lineOf, tag } from './wire.js'

const WIDTH = 38
const FIXED_WIDTH = 46
const OPERATOR = { operator: '1' } as const
/** What stands at the right edge of a line. */
const END = { justification: '1' } as const

/**
 * Rate or nature → department, as technicians usually program it; a setting of the unit. VI:
 * ventilation, goods without rates; no printer has it by itself.
 */
export const DEPARTMENTS: Readonly<Record<VatKey, number>> = numbers.fpmate.departments

/** Type and index of printRecTotal. */
const PAYMENTS: Readonly<Record<PayKind, { paymentType: number; index: number }>> =
  numbers.fpmate.payments

/** adjustmentType, on the line before; of servers as well. */
export const ADJUSTMENTS: Partial<Record<LineKind, number>> = numbers.fpmate.adjustments

/** What is taken off the whole, or put on it; of servers as well. */
export const subtotalOf = (cents: bigint): { description: string; adjustmentType: string } =>
  cents < 0n
    ? { description: 'SCONTO', adjustmentType: '1' }
    : { description: 'MAGGIORAZIONE', adjustmentType: '6' }

const comma = (cents: bigint): string => formatCents(cents, ',')

/** `02072026` of `2026-07-02`. */
export const compactDay = (date: string): string => date.split('-').reverse().join('')

export type Departments = Readonly<Partial<Record<VatKey, number>>>

export function receiptXml(document: RtDocument, departments: Departments): string {
  const { type, lines, subtotal, payments, lottery, taxId, reference } = document
  const amount = comma(subtotal < 0n ? -subtotal : subtotal)
  const adjustment = { ...OPERATOR, ...subtotalOf(subtotal), amount, ...END }
  const parts = [
    type === 'sale' ? '' : headXml(type, reference),
    tag('beginFiscalReceipt', OPERATOR),
    ...lines.map((line) => lineXml(line, type, departments)),
    subtotal === 0n ? '' : tag('printRecSubtotalAdjustment', adjustment),
    lottery === '' ? '' : tag('printRecLotteryID', { ...OPERATOR, code: lottery }),
    ...paymentsXml(payments),
    taxId === '' ? '' : taxIdXml(taxId),
    tag('endFiscalReceipt', OPERATOR),
  ]
  return tag('printerFiscalReceipt', {}, ...parts)
}

/** Before the begin: which document is taken back. */
function headXml(type: 'refund' | 'void', reference: RtReference | undefined): string {
  const { z = 0, doc = 0, date = '', serial = 'ND' } = reference ?? {}
  const word = type === 'void' ? 'VOID' : 'REFUND'
  return messageXml(`${word} ${four(z)} ${four(doc)} ${compactDay(date)} ${serial}`)
}

const messageXml = (message: string): string =>
  tag('printRecMessage', { ...OPERATOR, messageType: '4', message })

function paymentsXml(payments: RtDocument['payments']): string[] {
  // all that is due, in cash
  const nothing = [{ kind: 'cash', text: 'CONTANTI', cents: 0n, count: 1 }] as const
  return (payments.length === 0 ? nothing : payments).map(({ kind, text, cents }) => {
    const told = { ...OPERATOR, description: lineOf(text, WIDTH), payment: comma(cents) }
    return tag('printRecTotal', { ...told, ...PAYMENTS[kind], ...END })
  })
}

const taxIdXml = (taxId: string): string => {
  const command = /^\d{11}$/.test(taxId) ? '1060' : '1061'
  return tag('directIO', { command, data: `01${taxId}` })
}

function lineXml(line: RtLine, type: RtDocument['type'], departments: Departments): string {
  const { kind, quantity, cents, vat } = line
  const description = lineOf(line.text, WIDTH)
  if (kind === 'note') return messageXml(description)
  const department = departments[vat] ?? 0
  const adjustmentType = ADJUSTMENTS[kind]
  if (adjustmentType !== undefined) {
    const told = { ...OPERATOR, description, adjustmentType, amount: comma(cents), department }
    return tag('printRecItemAdjustment', { ...told, ...END })
  }
  const unitPrice = comma(cents / BigInt(quantity))
  const told = { ...OPERATOR, description, quantity, unitPrice }
  if (type === 'sale') return tag('printRecItem', { ...told, department, ...END })
  const name = type === 'void' ? 'printRecVoid' : 'printRecRefund'
  return tag(name, { ...told, amount: comma(cents), department, ...END })
}

export const zXml = tag('printerFiscalReport', {}, tag('printZReport', OPERATOR))
export const xXml = tag('printerFiscalReport', {}, tag('printXReport', OPERATOR))
export const resetXml = tag('printerCommand', {}, tag('resetPrinter', { operator: '' }))
export const statusXml = tag('printerCommand', {}, tag('queryPrinterStatus', { statusType: '1' }))

export const directXml = (command: string, data: string): string =>
  tag('printerCommand', {}, tag('directIO', { command, data }))

/** No commercial document. */
export function plainXml(lines: readonly string[]): string {
  const printed = lines.map((text) =>
    tag('printNormal', { ...OPERATOR, font: '1', data: lineOf(text, FIXED_WIDTH) }),
  )
  const [begin, end] = [tag('beginNonFiscal', OPERATOR), tag('endNonFiscal', OPERATOR)]
  return tag('printerNonFiscal', {}, begin, ...printed, end)
}

const ENVELOPE = 'http://schemas.xmlsoap.org/soap/envelope/'
export const XML_TYPE = 'application/xml; charset=utf-8'
export const envelope = (body: string): string =>
  `<soapenv:Envelope xmlns:soapenv="${ENVELOPE}">` +
  `<soapenv:Body>${body}</soapenv:Body></soapenv:Envelope>`

/** The last document, as command 1387 tells it. */
export interface LastDocument {
  total: bigint
  /** `2026-07-02 14:00:00` */
  moment: string
  z: number
  doc: number
  serial: string
  isFiscal: boolean
}

/** Undefined where the device has none. */
export function lastDocument(data: string): LastDocument | undefined {
  const part = (from: number, to: number) => data.slice(from, to + 1)
  const [day, time] = [part(20, 25), part(26, 31)]
  const digits = [part(2, 10), part(32, 35), part(36, 39)]
  if (![day, time, ...digits].every((text) => /^\d+$/.test(text))) return undefined
  const date = `20${day.slice(4)}-${day.slice(2, 4)}-${day.slice(0, 2)}`
  return {
    ...{ total: BigInt(part(2, 10)), z: Number(part(32, 35)), doc: Number(part(36, 39)) },
    moment: `${date} ${time.replace(/(\d\d)(\d\d)(\d\d)/, '$1:$2:$3')}`,
    ...{ serial: part(40, 50).trim(), isFiscal: part(60, 60) === '1' },
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
