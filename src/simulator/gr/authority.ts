// myDATA of the AADE, emulated: it reads the message that a program sends, checks it against the
// schema and the rules, and keeps a register of documents.
import { z } from 'zod'
import { NS, sha1, uidOf } from '../../device/gr/mydata.js'
import type { GrCall, GrReply } from '../../device/gr/unit.js'
import { parseXml, type XmlElement } from '../../lib/xml-read.js'
import { element, type XmlTree } from '../../lib/xml-write.js'
import { shapeFault } from '../shape.js'
import { all, amount, brokenRules, child, own } from './rules.js'
import { shapes } from './schema.js'

const known = z.object({
  ...{ uid: z.string(), mark: z.int(), vat: z.string(), type: z.string(), url: z.string() },
  ...{ authenticationCode: z.string(), qrUrl: z.string(), isClosed: z.boolean() },
  ...{ net: z.string(), credited: z.string() },
})
export const register = z.object({
  /** The newest MARK. */
  mark: z.int(),
  /** By issuer, branch and series: the greatest number; below it all are used. */
  numbers: z.record(z.string(), z.string()),
  /** The newest ones with all that is known of them. */
  recent: z.array(known),
})
export type Register = z.infer<typeof register>

export const emptyRegister = (): Register => ({
  ...{ mark: 400_000_000_000_000, numbers: {}, recent: [] },
})

export interface Settings {
  now: Date
  /** How many documents are remembered. */
  most: number
  /** Begin of the addresses in QR codes. */
  base: string
}

const athens = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Athens' })
const MOST_INVOICES = 5000

/** `register` moves where something was taken. */
export function serve(book: Register, call: GrCall, settings: Settings): GrReply {
  if (call.name === 'RequestTransmittedDocs') return transmitted(book, call)
  if (call.name !== 'SendInvoices') return { status: 404, text: 'Resource not found' }
  let root: XmlElement
  try {
    root = parseXml(call.body ?? '')
  } catch {
    return syntax('the message is no XML')
  }
  const isDoc = root.name === 'InvoicesDoc' && root.uri === NS.invoice
  const uriOf = (type: string) => (type === 'classified' ? NS.income : NS.invoice)
  const wrong = isDoc ? shapeFault(root, 'message', { shapes, uriOf }) : 'InvoicesDoc is expected'
  if (wrong !== undefined) return syntax(wrong)
  if (root.children.length > MOST_INVOICES) return refused([['265', 'more than 5000 documents']])
  const answers = root.children.map((invoice, at) => answerTo(book, invoice, { ...settings, at }))
  return document('ResponseDoc', { response: answers })
}

function answerTo(book: Register, invoice: XmlElement, by: Settings & { at: number }): XmlTree {
  const header = child(invoice, 'invoiceHeader')
  const issuer = child(invoice, 'issuer')
  const id = {
    ...{ vat: own(issuer, 'vatNumber'), branch: own(issuer, 'branch') },
    ...{ date: own(header, 'issueDate'), type: own(header, 'invoiceType') },
    ...{ series: own(header, 'series'), aa: own(header, 'aa') },
    variation: own(header, 'invoiceVariationType'),
  }
  const uid = uidOf(id)
  const index = String(by.at + 1)
  const fault = (codes: readonly string[]) =>
    faultTree(
      index,
      codes.map((code) => [code, textOf(code, uid)] as const),
    )
  const codes = brokenRules(invoice, athens.format(by.now))
  if (codes.length > 0) return fault([...new Set(codes)])
  const place = `${id.vat}|${id.branch}|${id.series}`
  if (BigInt(id.aa) <= BigInt(book.numbers[place] ?? '0')) return fault(['233'])
  const referred = referenceFault(book, invoice)
  if (referred !== undefined) return fault([referred])
  book.numbers[place] = id.aa
  book.mark += 1
  const mark = String(book.mark)
  const summary = child(invoice, 'invoiceSummary')
  const other = own(child(invoice, 'counterpart'), 'vatNumber')
  const parts = [id.vat, id.date, id.branch, id.type, id.series, id.aa, mark]
  const sums = [own(summary, 'totalGrossValue'), own(summary, 'totalVatAmount')]
  const authenticationCode = sha1([...parts, ...sums, other].join('-'))
  const qrUrl = `${by.base}/mydata/qr?mark=${mark}`
  const url = own(invoice, 'downloadingInvoiceUrl')
  const net = String(amount(summary, 'totalNetValue'))
  const one = { uid, mark: book.mark, vat: id.vat, type: id.type, url, authenticationCode, qrUrl }
  book.recent = [...book.recent, { ...one, isClosed: false, net, credited: '0' }].slice(-by.most)
  return {
    index,
    invoiceUid: uid,
    invoiceMark: mark,
    authenticationCode,
    qrUrl,
    statusCode: 'Success',
  }
}

/** What it refers to; documents that are forgotten are taken for good. */
function referenceFault(book: Register, invoice: XmlElement): string | undefined {
  const header = child(invoice, 'invoiceHeader')
  const names = ['correlatedInvoices', 'multipleConnectedMarks']
  const marks = names.flatMap((name) => all(header, name)).map(({ text }) => Number(text))
  const isUnknown = marks.some((mark) => mark > book.mark || mark <= 400_000_000_000_000)
  if (isUnknown) return '104'
  const type = own(header, 'invoiceType')
  const found = book.recent.filter(({ mark }) => marks.includes(mark))
  const orders = found.filter((one) => one.type === '8.6')
  if (orders.some(({ isClosed }) => isClosed)) return type === '8.6' ? '251' : '255'
  if (type === '5.1') {
    const [before] = found
    const sum =
      BigInt(before?.credited ?? '0') + amount(child(invoice, 'invoiceSummary'), 'totalNetValue')
    if (before !== undefined && sum > BigInt(before.net)) return '319'
    if (before !== undefined) before.credited = String(sum)
  }
  for (const order of orders) order.isClosed = true
  return undefined
}

const PAGE = 1000

function transmitted({ recent }: Register, { query = {} }: GrCall): GrReply {
  const begin = Number(query.nextRowKey ?? query.mark ?? '0')
  const found = recent.filter(
    ({ mark, vat }) => mark > begin && (query.entityVatNumber ?? vat) === vat,
  )
  const page = found.slice(0, PAGE)
  const invoice = page.map((one) => ({
    ...{ uid: one.uid, mark: String(one.mark), authenticationCode: one.authenticationCode },
    ...{ qrCodeUrl: one.qrUrl, downloadingInvoiceUrl: one.url },
  }))
  const next =
    found.length > PAGE
      ? { nextPartitionKey: 'p', nextRowKey: String(page.at(-1)?.mark ?? 0) }
      : undefined
  return document('RequestedDoc', {
    ...(next === undefined ? {} : { continuationToken: next }),
    invoicesDoc: { invoice },
  })
}

const TEXTS: Readonly<Record<string, string>> = {
  ...{ 202: 'Invalid Greek VAT number', 203: 'Total gross value differs from the formula' },
  ...{ 204: 'A field is mandatory for this invoice type', 207: 'Sum of net values differs' },
  ...{ 209: 'Sum of VAT differs', 217: 'vatExemptionCategory is mandatory for category 7' },
  ...{ 238: 'issueDate must be today', 260: 'issueDate must not be later than today' },
}

const textOf = (code: string, uid: string): string =>
  code === '233'
    ? `The UID: ${uid} has already been sent for another invoice`
    : (TEXTS[code] ?? `Error ${code}`)

const faultTree = (
  index: string,
  errors: readonly (readonly [string, string])[],
  statusCode = 'ValidationError',
): XmlTree => ({
  index,
  errors: { error: errors.map(([code, message]) => ({ message, code })) },
  statusCode,
})

const refused = (errors: readonly (readonly [string, string])[], statusCode?: string): GrReply =>
  document('ResponseDoc', { response: faultTree('1', errors, statusCode) })

const syntax = (text: string): GrReply => refused([['101', text]], 'XMLSyntaxError')

function document(name: string, content: XmlTree): GrReply {
  return { status: 200, text: `<?xml version="1.0" encoding="utf-8"?>${element(name, content)}` }
}
