// What an Epson RT printer is told (fpmate): one document in XML for each act. Amounts have a
// comma.
import type { LineKind, PayKind, RtDocument, RtLine, RtReference, VatKey } from './unit.js'
import { decimalOf, four, lineOf, tag } from './wire.js'

const WIDTH = 38
const OPERATOR = { operator: '1' } as const

/** Rate or nature → department, as technicians usually program it; a setting of the unit. */
export const DEPARTMENTS: Readonly<Record<VatKey, number>> = {
  ...{ '22': 1, '10': 2, '4': 3, '5': 4, N1: 10, N2: 11, N3: 12, N4: 13, N5: 14, N6: 15 },
  /** Ventilation: goods without rates; no printer has it by itself. */
  VI: 0,
}

/** Type and index of printRecTotal. */
const PAYMENTS: Readonly<Record<PayKind, readonly [type: number, index: number]>> = {
  ...{ cash: [0, 0], cheque: [1, 0], card: [2, 1], ticket: [3, 1], discount: [6, 1] },
  ...{ goodsUnpaid: [5, 1], servicesUnpaid: [5, 2], invoiceFollows: [5, 3] },
}

/** adjustmentType, on the line before; of servers as well. */
export const ADJUSTMENTS: Partial<Record<LineKind, number>> = {
  ...{ off: 3, on: 8, deposit: 10, gift: 11, voucher: 12 },
}

/** What is taken off the whole, or put on it; of servers as well. */
export const subtotalOf = (cents: bigint): { description: string; adjustmentType: string } =>
  cents < 0n
    ? { description: 'SCONTO', adjustmentType: '1' }
    : { description: 'MAGGIORAZIONE', adjustmentType: '6' }

const comma = (cents: bigint): string => decimalOf(cents, ',')

/** `02072026` of `2026-07-02`. */
export const compactDay = (date: string): string => date.split('-').reverse().join('')

export type Departments = Readonly<Partial<Record<VatKey, number>>>

export function receiptXml(document: RtDocument, departments: Departments): string {
  const { type, lines, subtotal, payments, lottery, taxId, reference } = document
  const own = lines.map((line) => lineXml(line, type, departments))
  const parts = [
    type === 'sale' ? '' : headXml(type, reference),
    tag('beginFiscalReceipt', OPERATOR),
    ...own,
    subtotal === 0n
      ? ''
      : tag('printRecSubtotalAdjustment', {
          ...{ ...OPERATOR, ...subtotalOf(subtotal) },
          ...{ amount: comma(subtotal < 0n ? -subtotal : subtotal), justification: '1' },
        }),
    lottery === '' ? '' : tag('printRecLotteryID', { ...OPERATOR, code: lottery }),
    ...paymentsXml(payments),
    taxId === '' ? '' : taxIdXml(taxId),
    tag('endFiscalReceipt', OPERATOR),
  ]
  return tag('printerFiscalReceipt', {}, parts.join(''))
}

/** Before the begin: which document is taken back. */
function headXml(type: 'refund' | 'void', reference: RtReference | undefined): string {
  const { z = 0, doc = 0, date = '', serial = 'ND' } = reference ?? {}
  const word = type === 'void' ? 'VOID' : 'REFUND'
  const message = `${word} ${four(z)} ${four(doc)} ${compactDay(date)} ${serial}`
  return tag('printRecMessage', { ...OPERATOR, messageType: '4', message })
}

function paymentsXml(payments: RtDocument['payments']): string[] {
  // all that is due, in cash
  const nothing = [{ kind: 'cash', text: 'CONTANTI', cents: 0n, count: 1 }] as const
  return (payments.length === 0 ? nothing : payments).map(({ kind, text, cents }) => {
    const [type, index] = PAYMENTS[kind]
    return tag('printRecTotal', {
      ...{ ...OPERATOR, description: lineOf(text, WIDTH), payment: comma(cents) },
      ...{ paymentType: String(type), index: String(index), justification: '1' },
    })
  })
}

const taxIdXml = (taxId: string): string => {
  const command = /^\d{11}$/.test(taxId) ? '1060' : '1061'
  return tag('directIO', { command, data: `01${taxId}` })
}

function lineXml(line: RtLine, type: RtDocument['type'], departments: Departments): string {
  const { kind, quantity, cents, vat } = line
  const description = lineOf(line.text, WIDTH)
  if (kind === 'note') {
    return tag('printRecMessage', { ...OPERATOR, messageType: '4', message: description })
  }
  const department = String(departments[vat] ?? 0)
  const plain = { ...OPERATOR, description }
  const adjustment = ADJUSTMENTS[kind]
  if (adjustment !== undefined) {
    const told = { adjustmentType: String(adjustment), amount: comma(cents), department }
    return tag('printRecItemAdjustment', { ...plain, ...told, justification: '1' })
  }
  const unitPrice = comma(cents / BigInt(quantity))
  const told = { ...plain, quantity, unitPrice }
  if (type === 'sale') return tag('printRecItem', { ...told, department, justification: '1' })
  const name = type === 'void' ? 'printRecVoid' : 'printRecRefund'
  return tag(name, { ...told, amount: comma(cents), department, justification: '1' })
}

export const zXml = tag('printerFiscalReport', {}, tag('printZReport', OPERATOR))
export const xXml = tag('printerFiscalReport', {}, tag('printXReport', OPERATOR))
export const resetXml = tag('printerCommand', {}, tag('resetPrinter', { operator: '' }))
export const statusXml = tag('printerCommand', {}, tag('queryPrinterStatus', { statusType: '1' }))

export const directXml = (command: string, data: string): string =>
  tag('printerCommand', {}, tag('directIO', { command, data }))

export function nonFiscalXml(lines: readonly string[]): string {
  const printed = lines.map((text) =>
    tag('printNormal', { ...OPERATOR, font: '1', data: lineOf(text, 46) }),
  )
  const inside = [tag('beginNonFiscal', OPERATOR), ...printed, tag('endNonFiscal', OPERATOR)]
  return tag('printerNonFiscal', {}, inside.join(''))
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
  const numbers = [part(2, 10), part(32, 35), part(36, 39)]
  if (![day, time, ...numbers].every((text) => /^\d+$/.test(text))) return undefined
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
