// A strict stand-in for the web service of a Custom RT printer (printer.htm): checks elements,
// order and whole cents of what a driver sends, and works with the simulated device.
import {
  type DocumentType,
  type RtDocument,
  type RtLine,
  type RtPayment,
  type RtReference,
  RtRefusal,
  type VatKey,
} from '../../device/it/unit.js'
import { parseXml, type XmlElement, XmlError } from '../../lib/xml-read.js'
import { escapeXml } from '../../lib/xml-write.js'
import { RtCore, type RtWorld } from './core.js'
import { newState, type RtState } from './state.js'

export type PrinterFault = 'lost-before' | 'lost-after' | 'cover' | 'picture' | 'half' | undefined

/** Status numbers of the maker. */
const no = {
  ...{ value: 3, impossible: 5, date: 13, paper: 16, open: 21, payment: 25, vat: 28, cover: 64 },
  ...{ second: 71, picture: 76, paymentType: 137, xml: 245, notActive: 82, full: 30 },
} as const

interface Kept {
  reference: RtReference
  left: Record<string, bigint>
  moment: string
}

interface Answer {
  status: number
  body: string
}

/** VAT of the technician: 22, 10, 4 and 5 %, and N2. */
const VATS: Readonly<Record<string, VatKey>> = {
  ...{ '1': '22', '2': '10', '3': '4', '4': '5', '11': 'N2' },
}

export class CustomPrinterSimulator {
  readonly state: RtState
  readonly printed: Kept[] = []
  next: PrinterFault
  /** Whether a document was begun and not ended. */
  isHalf = false
  private readonly now: () => number
  private count = 0
  private readonly login: string

  constructor(now: () => number, lastZ = 0, serial = '3CEMU000123') {
    this.now = now
    this.state = { ...newState(serial), z: lastZ }
    this.login = `Basic ${Buffer.from(`${serial}:${serial}`).toString('base64')}`
  }

  /** One POST; undefined: no answer comes. */
  serve(path: string, body: string, authorization: string): Answer | undefined {
    const act = actIn(body)
    const isQuestion = act?.children[0]?.name === 'getInfo'
    if (authorization !== this.login && !(isQuestion && authorization === '')) {
      return { status: 401, body: '' }
    }
    if (path !== '/xml/printer.htm') return { status: 404, body: '' }
    const isWork = act?.name === 'printerFiscalReceipt' || act?.name === 'printerFiscalReport'
    const isCancel = act?.children[0]?.name === 'cancelFiscalReceipt'
    const fault = isWork && !isCancel ? this.next : undefined
    if (fault !== undefined) this.next = undefined
    if (fault === 'lost-before') return undefined
    const answer = { status: 200, body: this.work(act, fault) }
    return fault === 'lost-after' || fault === 'half' ? undefined : answer
  }

  private work(act: XmlElement | undefined, fault: PrinterFault): string {
    try {
      demand(act !== undefined, no.xml)
      if (fault === 'cover') throw new RtRefusal(no.cover, 'the cover is open')
      if (fault === 'half') {
        this.isHalf = true
        return ''
      }
      if (act?.name === 'printerFiscalReceipt') return this.receipt(act, fault)
      if (act?.name === 'printerFiscalReport') return this.report(act)
      if (act?.name === 'printerNotFiscal') return answered(true, 0, {})
      demand(act?.name === 'printerCommand', no.xml)
      return this.command(act)
    } catch (error) {
      if (error instanceof RtRefusal) return answered(false, error.status, {})
      throw error
    }
  }

  private core(): RtCore {
    const now = this.now()
    const world: RtWorld = { now, trueNow: now, isServer: false, capacity: 1e6, dailyLimit: false }
    return new RtCore(this.state, world)
  }

  private receipt(act: XmlElement, fault: PrinterFault): string {
    if (act.children[0]?.name === 'cancelFiscalReceipt') {
      this.isHalf = false
      return answered(true, 0, {})
    }
    demand(!this.isHalf, no.open)
    this.count += 1
    const document = documentIn(act, `${this.count}`, (z, doc) => this.original(z, doc))
    const answer = this.core().document(document)
    const { z, doc, serial, moment } = answer
    const left = Object.fromEntries(Object.entries(answer.vat).map(([key, [sum]]) => [key, sum]))
    const fates = { sale: 'open', refund: 'is-refund', void: 'is-void' } as const
    const fate = fates[document.type]
    this.printed.push({
      reference: { z, doc, serial, date: moment.slice(0, 10), fate },
      left: { ...left },
      moment,
    })
    this.takeBack(document, left)
    if (fault === 'picture') return answered(false, no.picture, {})
    return answered(true, 0, { dateTime: shown(moment), nClose: `${z}`, fiscalDoc: `${doc}` })
  }

  private takeBack({ type, reference }: RtDocument, taken: Record<string, bigint>): void {
    const original = reference && this.original(reference.z, reference.doc)
    if (original === undefined || type === 'sale') return
    for (const [key, sum] of Object.entries(taken)) {
      original.left[key] = (original.left[key] ?? 0n) - sum
    }
    const isAll = Object.values(original.left).every((sum) => sum <= 0n)
    if (type === 'void') original.reference.fate = 'voided'
    else if (isAll) original.reference.fate = 'refunded'
  }

  private original(z: number, doc: number): Kept | undefined {
    return this.printed.find(({ reference }) => reference.z === z && reference.doc === doc)
  }

  private report(act: XmlElement): string {
    const [wish] = act.children
    if (wish?.name === 'printXReport' || wish?.name === 'printDuplicateReceipt') {
      return answered(true, 0, {})
    }
    demand(wish?.name === 'printZReport', no.xml)
    demand(this.state.doc > 0, no.second)
    this.count += 1
    this.core().closing(`${this.count}`)
    // most printers leave the number out here
    return answered(true, 0, { dateTime: '' })
  }

  private command(act: XmlElement | undefined): string {
    const [command] = act?.children ?? []
    if (command?.name === 'getInfo') {
      const { serial, z } = this.state
      const told = [
        ['serialNumber', serial],
        ['fiscalized', 'SI'],
        ['zSetNumber', `${z}`],
      ] as const
      return `<infoResp>${told.map(([name, text]) => member(name, text)).join('')}</infoResp>`
    }
    if (command?.name === 'resetPrinter') return answered(true, 0, {})
    if (command?.name === 'queryPrinterStatus') {
      return answered(true, 0, { receiptStep: this.isHalf ? '1' : '0' })
    }
    demand(command?.name === 'directIO' && value(command, 'command') === '1017', no.xml)
    const newest = this.printed.at(-1)
    if (newest === undefined || newest.reference.z !== this.state.z + 1) {
      return answered(true, 0, { responseBuf: '' })
    }
    const [year = '', month, day, hour, minute] = newest.moment.split(/[- :]/)
    const { z, doc } = newest.reference
    const buffer = `${day}${month}${year.slice(2)}${hour}${minute}${four(doc)}${four(z)}`
    return answered(true, 0, { responseBuf: buffer })
  }
}

// ------------------------------------------------------------------------- reading of documents

const four = (number: number): string => `${number}`.padStart(4, '0')
const member = (name: string, text: string): string => `<${name}>${escapeXml(text)}</${name}>`

/** `02/07/2026 14:00:00` */
const shown = (moment: string): string => moment.replace(/^(\d{4})-(\d\d)-(\d\d)/, '$3/$2/$1')

const value = (element: XmlElement | undefined, name: string): string =>
  element?.attributes.find((one) => one.name === name)?.value ?? ''

function demand(isRight: boolean, status: number): void {
  if (!isRight) throw new RtRefusal(status, `${status}`)
}

function answered(
  success: boolean,
  status: number,
  info: Readonly<Record<string, string>>,
): string {
  const all = { printerStatus: '00000', fpStatus: '000', receiptStep: '0', ...info }
  const members = Object.entries(all).map(([name, text]) => member(name, text))
  const head = `success="${success}" status="${status}"`
  return `<response ${head}><addInfo>${members.join('')}</addInfo></response>`
}

function actIn(body: string): XmlElement | undefined {
  try {
    return parseXml(body)
  } catch (error) {
    if (error instanceof XmlError) return undefined
    throw error
  }
}

function whole(element: XmlElement, name: string): bigint {
  const text = value(element, name)
  demand(/^\d{1,9}$/.test(text), no.value)
  return BigInt(text)
}

/** Which element may stand behind which. */
const ORDER: Readonly<Record<string, number>> = {
  ...{ dematerializedOn: 0, beginFiscalReceipt: 1, beginRtDocRefund: 1, beginRtDocAnnulment: 1 },
  ...{ beginRtDocRefundSpecial: 1, beginRtDocAnnulmentSpecial: 1, setLotteryCode: 2 },
  ...{ printRecItem: 3, printRecItemAdjustment: 3, printRecSubtotalAdjustment: 4 },
  ...{ printRecSubtotal: 5, fixedLines: 6, printRecTotal: 7, endFiscalReceipt: 8 },
  endFiscalReceiptCut: 9,
}
const BEGIN = 1
const QUANTITY = 1000n

type Original = (z: number, doc: number) => Kept | undefined

function documentIn(act: XmlElement, id: string, original: Original): RtDocument {
  let place = -1
  for (const { name } of act.children) {
    const next = ORDER[name] ?? -1
    demand(next >= 0, no.xml)
    demand(next >= place, no.impossible)
    place = next
  }
  demand(act.children.at(-1)?.name === 'endFiscalReceiptCut', no.open)
  const begin = act.children.find(({ name }) => ORDER[name] === BEGIN)
  demand(begin !== undefined, no.impossible)
  const { type, reference } = beginIn(begin, original)
  const lines = act.children.flatMap(lineIn)
  const payments = act.children.flatMap(paymentIn)
  const isEnded = act.children.some(({ name }) => name === 'endFiscalReceipt')
  demand(isEnded === (type === 'sale'), no.impossible)
  const subtotal = act.children.reduce((sum, one) => sum + subtotalIn(one), 0n)
  const due = lines.reduce(
    (sum, one) => sum + (one.kind === 'off' ? -one.cents : one.cents),
    subtotal,
  )
  const paid = payments.reduce((sum, { cents }) => sum + cents, 0n)
  demand(type !== 'sale' || paid >= due, no.payment)
  const of = (name: string) => act.children.find((one) => one.name === name)
  return {
    ...{ id, type, till: '', lines, subtotal, payments, reference },
    taxId: value(of('fixedLines'), 'description'),
    lottery: value(of('setLotteryCode'), 'code'),
  }
}

function beginIn(
  begin: XmlElement | undefined,
  original: Original,
): { type: DocumentType; reference: RtReference | undefined } {
  const name = begin?.name ?? ''
  if (name === 'beginFiscalReceipt') return { type: 'sale', reference: undefined }
  const type: DocumentType = name.includes('Annulment') ? 'void' : 'refund'
  const day = /^(\d\d)(\d\d)(\d\d)$/.exec(value(begin, 'docDate'))
  demand(day !== null, no.date)
  if (name.endsWith('Special')) {
    demand(value(begin, 'service') === 'ND', no.value)
    const date = `20${day?.[3]}-${day?.[2]}-${day?.[1]}`
    return { type, reference: { z: 0, doc: 0, date, serial: 'ND', fate: 'open' } }
  }
  const numbers = [value(begin, 'docRefZ'), value(begin, 'docRefNumber')]
  demand(
    numbers.every((text) => /^\d{4}$/.test(text)) && value(begin, 'checkOnly') === '0',
    no.value,
  )
  const kept = original(Number(numbers[0]), Number(numbers[1]))
  demand(kept !== undefined, no.impossible)
  return { type, reference: kept && { ...kept.reference, left: kept.left } }
}

function lineIn(one: XmlElement): RtLine[] {
  const text = value(one, 'description')
  if (one.name === 'printRecItem') {
    demand(text.length > 0 && text.length <= 22 && value(one, 'department') === '1', no.value)
    const quantity = whole(one, 'quantity') / QUANTITY
    const cents = whole(one, 'unitPrice') * quantity
    const vat = vatOf(one)
    return [{ kind: cents === 0n ? 'note' : 'item', text, quantity: `${quantity}`, cents, vat }]
  }
  if (one.name !== 'printRecItemAdjustment') return []
  const kind = value(one, 'adjustmentType') === '2' ? 'on' : 'off'
  return [{ kind, text, quantity: '1', cents: whole(one, 'amount'), vat: vatOf(one) }]
}

function vatOf(one: XmlElement): VatKey {
  const vat = VATS[value(one, 'idVat')]
  if (vat === undefined) throw new RtRefusal(no.vat, 'this VAT is not programmed')
  return vat
}

function paymentIn(one: XmlElement): RtPayment[] {
  if (one.name !== 'printRecTotal') return []
  const isRight = /^([1-9]|[12]\d|30)$/.test(value(one, 'paymentType'))
  demand(isRight && value(one, 'paymentQty') === '1', no.paymentType)
  const kind = value(one, 'paymentType') === '1' ? 'cash' : 'card'
  return [{ kind, text: value(one, 'description'), cents: whole(one, 'payment'), count: 1 }]
}

function subtotalIn(one: XmlElement): bigint {
  if (one.name !== 'printRecSubtotalAdjustment') return 0n
  demand(value(one, 'description').length <= 20, no.value)
  const amount = whole(one, 'amount')
  return value(one, 'adjustmentType') === '3' ? -amount : amount
}
