// What a Custom RT printer is told (printer.htm): one document in XML for each act, without an
// envelope. Amounts are cents, quantities thousandths.
import numbers from './numbers.json' with { type: 'json' }
import { paymentsOf } from './sums.js'
import {
  type LineKind,
  type PayKind,
  type RtDocument,
  type RtLine,
  type RtReference,
  RtRefusal,
  type VatKey,
} from './unit.js'
import { four, lineOf, tag } from './wire.js'

const ITEM_WIDTH = 22
const ADJUSTMENT_WIDTH = 20
const FIXED_WIDTH = 44

/** As the technician has programmed the printer: what has no number here cannot be printed. */
export interface Programmed {
  vats: Readonly<Partial<Record<VatKey, number>>>
  payments: Readonly<Partial<Record<PayKind, number>>>
}

export const USUAL: Programmed = numbers.printerHtm.usual

/** On the item before; a gift is known to the printer, its element is not. */
const ADJUSTMENTS: Partial<Record<LineKind, number>> = numbers.printerHtm.adjustments

/** Places of the five digits of its state: what makes a document impossible. */
export const { stops } = numbers.printerHtm

const NO_VAT = 28
const NO_PAYMENT = 137
const THOUSANDTHS = 3

/** `020726` of `2026-07-02`. */
const shortDay = (date: string): string => date.slice(8, 10) + date.slice(5, 7) + date.slice(2, 4)

export interface PrinterForm extends Programmed {
  /** An electronic document instead of paper. */
  paperless: boolean
}

/** Throws RtRefusal for what the printer is not programmed for: nothing was sent then. */
export function receiptXml(document: RtDocument, form: PrinterForm): string {
  const head = form.paperless ? tag('dematerializedOn') : ''
  const lines = document.lines.map((line) => lineXml(line, form))
  const parts =
    document.type === 'sale'
      ? [head, tag('beginFiscalReceipt'), ...saleXml(document, lines, form)]
      : [head, beginXml(document), ...lines, ...subtotalXml(document)]
  return tag('printerFiscalReceipt', {}, ...parts, tag('endFiscalReceiptCut'))
}

function saleXml(document: RtDocument, lines: readonly string[], form: PrinterForm): string[] {
  const { lottery, taxId } = document
  return [
    lottery === '' ? '' : tag('setLotteryCode', { code: lottery }),
    ...lines,
    ...subtotalXml(document),
    tag('printRecSubtotal'),
    taxId === '' ? '' : tag('fixedLines', { description: lineOf(taxId, FIXED_WIDTH), pitch: 'B' }),
    ...paymentsXml(document, form),
    tag('endFiscalReceipt'),
  ]
}

function beginXml({ type, reference }: RtDocument): string {
  const name = type === 'void' ? 'beginRtDocAnnulment' : 'beginRtDocRefund'
  const { z = 0, doc = 0, date = '', serial = '' } = reference ?? ({} as Partial<RtReference>)
  const docDate = shortDay(date)
  if (z === 0) return tag(`${name}Special`, { service: 'ND', docDate })
  const told = { docRefZ: four(z), docRefNumber: four(doc), docDate, printPreview: '0' }
  return tag(name, { ...told, fiscalSerial: serial, checkOnly: '0' })
}

function lineXml({ kind, text, quantity, cents, vat }: RtLine, { vats }: Programmed): string {
  const description = lineOf(text, ITEM_WIDTH)
  const plain = { description, quantity: '1000', department: '1' }
  if (kind === 'note') return tag('printRecItem', { ...plain, unitPrice: '0', idVat: '1' })
  const idVat = vats[vat]
  if (idVat === undefined) {
    throw new RtRefusal(NO_VAT, `no VAT is programmed for ${vat}: name it in vats`)
  }
  if (kind === 'gift') return tag('printRecItem', { ...plain, unitPrice: '0', idVat })
  const adjustmentType = ADJUSTMENTS[kind]
  if (adjustmentType !== undefined) {
    const told = { adjustmentType, description, amount: cents, department: '1', idVat }
    return tag('printRecItemAdjustment', told)
  }
  const unitPrice = cents / BigInt(quantity)
  const thousandths = quantity + '0'.repeat(THOUSANDTHS)
  const told = { description, quantity: thousandths, unitPrice, department: '1', idVat }
  return tag('printRecItem', told)
}

function subtotalXml({ subtotal }: RtDocument): string[] {
  if (subtotal === 0n) return []
  const isOff = subtotal < 0n
  const description = lineOf(isOff ? 'SCONTO' : 'MAGGIORAZIONE', ADJUSTMENT_WIDTH)
  const told = { adjustmentType: isOff ? '3' : '2', description }
  return [tag('printRecSubtotalAdjustment', { ...told, amount: isOff ? -subtotal : subtotal })]
}

function paymentsXml(document: RtDocument, { payments: programmed }: Programmed): string[] {
  return paymentsOf(document).map(({ kind, text, cents }) => {
    const paymentType = programmed[kind]
    if (paymentType === undefined) {
      throw new RtRefusal(NO_PAYMENT, `no payment is programmed for ${kind}: name it in payments`)
    }
    const description = lineOf(text, ITEM_WIDTH)
    return tag('printRecTotal', { description, payment: cents, paymentType, paymentQty: '1' })
  })
}

const report = (name: string): string => tag('printerFiscalReport', {}, tag(name))
const command = (...told: Parameters<typeof tag>): string => tag('printerCommand', {}, tag(...told))

export const zXml = report('printZReport')
export const xXml = report('printXReport')
export const againXml = report('printDuplicateReceipt')
export const statusXml = command('queryPrinterStatus')
export const resetXml = command('resetPrinter')
export const infoXml = command('getInfo')
export const lastXml = command('directIO', { command: '1017', data: '' })
export const cancelXml = tag('printerFiscalReceipt', {}, tag('cancelFiscalReceipt'))

export const plainXml = (lines: readonly string[]): string => {
  const printed = lines.map((text) => tag('printNormal', { data: lineOf(text, FIXED_WIDTH) }))
  return tag('printerNotFiscal', {}, tag('beginNonFiscal'), ...printed, tag('endNonFiscal'))
}

export interface LastPrinted {
  doc: number
  /** Undefined where the printer does not tell. */
  z: number | undefined
  /** `2026-07-02 14:00` */
  moment: string
}

/** `ddMMyyHHmm`, four digits of the document, perhaps four of the Z; undefined: there is none. */
export function lastPrinted(data: string): LastPrinted | undefined {
  const found = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{4})(\d{4})?$/.exec(data.trim())
  if (found === null || found[6] === '0000') return undefined
  const [, day, month, year, hour, minute, doc = '', z] = found
  const moment = `20${year}-${month}-${day} ${hour}:${minute}`
  return { doc: Number(doc), z: z === undefined ? undefined : Number(z), moment }
}

/** `2026-07-02 14:00:00` of `02/07/2026 14:00:00`, of ISO 8601, or of the day alone. */
export function momentOf(text: string): string {
  const local = /^(\d\d)\/(\d\d)\/(\d{4})(?: (\d\d:\d\d:\d\d))?$/.exec(text)
  if (local !== null) {
    const [, day, month, year, time = '00:00:00'] = local
    return `${year}-${month}-${day} ${time}`
  }
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(text) ? text.slice(0, 19).replace('T', ' ') : ''
}
