// myDATA of the AADE, emulated: it reads the message that a program sends, checks it against the
// schema and the rules, and keeps a register of documents.
import { NS, sha1, uidOf } from '../../device/gr/mydata.js'
import type { GrCall, GrReply } from '../../device/gr/unit.js'
import { treeOf } from '../../device/gr/whole.js'
import { parseXml, type XmlElement } from '../../lib/xml-read.js'
import type { XmlTree } from '../../lib/xml-write.js'
import { shapeFault } from '../shape.js'
import { cancelled, paid } from './later.js'
import { issuerFault, LOWEST, type Register, type Settings } from './register.js'
import { faultTree, NOT_FOUND, refused, refusedBy, reply, syntax, textOf } from './replies.js'
import { all, amount, brokenRules, child, own } from './rules.js'
import { shapes } from './schema.js'

const athens = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Athens' })
const MOST_INVOICES = 5000

/** `register` moves where something was taken. */
export function serve(book: Register, call: GrCall, settings: Settings): GrReply {
  if (call.method === 'GET') {
    return call.name === 'RequestTransmittedDocs' ? transmitted(book, call) : NOT_FOUND
  }
  if (call.name === 'SendPaymentsMethod') return paid(book, call, settings)
  if (call.name === 'CancelInvoice' || call.name === 'CancelDeliveryNote') {
    return cancelled(book, call, settings)
  }
  return call.name === 'SendInvoices' ? sent(book, call, settings) : NOT_FOUND
}

function sent(book: Register, call: GrCall, settings: Settings): GrReply {
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
  return reply('ResponseDoc', { response: answers })
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
  const stranger = issuerFault(id.vat, by)
  if (stranger !== undefined) return fault([stranger])
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
  const [net, gross] = ['totalNetValue', 'totalGrossValue'].map((name) =>
    String(amount(summary, name)),
  ) as [string, string]
  const one = { uid, mark: book.mark, vat: id.vat, type: id.type, url, authenticationCode, qrUrl }
  const fresh = { isClosed: false, net, gross, credited: '0', cancelledBy: 0, paymentMark: 0 }
  const whole = by.keepsWhole === true ? { whole: treeOf(invoice) } : {}
  book.recent.push({ ...one, ...fresh, byProvider: by.channel !== 'erp', ...whole })
  if (book.recent.length > by.most) book.recent.splice(0, book.recent.length - by.most)
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
  const isUnknown = marks.some((mark) => mark > book.mark || mark <= LOWEST)
  if (isUnknown) return '104'
  const type = own(header, 'invoiceType')
  const found = book.recent.filter(({ mark }) => marks.includes(mark))
  const vat = own(child(invoice, 'issuer'), 'vatNumber')
  if (found.some((one) => one.vat !== vat)) return '248'
  if (found.some(({ cancelledBy }) => cancelledBy !== 0)) return '251'
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
  if (!/^\d{1,18}$/.test(query.mark ?? '')) return refusedBy('103')
  const begin = Number(query.nextRowKey ?? query.mark)
  const isOwn = (one: { mark: number; vat: string }) =>
    one.mark > begin && (query.entityVatNumber ?? one.vat) === one.vat
  const found = recent.filter(isOwn)
  const page = found.slice(0, PAGE)
  const last = page.at(-1)?.mark ?? begin
  const isWhole = page.length === found.length
  const payments = recent.filter(
    ({ paymentMark: mark, vat }) => isOwn({ mark, vat }) && (isWhole || mark <= last),
  )
  return reply('RequestedDoc', {
    '@xmlns:icls': NS.income,
    ...(isWhole ? {} : { continuationToken: { nextPartitionKey: 'p', nextRowKey: String(last) } }),
    invoicesDoc: {
      invoice: page.map((one) => ({
        ...{ uid: one.uid, mark: String(one.mark) },
        ...(one.cancelledBy === 0 ? {} : { cancelledByMark: String(one.cancelledBy) }),
        authenticationCode: one.authenticationCode,
        ...((one.whole ?? {}) as XmlTree),
        ...{ qrCodeUrl: one.qrUrl, downloadingInvoiceUrl: one.url },
      })),
    },
    paymentMethodsDoc: {
      paymentMethods: payments.map(({ mark, paymentMark }) => ({
        ...{ invoiceMark: String(mark), paymentMethodMark: String(paymentMark) },
      })),
    },
  })
}
