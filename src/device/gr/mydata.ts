// The wire of myDATA 2.0.1: messages, answers, and the identity of a document.
import { createHash } from 'node:crypto'
import { weightedSum } from '../../lib/check-digits.js'
import type { XmlElement } from '../../lib/xml-read.js'
import { element, type XmlTree } from '../../lib/xml-write.js'
import { DeviceError, DeviceRefusal } from '../device.js'
import { readXml } from '../remote.js'
import type { GrReply } from './unit.js'

export const NS = {
  invoice: 'http://www.aade.gr/myDATA/invoice/v1.0',
  // spelt so
  income: 'https://www.aade.gr/myDATA/incomeClassificaton/v1.0',
  expenses: 'https://www.aade.gr/myDATA/expensesClassificaton/v1.0',
  payment: 'https://www.aade.gr/myDATA/paymentMethod/v1.0',
} as const

/** A message with documents, each an element `invoice` as text. */
export function invoicesDoc(invoices: readonly string[]): string {
  const all = invoices.join('')
  const ecls = all.includes('<ecls:') ? ` xmlns:ecls="${NS.expenses}"` : ''
  return `<InvoicesDoc xmlns="${NS.invoice}" xmlns:icls="${NS.income}"${ecls}>${all}</InvoicesDoc>`
}

/** A document as it is sent. */
export interface SentDocument extends DocumentId {
  uid: string
  /** What stands inside of `invoice`; exactly this is sent, however often. */
  xml: string
  /** transmissionFailure: 1 the register was cut off, 2 and 3 the authority; 0 none. */
  failure: 0 | 1 | 2 | 3
}

/** As text, with what is known of it. */
export function invoiceOf(
  { uid, xml, failure }: Pick<SentDocument, 'uid' | 'xml' | 'failure'>,
  known?: { mark: string; authenticationCode: string },
): string {
  const of = (name: string, text: string) => (text === '' ? '' : `<${name}>${text}</${name}>`)
  const { mark = '', authenticationCode = '' } = known ?? {}
  const head = known === undefined ? '' : of('uid', uid) + of('mark', mark)
  const code = of('authenticationCode', authenticationCode)
  const late = failure === 0 ? '' : of('transmissionFailure', String(failure))
  return `<invoice>${head}${code}${late}${xml}</invoice>`
}

/** How one was paid that was sent before. */
export function paymentsDoc(mark: string, vat: string, details: readonly XmlTree[]): string {
  return element('PaymentMethodsDoc', {
    ...{ '@xmlns': NS.payment, '@xmlns:inv': NS.invoice },
    paymentMethods: {
      ...{ invoiceMark: mark, entityVatNumber: vat },
      paymentMethodDetails: details.map(prefixed),
    },
  })
}

const prefixed = (tree: XmlTree): XmlTree =>
  Object.fromEntries(
    Object.entries(tree).map(([name, value]) => [
      `inv:${name}`,
      typeof value === 'object' && !Array.isArray(value) ? prefixed(value as XmlTree) : value,
    ]),
  )

// ----------------------------------------------------------------------------------- identity

export interface DocumentId {
  vat: string
  /** `2026-06-01` */
  date: string
  branch: string
  type: string
  series: string
  aa: string
  /** invoiceVariationType; '' for none. */
  variation: string
}

const GREEK_SHIFT = 0x2d0
const UNKNOWN = 0x3f

/** ISO 8859-7 as far as series need it: ASCII and Greek letters. */
function greekBytes(text: string): Buffer {
  const byteOf = (code: number): number => {
    if (code < 0x80) return code
    return code >= 0x384 && code <= 0x3ce ? code - GREEK_SHIFT : UNKNOWN
  }
  return Buffer.from([...text].map((letter) => byteOf(letter.codePointAt(0) ?? UNKNOWN)))
}

export const sha1 = (text: string): string =>
  createHash('sha1').update(greekBytes(text)).digest('hex').toUpperCase()

export function uidOf({ vat, date, branch, type, series, aa, variation }: DocumentId): string {
  const parts = [vat, date, branch, type, series, aa, ...(variation === '' ? [] : [variation])]
  return sha1(parts.join('-'))
}

const WEIGHTS = [256, 128, 64, 32, 16, 8, 4, 2]

/** AFM: nine digits with a check digit. */
export function isVat(text: string): boolean {
  if (!/^\d{9}$/.test(text) || text === '000000000') return false
  return String((weightedSum(text, WEIGHTS) % 11) % 10) === text[8]
}

/** As people write it: in groups, with the letters of the VAT number. */
export const plainVat = (text: string): string =>
  text.replace(/[\s.-]/g, '').replace(/^(EL|GR)/i, '')

// ------------------------------------------------------------------------------------ answers

export interface Told {
  /** 1 for the first document. */
  index: number
  isTaken: boolean
  statusCode: string
  /** Members of the answer in their order. */
  members: readonly (readonly [name: string, value: string])[]
  errors: readonly { message: string; code: string }[]
}

export const memberIn = ({ members }: Pick<Told, 'members'>, name: string): string =>
  members.find(([one]) => one === name)?.[1] ?? ''

/** As if it had been answered now: of what was done before. */
export const toldBefore = (...members: Told['members']): Told => ({
  ...{ index: 1, isTaken: true, statusCode: 'Success', members, errors: [] },
})

/** Some answers lie as text inside of an element `string`. */
function rootOf(text: string): XmlElement {
  const message = 'the answer is no XML'
  const root = readXml(text, message)
  const isText = root.name === 'string' && root.children.length === 0
  return isText ? readXml(root.text.trim(), message) : root
}

/** The document of an answer. Throws DeviceRefusal for one that takes nothing, DeviceError. */
function documentOf({ status, text }: GrReply, name: string): XmlElement {
  if (status >= 500 || status === 429) throw new DeviceError(`myDATA answers with status ${status}`)
  if (status !== 200) throw new DeviceRefusal(text === '' ? `status ${status}` : text)
  const root = rootOf(text)
  if (root.name !== name) throw new DeviceError(`the answer is no ${name}`)
  return root
}

/** Throws as `documentOf`, and DeviceError for a technical fault of the authority. */
export function toldIn(reply: GrReply): Told[] {
  const answers = documentOf(reply, 'ResponseDoc').children.filter(
    ({ name }) => name === 'response',
  )
  const told = answers.map(({ children }, at) => {
    const own = children.flatMap(({ name, text, children: inside }) =>
      inside.length === 0 ? [[name, text] as const] : [],
    )
    const members = own.filter(([name]) => name !== 'index' && name !== 'statusCode')
    const index = Number(memberIn({ members: own }, 'index') || at + 1)
    const statusCode = memberIn({ members: own }, 'statusCode')
    const list = children.find(({ name }) => name === 'errors')?.children ?? []
    const errors = list.map(({ children: parts }) => {
      const of = (name: string) => parts.find((one) => one.name === name)?.text ?? ''
      return { message: of('message'), code: of('code') }
    })
    return { index, isTaken: statusCode === 'Success', statusCode, members, errors }
  })
  if (told.length === 0) throw new DeviceError('the answer says nothing')
  if (told.some(({ statusCode }) => statusCode === 'TechnicalError')) {
    throw new DeviceError('myDATA has a technical fault')
  }
  return told
}

export interface Transmitted {
  uid: string
  mark: string
  authenticationCode: string
  qrUrl: string
  /** Where the document lies: with the id of its receipt. */
  url: string
  /** MARK of its cancellation; '' : it was not. */
  cancelledBy: string
  /** The document as the authority has it. */
  invoice: XmlElement
}

/** The same of a document that is there. */
export const transmittedBefore = (
  known: Pick<Transmitted, 'mark' | 'authenticationCode' | 'qrUrl'>,
  uid: string,
): Told =>
  toldBefore(
    ['invoiceUid', uid],
    ['invoiceMark', known.mark],
    ['authenticationCode', known.authenticationCode],
    ['qrUrl', known.qrUrl],
  )

export interface Page {
  found: Transmitted[]
  /** MARKs of documents whose payment arrived later, each with the MARK of the payment. */
  paid: [mark: string, paymentMark: string][]
  next: Readonly<Record<string, string>> | undefined
}

/** One page of what was sent before. */
export function transmittedIn(reply: GrReply): Page {
  const root = documentOf(reply, 'RequestedDoc')
  const child = (of: XmlElement | undefined, name: string) =>
    of?.children.find((one) => one.name === name)
  const token = child(root, 'continuationToken')
  const text = (of: XmlElement, name: string) => child(of, name)?.text ?? ''
  return {
    found: (child(root, 'invoicesDoc')?.children ?? []).map((one) => ({
      ...{ uid: text(one, 'uid'), mark: text(one, 'mark'), qrUrl: text(one, 'qrCodeUrl') },
      authenticationCode: text(one, 'authenticationCode'),
      url: text(one, 'downloadingInvoiceUrl'),
      cancelledBy: text(one, 'cancelledByMark'),
      invoice: one,
    })),
    paid: (child(root, 'paymentMethodsDoc')?.children ?? []).map((one) => [
      text(one, 'invoiceMark'),
      text(one, 'paymentMethodMark'),
    ]),
    next: token && {
      nextPartitionKey: text(token, 'nextPartitionKey'),
      nextRowKey: text(token, 'nextRowKey'),
    },
  }
}

export const isDuplicate = ({ errors }: Pick<Told, 'errors'>): boolean =>
  errors.some(
    ({ code, message }) =>
      code === '233' ||
      (code === '228' && message.includes('UID') && message.includes('already been sent')),
  )
