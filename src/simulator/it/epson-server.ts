// A strict stand-in for an Epson RT server: reads what a driver sends, checks the chain of
// fingerprints over the bytes, numbers and amounts by its own means, and keeps the documents.
import { createHash, timingSafeEqual } from 'node:crypto'
import { romeTime } from '../../device/it/clock.js'
import { parseXml, type XmlElement, XmlError } from '../../lib/xml-read.js'
import { escapeXml } from '../../lib/xml-write.js'

export interface KeptDocument {
  till: string
  z: number
  doc: number
  sha: string
  type: '0' | '1' | '3'
  cents: bigint
  /** What can still be given back. */
  left: bigint
}

interface SimulatedTill {
  /** The running one. */
  z: number
  /** Of the newest document. */
  doc: number
  daily: bigint
  /** What the next document must begin with. */
  before: string
}

export type ServerFault = 'lost-before' | 'lost-after' | 'busy' | 'refused' | undefined
export interface ServerAnswer {
  status: number
  body: string
}

const no = {
  ...{ parser: -4, command: -6, busy: -8, till: -20, chain: -21, hash: -22, daily: -23 },
  ...{ amount: -24, number: -25, closing: -26, service: -28, unknown: -31, reference: -32 },
  ...{ refund: -33, duplicate: -37, payments: -38, information: -39, lottery: -42 },
} as const

class No extends Error {
  readonly status: number
  constructor(status: number) {
    super(`${status}`)
    this.status = status
  }
}

export class EpsonServerSimulator {
  readonly serial = '99SEA004010'
  readonly tills = new Map<string, SimulatedTill>()
  readonly documents: KeptDocument[] = []
  /** Of the next document or closing. */
  next: ServerFault
  restarts = 0
  private readonly now: () => number
  private readonly login: string
  private readonly lastZ: number
  private tokens = 0

  constructor(now: () => number, { login = 'epson:epson', lastZ = 0 } = {}) {
    this.now = now
    this.login = `Basic ${Buffer.from(login).toString('base64')}`
    this.lastZ = lastZ
  }

  /** One POST; undefined: no answer comes. */
  serve(path: string, body: string, authorization: string): ServerAnswer | undefined {
    const [given, wanted] = [Buffer.from(authorization), Buffer.from(this.login)]
    const isIn = given.length === wanted.length && timingSafeEqual(given, wanted)
    if (!isIn) return { status: 401, body: '' }
    const act = actIn(body)
    const isWork = act?.name === 'createReceipt' || act?.name === 'createDailyClosure'
    const fault = isWork ? this.next : undefined
    if (isWork) this.next = undefined
    if (fault === 'lost-before') return undefined
    const answer = this.answer(path, { act, body, fault })
    return fault === 'lost-after' ? undefined : { status: 200, body: answer }
  }

  private answer(
    path: string,
    { act, body, fault }: { act: XmlElement | undefined; body: string; fault: ServerFault },
  ): string {
    try {
      demand(act !== undefined, no.parser)
      if (fault === 'busy') throw new No(no.busy)
      if (fault === 'refused') throw new No(no.service)
      if (/^\/cgi-bin\/fpmate\.cgi\?timeout=\d+$/.test(path)) return this.printer(act)
      demand(path === '/cgi-bin/fpserver.cgi', no.command)
      if (act?.name === 'createReport') return this.report(act)
      if (act?.name === 'createTills') return this.map(act)
      if (act?.name === 'createToken') return this.token(act)
      if (act?.name === 'createReceipt') return this.receipt(act, body)
      if (act?.name === 'createDailyClosure') return this.closure(act)
      throw new No(no.command)
    } catch (error) {
      if (error instanceof No) return answered(error.status, '')
      throw error
    }
  }

  private printer(act: XmlElement | undefined): string {
    const [command] = act?.children ?? []
    const isKnown = command?.name === 'rebootWebServer' || command?.name === 'printZReport'
    demand(isKnown, no.command)
    if (command?.name === 'rebootWebServer') this.restarts += 1
    return answered(0, '')
  }

  private report(act: XmlElement): string {
    const [wish] = act.children
    if (wish?.name === 'tillMap') {
      const list = [...this.tills.keys()].map((name) => `<till tillId="${escapeXml(name)}" />`)
      return answered(0, list.join(''))
    }
    if (wish?.name === 'serverInfo') return answered(0, member('rtSerialNumber', this.serial))
    if (wish?.name === 'serverTime') return answered(0, member('dateTime', romeTime(this.now())))
    const [name, till] = this.known(wish)
    if (wish?.name === 'fiscalInformation') {
      const told = [
        member('zRepNumber', four(till.z)),
        ...[member('recNumber', `${till.doc}`), member('dailyAmount', dotted(till.daily))],
      ]
      return answered(0, told.join(''))
    }
    demand(wish?.name === 'receipt' && value(wish, 'reportType') === 'txt', no.command)
    demand(/^\d{8}$/.test(value(wish, 'date')), no.parser)
    const [z, doc] = [Number(value(wish, 'zRepNumber')), Number(value(wish, 'recNumber'))]
    const found = this.find(name, z, doc)
    demand(found !== undefined, no.unknown)
    return answered(0, member('hash', `SHA256:${found?.sha}`))
  }

  private map(act: XmlElement): string {
    const [user, change, tills] = act.children
    demand(user?.name === 'user' && change?.name === 'change' && tills?.name === 'tills', no.parser)
    const names = tills?.children.map((one) => value(one, 'tillId')) ?? []
    demand(
      names.every((name) => /^[A-Za-z0-9]{8}$/.test(name)),
      no.parser,
    )
    for (const name of this.tills.keys()) if (!names.includes(name)) this.tills.delete(name)
    for (const name of names) {
      const fresh = { z: this.lastZ + 1, doc: 0, daily: 0n, before: '' }
      if (!this.tills.has(name)) this.tills.set(name, fresh)
    }
    return answered(0, '')
  }

  private token(act: XmlElement): string {
    const [name, till] = this.known(act.children[0])
    this.tokens += 1
    const day = romeTime(this.now()).slice(0, 10).replaceAll('-', '')
    const chance = `${this.tokens}`.padStart(5, '0')
    const numbers = four(till.z) + four(till.doc + 1) + `${till.daily}`.padStart(9, '0')
    till.before = this.serial + name + chance + day + numbers
    return answered(0, member('token', till.before))
  }

  private closure(act: XmlElement): string {
    const [wish] = act.children
    const [, till] = this.known(wish)
    demand(value(wish, 'closureType') === '0', no.parser)
    Object.assign(till, { z: till.z + 1, doc: 0, daily: 0n, before: '' })
    return answered(0, '')
  }

  private receipt(act: XmlElement, body: string): string {
    const sent = SENT.exec(body)
    demand(sent !== null, no.parser)
    const [, receipt = '', before = '', sha = ''] = sent ?? []
    const content = find(act, 'printerFiscalReceipt')
    const information = find(act, 'fiscalInformation')
    const [name, till] = this.known(information)
    demand(createHash('sha256').update(receipt).digest('hex') === sha, no.hash)
    if (this.documents.some((one) => one.sha === sha)) return answered(no.duplicate, '', true)
    demand(before === till.before && before !== '', no.chain)
    const of = (member: string) => value(information, member)
    const isNext = of('zRepNumber') === four(till.z) && of('recNumber') === `${till.doc + 1}`
    demand(isNext && of('rtSerialNumber') === this.serial, no.number)
    const total = sumOf(content?.children ?? [])
    demand(total === centsOf(of('recAmount')) && total > 0n, no.amount)
    const type = typeOf(of('docType'))
    const daily = till.daily + (type === '0' ? total : 0n)
    demand(centsOf(of('dailyAmount')) === daily, no.daily)
    this.takeBack(content, { type, total })
    Object.assign(till, { doc: till.doc + 1, daily, before: sha })
    const { z, doc } = till
    this.documents.push({ till: name, z, doc, sha, type, cents: total, left: total })
    const lottery = value(find(act, 'printRecLotteryID'), 'lotteryID')
    const isWarned = lottery !== '' && lottery.length !== 8
    const warning = isWarned ? no.lottery : paymentWarning(content, information)
    return answered(warning, member('fingerPrint', sha), true)
  }

  /** Checked where the document is one of this server. */
  private takeBack(
    content: XmlElement | undefined,
    { type, total }: { type: string; total: bigint },
  ): void {
    const begin = content?.children[0]
    demand(begin?.name === 'beginFiscalReceipt', no.parser)
    if (type === '0') return
    demand(value(begin, 'docType') === type, no.information)
    if (value(begin, 'refRefundVoidType') === 'ND') {
      demand(type === '1', no.reference)
      return
    }
    const [z, doc] = [Number(value(begin, 'refZRepNum')), Number(value(begin, 'refRecNum'))]
    const original = this.find(value(begin, 'refTillID'), z, doc)
    demand(original !== undefined && original.type === '0', no.reference)
    if (original === undefined) return
    const isWhole = original.left === total && original.left === original.cents
    demand(type === '3' ? isWhole : total <= original.left, no.refund)
    original.left -= total
  }

  private find(till: string, z: number, doc: number): KeptDocument | undefined {
    return this.documents.find((one) => one.till === till && one.z === z && one.doc === doc)
  }

  private known(element: XmlElement | undefined): [name: string, till: SimulatedTill] {
    const name = value(element, 'tillId')
    const till = this.tills.get(name)
    if (till === undefined) throw new No(no.till)
    return [name, till]
  }
}

/** The receipt with the hash in front, that hash, and the one behind it. */
const SENT = new RegExp(
  [
    '<createReceipt>(<receipt><hash fingerPrint="([^"]+)"/>.*</receipt>)',
    '<receiptSecurity><hash fingerPrint="([0-9a-f]{64})" /></receiptSecurity></createReceipt>',
  ].join(''),
  's',
)

const TAKEN_OFF = new Set(['3', '10', '12'])
const TYPES = new Set(['0', '1', '3'])

function typeOf(text: string): KeptDocument['type'] {
  demand(TYPES.has(text), no.information)
  return text as KeptDocument['type']
}

function demand(isRight: boolean, status: number): void {
  if (!isRight) throw new No(status)
}

function centsOf(text: string): bigint {
  demand(/^\d{1,7}\.\d{2}$/.test(text), no.amount)
  return BigInt(text.replace('.', ''))
}

function sumOf(elements: readonly XmlElement[]): bigint {
  return elements.reduce((sum, one) => {
    if (one.name === 'printRecItem') {
      demand(/^[1-9]\d{0,4}$/.test(value(one, 'quantity')), no.amount)
      return sum + centsOf(value(one, 'unitPrice')) * BigInt(value(one, 'quantity'))
    }
    const amount = one.name.endsWith('Adjustment') ? centsOf(value(one, 'amount')) : 0n
    const type = value(one, 'adjustmentType')
    if (one.name === 'printRecSubtotalAdjustment') return sum + (type === '1' ? -amount : amount)
    if (one.name !== 'printRecItemAdjustment' || type === '11') return sum
    return sum + (TAKEN_OFF.has(type) ? -amount : amount)
  }, 0n)
}

/** 0, or the number of what does not fit: such documents are kept all the same. */
function paymentWarning(
  content: XmlElement | undefined,
  information: XmlElement | undefined,
): number {
  const of = (name: string) => centsOf(value(information, name))
  const totals = (content?.children ?? []).filter(({ name }) => name === 'printRecTotal')
  const tendered = totals.reduce((sum, one) => sum + centsOf(value(one, 'payment')), 0n)
  if (tendered < of('recAmount')) return no.payments
  const isRight = of('paidAmount') === of('recAmount')
  return isRight && of('changeAmount') === tendered - of('recAmount') ? 0 : no.information
}

const four = (number: number): string => `${number}`.padStart(4, '0')

function dotted(cents: bigint): string {
  const text = `${cents}`.padStart(3, '0')
  return `${text.slice(0, -2)}.${text.slice(-2)}`
}

const member = (name: string, text: string): string => `<${name}>${escapeXml(text)}</${name}>`

const value = (element: XmlElement | undefined, name: string): string =>
  element?.attributes.find((one) => one.name === name)?.value ?? ''

function find(element: XmlElement, name: string): XmlElement | undefined {
  if (element.name === name) return element
  for (const one of element.children) {
    const found = find(one, name)
    if (found !== undefined) return found
  }
  return undefined
}

function actIn(body: string): XmlElement | undefined {
  try {
    const root = parseXml(body)
    const [inside] = root.name === 'Envelope' ? root.children : []
    return inside?.name === 'Body' && inside.children.length === 1 ? inside.children[0] : undefined
  } catch (error) {
    if (error instanceof XmlError) return undefined
    throw error
  }
}

/** `isTaken`: with a warning, where the status is one. */
function answered(status: number, info: string, isTaken = status === 0): string {
  const head = `success="${isTaken}" code="" status="${status}"`
  const body = `<response ${head}><addInfo>${info}</addInfo></response>`
  const uri = 'http://schemas.xmlsoap.org/soap/envelope/'
  const inside = `<soapenv:Body>${body}</soapenv:Body>`
  return `<soapenv:Envelope xmlns:soapenv="${uri}">${inside}</soapenv:Envelope>`
}
