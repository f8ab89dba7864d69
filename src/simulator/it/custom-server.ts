// A strict stand-in for a Custom RT server: reads what a driver sends, checks members and their
// order, hash, signature, chain and sums by its own means, and keeps the documents.
import { createHash, createHmac } from 'node:crypto'
import { romeTime } from '../../device/it/clock.js'

export interface ServerDocument {
  z: number
  doc: number
  type: number
  amount: number
  sha: string
  /** What can still be given back. */
  left: number
}

interface Till {
  uuid: string
  shop: string
  name: string
  password: string
  closures: number
  isOpen: boolean
  doc: number
  token: string
  grand: number
  before: string
}

export type CustomFault = 'lost-before' | 'lost-after' | undefined

const HEAD = [
  ...['cashuuid', 'doctype', 'dtime', 'docnumber', 'docznumber', 'amount', 'fiscalcode'],
  ...['vatcode', 'fiscaloperator', 'businessname', 'prevSignature', 'type_signature_id'],
  ...['grandTotal', 'referenceClosurenumber', 'referenceDocnumber', 'referenceDtime'],
  ...['refSerialNum', 'referenceCashuuid', 'errSignature', 'err_number', 'err_znumber'],
].join()
const ITEM = [
  ...['type', 'description', 'amount', 'quantity', 'unitprice', 'vatvalue', 'fiscalvoid'],
  ...['signid', 'paymentid', 'plu', 'department', 'vatcode', 'service', 'businesscode'],
].join()

/** The two that are public, and one for all the rest. */
const no = { reference: 1201, amount: 1206, form: 1000 } as const

class No extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}
function demand(isRight: boolean, message: string, code: number = no.form): asserts isRight {
  if (!isRight) throw new No(code, message)
}

type Members = Record<string, unknown>
const text = (members: Members, name: string): string => String(members[name] ?? '')
const whole = (members: Members, name: string): number => Number(members[name])
const sum = (list: Members[], name: string): number =>
  list.reduce((all, one) => all + whole(one, name), 0)

export class CustomServerSimulator {
  readonly serial = '96SRT000017'
  readonly tills: Till[] = []
  readonly documents: ServerDocument[] = []
  /** Of the next document or closing. */
  next: CustomFault
  private readonly now: () => number
  private readonly admin: string
  private readonly lastZ: number

  constructor(now: () => number, { admin = 'admin:secret', lastZ = 0 } = {}) {
    this.now = now
    this.admin = admin
    this.lastZ = lastZ
  }

  readonly key = Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')

  /** One POST; undefined: no answer comes. */
  serve(
    path: string,
    body: string,
    authorization: string,
  ): { status: number; body: string } | undefined {
    const [scheme, pair = ''] = authorization.split(' ')
    const [, name = ''] = /^\/(\w+)\.php$/.exec(path) ?? []
    const login = Buffer.from(pair, 'base64').toString()
    const own = this.tills.find((one) => `${one.uuid}:${one.password}` === login)
    const isAdmin = scheme === 'Basic' && login === this.admin
    if (!isAdmin && own === undefined) return { status: 401, body: '' }
    const isWork = name.startsWith('insertFiscal') || name === 'insertZDocument'
    const fault = isWork ? this.next : undefined
    if (isWork) this.next = undefined
    if (fault === 'lost-before') return undefined
    const answer = this.answer(name, JSON.parse(body) as Members, isAdmin ? undefined : own)
    return fault === 'lost-after' ? undefined : { status: 200, body: JSON.stringify(answer) }
  }

  private answer(name: string, given: Members, till: Till | undefined): object {
    try {
      const data = (given.data ?? {}) as Members
      const said = till === undefined ? this.byAdmin(name, data) : this.byTill(name, given, till)
      return { responseCode: 0, responseDesc: 'OK', ...said }
    } catch (error) {
      if (error instanceof No) return { responseCode: error.code, responseDesc: error.message }
      throw error
    }
  }

  private byAdmin(name: string, data: Members): object {
    if (name === 'getDeviceMemStatus') {
      return { ej_capacity: '4096', ej_used: '1', ej_available: '4095', average_erase_count: '0' }
    }
    if (name === 'updateCashRegister') {
      const at = this.tills.findIndex(({ uuid }) => uuid === data.cashuuid)
      demand(at >= 0 && data.type === 1, 'no such till')
      this.tills.splice(at, 1)
      return {}
    }
    demand(name === 'insertCashRegister', `no such call ${name}`)
    const [shop, cash] = [text(data, 'shop'), text(data, 'name')]
    demand(/^\w{4}$/.test(shop) && /^\w{4}$/.test(cash), 'shop and name have four characters')
    const uuid = `${shop}${cash}-${this.tills.length + 1}`
    const plain = { doc: 0, token: '', grand: 0, before: '', isOpen: false, closures: this.lastZ }
    this.tills.push({ uuid, shop, name: cash, password: text(data, 'password'), ...plain })
    return { cashUuid: uuid }
  }

  private byTill(name: string, given: Members, till: Till): object {
    if (name === 'insertFiscalDocument2') return this.document(given, till, false)
    if (name === 'insertFiscalDocumentLottery') return this.document(given, till, true)
    const data = (given.data ?? {}) as Members
    demand(data.cashuuid === till.uuid, 'another till')
    if (name === 'getDailyOpen') {
      demand(!till.isOpen, 'the day is open')
      const token = createHash('sha256').update(`${till.uuid} ${till.closures}`).digest('base64')
      Object.assign(till, { isOpen: true, doc: 0, token, before: token })
    } else if (name === 'insertZDocument') {
      demand(data.znum === till.closures + 1, 'another closure')
      demand(data.amount === `${till.grand}`, 'another total', no.amount)
      Object.assign(till, { isOpen: false, closures: till.closures + 1, doc: 0 })
      return { responseSubCode: [] }
    } else demand(name === 'getDailyStatus', `no such call ${name}`)
    return this.day(till)
  }

  private day({ closures, shop, name, token, isOpen, doc, grand }: Till): object {
    return {
      ...{ numberClosure: `${closures}`, idClosure: `${closures}`, fiscalBoxId: this.serial },
      ...{ cashName: name, cashShop: shop, cashDesc: '', cashToken: token, cashHmacKey: this.key },
      ...{ cashStatus: isOpen ? '1' : '0', cashLastDocNumber: doc === 0 ? null : `${doc}` },
      ...{ grandTotalDB: `${grand}`, dateTimeServer: romeTime(this.now()) },
    }
  }

  private document(given: Members, till: Till, isLottery: boolean): object {
    const [data, qr] = [text(given, 'fiscalData'), given.qrData as Members]
    const sha = createHash('sha256').update(data).digest('base64')
    const key = Buffer.from(this.key, 'base64')
    const signature = createHmac('sha256', key).update(sha).digest('base64')
    demand(qr.shaMetadata === sha, 'another hash')
    demand(qr.signature === signature, 'another signature')
    const { document, items, taxs } = JSON.parse(data) as {
      document: Members
      items: Members[]
      taxs: Members[]
    }
    const members = Object.keys(document)
    if (isLottery) demand(members.shift() === 'lottery_client_code', 'no code of the lottery')
    demand(members.join() === HEAD, `members ${members.join()}`)
    for (const one of items) demand(Object.keys(one).join() === ITEM, 'members of an item')
    demand(till.isOpen, 'the day is closed')
    demand(document.cashuuid === till.uuid, 'another till')
    demand(document.prevSignature === till.before, 'another signature before')
    demand(document.docnumber === till.doc + 1, 'another number')
    demand(document.docznumber === till.closures + 1, 'another closure')
    demand(document.grandTotal === till.grand, 'another sum', no.amount)
    const amount = whole(document, 'amount')
    const sold = items.filter(({ type }) => type === '1')
    demand(amount > 0 && sum(sold, 'amount') === amount, 'another amount', no.amount)
    demand(sum(taxs, 'gross') === amount, 'rates do not add up', no.amount)
    this.takeBack(document, amount)
    const type = whole(document, 'doctype')
    const [z, doc] = [till.closures + 1, till.doc + 1]
    this.documents.push({ z, doc, type, amount, sha, left: type === 1 ? amount : 0 })
    Object.assign(till, { doc, before: signature, grand: till.grand + amount })
    return { fiscalDocId: this.documents.length, responseSubCode: [] }
  }

  private takeBack(document: Members, amount: number): void {
    const type = whole(document, 'doctype')
    const [z, doc] = [
      whole(document, 'referenceClosurenumber'),
      whole(document, 'referenceDocnumber'),
    ]
    if (type === 1) demand(z === -1 && doc === -1, 'a sale refers to nothing')
    else if (z === 0) demand(document.referenceCashuuid === 'ND', 'a reference without number')
    if (type === 1 || z === 0) return
    const original = this.documents.find((one) => one.z === z && one.doc === doc)
    demand(original !== undefined, 'Reso/annullo: documento non trovato', no.reference)
    const isRight = type === 3 ? amount <= original.left : amount === original.left
    demand(isRight, 'more than is left', no.amount)
    original.left -= amount
  }
}
