// A strict stand-in for the web service of an Epson RT printer (fpmate): reads what a driver sends,
// checks elements, order, attributes and decimal commas, and works with the simulated device.
import {
  type DocumentType,
  type LineKind,
  type PayKind,
  type RtDocument,
  type RtLine,
  type RtPayment,
  type RtReference,
  RtRefusal,
  type VatKey,
} from '../../device/it/unit.js'
import { formatCents } from '../../lib/decimal.js'
import { find, parseXml, type XmlElement, XmlError } from '../../lib/xml-read.js'
import { RtCore, type RtWorld, status } from './core.js'
import { newState, type RtState } from './state.js'

/** As real numbers are made: maker, type, model. */
const TYPE = 'M'

interface Kept {
  reference: RtReference
  left: Record<string, bigint>
  total: bigint
  moment: string
}

/** What goes wrong with the next call: after the work the answer is lost, or before it. */
export type NextFault = 'lost-before' | 'lost-after' | 'paper' | undefined

export class EpsonPrinterSimulator {
  readonly state: RtState
  /** In the order in which they were printed. */
  readonly printed: { name: string; kept: Kept }[] = []
  next: NextFault
  now: () => number
  private count = 0
  private readonly digits: string

  constructor(digits: string, now: () => number, lastZ = 0) {
    this.digits = digits
    this.now = now
    this.state = { ...newState(`99${TYPE}AB${digits}`), z: lastZ }
  }

  /** Body of the answer to one POST; undefined: none comes. */
  serve(path: string, body: string): string | undefined {
    if (!/^\/cgi-bin\/fpmate\.cgi\?timeout=\d+$/.test(path)) return refusal('PARSER_ERROR', 16)
    const asked = actIn(body)
    if (asked === undefined) return refusal('PARSER_ERROR', 16)
    const isPrinting = asked.name !== 'printerCommand'
    const fault = isPrinting ? this.next : undefined
    if (isPrinting) this.next = undefined
    if (fault === 'lost-before') return undefined
    if (fault === 'paper') return refusal('EPTR_REC_EMPTY', status.paper)
    const answer = this.work(asked)
    return fault === 'lost-after' ? undefined : answer
  }

  private work(asked: XmlElement): string {
    try {
      if (asked.name === 'printerFiscalReceipt') return this.receipt(asked)
      if (asked.name === 'printerFiscalReport') return this.reports(asked)
      if (asked.name === 'printerCommand') return this.command(asked)
      if (asked.name === 'printerNonFiscal') return success({})
      return refusal('PARSER_ERROR', 16)
    } catch (error) {
      if (error instanceof RtRefusal) return refusal('PRINTER ERROR', error.status)
      throw error
    }
  }

  private core(): RtCore {
    const now = this.now()
    const world: RtWorld = { now, trueNow: now, isServer: false, capacity: 1e6, dailyLimit: false }
    return new RtCore(this.state, world)
  }

  private receipt(asked: XmlElement): string {
    this.count += 1
    const document = documentIn(asked, `${this.count}`, (reference) => this.original(reference))
    const answer = this.core().document(document)
    const gross = Object.entries(answer.vat).map(([key, [sum]]) => [key, sum] as const)
    const total = gross.reduce((all, [, sum]) => all + sum, 0n)
    const fates = { sale: 'open', refund: 'is-refund', void: 'is-void' } as const
    const { z, doc, serial, moment } = answer
    const fate = fates[document.type]
    const reference = { z, doc, serial, date: moment.slice(0, 10), fate }
    const kept = { reference, left: Object.fromEntries(gross), total, moment }
    this.printed.push({ name: `${z}-${doc}`, kept })
    this.takeBack(document, kept)
    const [year, month, day] = moment.slice(0, 10).split('-').map(Number)
    return success({
      ...{ lastCommand: '74', printerStatus: '00110', fiscalReceiptNumber: `${doc}` },
      fiscalReceiptAmount: formatCents(total, ','),
      fiscalReceiptDate: `${day}/${month}/${year}`,
      fiscalReceiptTime: moment.slice(11, 16),
      ...{ zRepNumber: `${z}`, serialNumber: serial },
    })
  }

  private original({ z, doc }: { z: number; doc: number }): Kept | undefined {
    return this.printed.find(({ name }) => name === `${z}-${doc}`)?.kept
  }

  private takeBack({ type, reference }: RtDocument, { left }: Kept): void {
    const original = reference && this.original(reference)
    if (original === undefined || type === 'sale') return
    for (const [key, sum] of Object.entries(left)) {
      original.left[key] = (original.left[key] ?? 0n) - sum
    }
    const isAll = Object.values(original.left).every((sum) => sum <= 0n)
    if (type === 'void') original.reference.fate = 'voided'
    else if (isAll) original.reference.fate = 'refunded'
  }

  private reports(asked: XmlElement): string {
    const [report] = asked.children
    if (report?.name === 'printXReport') return success({ printerStatus: '00110' })
    if (report?.name !== 'printZReport') return refusal('PARSER_ERROR', 16)
    this.count += 1
    const { z } = this.core().closing(`${this.count}`)
    return success({ printerStatus: '00110', zRepNumber: `${z}`, dailyAmount: '0,00' })
  }

  private command(asked: XmlElement): string {
    const [command] = asked.children
    const of = (name: string) => attributeOf(command, name)
    if (command?.name === 'resetPrinter') return success({ printerStatus: '00110' })
    if (command?.name === 'queryPrinterStatus') {
      const isOpen = this.state.openSince !== null
      return success({
        ...{ cpuRel: '07.00', mfRel: '04.3', mfStatus: '0', fpStatus: '00110', rtType: TYPE },
        ...{ rtMainStatus: '02', rtSubStatus: '08', rtDailyOpen: isOpen ? '1' : '0' },
        ...{ rtNoWorkingPeriod: '0', rtFileToSend: `${this.state.filesToSend}` },
      })
    }
    if (command?.name !== 'directIO') return refusal('PARSER_ERROR', 16)
    if (of('command') === '1387') return success({ responseData: this.lastData() })
    if (of('command') === '3217') return success({ responseData: this.rawSerial() })
    if (of('command') === '3098') return this.again(of('data'))
    return of('command') === '4038' ? success({}) : refusal('PRINTER ERROR', 16)
  }

  private rawSerial = (): string => `00${this.digits}AB99`

  private lastData(): string {
    const kept = this.printed.at(-1)?.kept
    if (kept === undefined) return '01'.padEnd(70, '-')
    const { reference, total, moment } = kept
    const [date = '', time = ''] = moment.split(' ')
    const day = date.split('-').reverse().join('')
    return [
      ...['01', `${total}`.padStart(9, '0'), '0'.repeat(9), day.slice(0, 4), day.slice(6)],
      ...[time.replaceAll(':', ''), `${reference.z}`.padStart(4, '0')],
      ...[`${reference.doc}`.padStart(4, '0'), reference.serial, ' '.repeat(9), '1'],
    ].join('')
  }

  private again(data: string): string {
    const number = Number(data.slice(-4))
    const isKnown = this.printed.some(({ kept }) => kept.reference.doc === number)
    return isKnown ? success({}) : refusal('PRINTER ERROR', status.unknown)
  }
}

function success(info: Readonly<Record<string, string>>): string {
  const names = Object.keys(info)
  const list = `<elementList>${names.join(',')}</elementList>`
  const members = names.map((name) => `<${name}>${info[name]}</${name}>`).join('')
  const inside = `<addInfo>${list}${members}</addInfo>`
  return enveloped(`<response success="true" code="" status="0">${inside}</response>`)
}

const refusal = (code: string, number: number): string =>
  enveloped(`<response success="false" code="${code}" status="${number}"></response>`)

const SOAP = 'http://schemas.xmlsoap.org/soap/envelope/'
const enveloped = (body: string): string =>
  `<?xml version="1.0" encoding="utf-8"?><soapenv:Envelope xmlns:soapenv="${SOAP}">` +
  `<soapenv:Body>${body}</soapenv:Body></soapenv:Envelope>`

function actIn(body: string): XmlElement | undefined {
  try {
    const root = parseXml(body)
    const inside = root.name === 'Envelope' ? find(root, 'Body')?.children : undefined
    return inside?.length === 1 ? inside[0] : undefined
  } catch (error) {
    if (error instanceof XmlError) return undefined
    throw error
  }
}

// ------------------------------------------------------------------------- reading of documents

const attributeOf = (element: XmlElement | undefined, name: string): string =>
  element?.attributes.find((one) => one.name === name)?.value ?? ''

function demand(isRight: boolean, number: number, message: string): void {
  if (!isRight) throw new RtRefusal(number, message)
}

function cents(text: string): bigint {
  demand(/^\d{1,7},\d{2}$/.test(text), status.value, `${text} is no amount with a comma`)
  return BigInt(text.replace(',', ''))
}

/** Which element may stand behind which: places in the document. */
const ORDER: Readonly<Record<string, number>> = {
  ...{ beginFiscalReceipt: 1, printRecItem: 2, printRecItemAdjustment: 2, printRecRefund: 2 },
  ...{ printRecVoid: 2, printRecSubtotalAdjustment: 3, printRecSubtotal: 4, printRecLotteryID: 5 },
  ...{ printRecTotal: 6, directIO: 7, endFiscalReceipt: 8 },
}
const MESSAGE = 'printRecMessage'

const KINDS: Readonly<Record<string, LineKind>> = {
  ...{ '3': 'off', '8': 'on', '10': 'deposit', '11': 'gift', '12': 'voucher' },
}
const PAYS: Readonly<Record<string, PayKind>> = {
  ...{ '0/0': 'cash', '1/0': 'cheque', '2/1': 'card', '3/1': 'ticket', '6/1': 'discount' },
  ...{ '5/1': 'goodsUnpaid', '5/2': 'servicesUnpaid', '5/3': 'invoiceFollows' },
}

type Original = (reference: { z: number; doc: number }) => Kept | undefined

/** The same while it is read. */
type Written = { -readonly [K in keyof RtDocument]: RtDocument[K] } & {
  lines: RtLine[]
  payments: RtPayment[]
}

function documentIn(asked: XmlElement, id: string, original: Original): Written {
  demandOrder(asked.children)
  const [first] = asked.children
  const head = first?.name === MESSAGE ? attributeOf(first, 'message') : ''
  const { type, reference } = headIn(head, original)
  const document: Written = {
    ...{ id, type, till: '', lines: [], subtotal: 0n, payments: [], taxId: '', lottery: '' },
    reference,
  }
  for (const one of asked.children) take(one, document)
  return document
}

function demandOrder(children: readonly XmlElement[]): void {
  let place = 0
  for (const one of children) {
    if (one.name === MESSAGE) continue
    const next = ORDER[one.name]
    demand(next !== undefined, 16, `${one.name} is no element of a receipt`)
    demand((next ?? 0) >= place, status.order, `${one.name} comes too late`)
    place = next ?? 0
    const isDirect = one.name === 'directIO'
    demand(isDirect || attributeOf(one, 'operator') === '1', 16, `${one.name} has no operator`)
  }
  demand(place === ORDER.endFiscalReceipt, status.closeReceipt, 'the receipt has no end')
}

function headIn(head: string, original: Original): Pick<RtDocument, 'type' | 'reference'> {
  if (head === '') return { type: 'sale', reference: undefined }
  const found = /^(REFUND|VOID) (\d{4}) (\d{4}) (\d{2})(\d{2})(\d{4}) (ND|[0-9A-Z]{11})$/.exec(head)
  demand(found !== null, status.value, 'the line of the reference is wrong')
  const [, word, z = '', doc = '', day, month, year, serial = ''] = found ?? []
  const type: DocumentType = word === 'VOID' ? 'void' : 'refund'
  const numbers = { z: Number(z), doc: Number(doc) }
  if (numbers.z === 0) {
    const reference = { ...numbers, date: `${year}-${month}-${day}`, serial, fate: 'open' } as const
    return { type, reference }
  }
  const kept = original(numbers)
  demand(kept !== undefined, status.unknown, 'there is no such document')
  return { type, reference: kept && { ...kept.reference, left: kept.left } }
}

function take(one: XmlElement, document: Written): void {
  const { lines, payments } = document
  const of = (name: string) => attributeOf(one, name)
  const text = of('description')
  const turned = { refund: 'printRecRefund', void: 'printRecVoid', sale: 'printRecItem' } as const
  if (['printRecItem', 'printRecRefund', 'printRecVoid'].includes(one.name)) {
    demand(one.name === turned[document.type], 11, `${one.name} in a ${document.type}`)
    const quantity = of('quantity')
    demand(/^[1-9]\d{0,4}$/.test(quantity), status.value, 'wrong quantity')
    const worth = cents(of('unitPrice')) * BigInt(quantity)
    lines.push({ kind: 'item', text, quantity, cents: worth, vat: vatOf(of('department')) })
  } else if (one.name === 'printRecItemAdjustment') {
    const kind = KINDS[of('adjustmentType')]
    demand(kind !== undefined, status.value, 'wrong type of adjustment')
    const vat = vatOf(of('department'))
    lines.push({ kind: kind ?? 'off', text, quantity: '1', cents: cents(of('amount')), vat })
  } else if (one.name === 'printRecSubtotalAdjustment') {
    const amount = cents(of('amount'))
    document.subtotal += of('adjustmentType') === '1' ? -amount : amount
  } else if (one.name === 'printRecLotteryID') document.lottery = of('code')
  else if (one.name === 'printRecTotal') {
    const kind = PAYS[`${of('paymentType')}/${of('index')}`]
    demand(kind !== undefined, status.value, 'wrong kind of payment')
    const paid = cents(of('payment'))
    if (paid > 0n) payments.push({ kind: kind ?? 'cash', text, cents: paid, count: 1 })
  } else if (one.name === 'directIO') {
    demand(/^106[01]$/.test(of('command')), 16, 'an unknown command in a receipt')
    document.taxId = of('data').slice(2)
  }
}

/** Departments as technicians usually program them; none is for ventilation. */
const VATS: Readonly<Record<string, VatKey>> = {
  ...{ '1': '22', '2': '10', '3': '4', '4': '5', '10': 'N1', '11': 'N2', '12': 'N3', '13': 'N4' },
  ...{ '14': 'N5', '15': 'N6' },
}

function vatOf(department: string): VatKey {
  const found = VATS[department]
  demand(found !== undefined, status.notProgrammed, 'the department is not programmed')
  return found ?? '22'
}
