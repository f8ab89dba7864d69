// Documents that the authority has, as a whole: whether one is another, and what takes it back.
import { parseXml, type XmlElement } from '../../lib/xml-read.js'
import { element, escapeXml, type XmlTree } from '../../lib/xml-write.js'
import {
  type DocumentId,
  invoiceOf,
  invoicesDoc,
  type SentDocument,
  type Transmitted,
  uidOf,
} from './mydata.js'

/** What the authority adds, and where a document lies. */
const ADDED: ReadonlySet<string> = new Set([
  ...['uid', 'mark', 'cancelledByMark', 'authenticationCode', 'transmissionFailure', 'qrCodeUrl'],
  'downloadingInvoiceUrl',
])

const own = (of: XmlElement): XmlElement[] => of.children.filter(({ name }) => !ADDED.has(name))
const child = (of: XmlElement | undefined, name: string): XmlElement | undefined =>
  of?.children.find((one) => one.name === name)
const textIn = (of: XmlElement | undefined, name: string): string => child(of, name)?.text ?? ''

/** The same text for the same business, whoever tells of it; `but`: these members do not count. */
export function contentOf(invoice: XmlElement, but: readonly string[] = []): string {
  const told = ({ name, text, children }: XmlElement): unknown[] =>
    children.length === 0
      ? [name, text]
      : [name, children.filter((one) => !but.includes(one.name)).map(told)]
  return JSON.stringify(own(invoice).map(told))
}

/** As it is written; classifications have a prefix of their own. */
export function treeOf(of: XmlElement, prefix = ''): XmlTree {
  const tree: Record<string, (string | XmlTree)[]> = {}
  for (const one of of.children) {
    const within = one.name === 'incomeClassification' ? 'icls:' : ''
    const value = one.children.length === 0 ? one.text : treeOf(one, within)
    tree[`${prefix}${one.name}`] = [...(tree[`${prefix}${one.name}`] ?? []), value]
  }
  return tree
}

export function idOf(invoice: XmlElement): DocumentId {
  const [issuer, header] = [child(invoice, 'issuer'), child(invoice, 'invoiceHeader')]
  return {
    ...{ vat: textIn(issuer, 'vatNumber'), branch: textIn(issuer, 'branch') },
    ...{ date: textIn(header, 'issueDate'), type: textIn(header, 'invoiceType') },
    ...{ series: textIn(header, 'series'), aa: textIn(header, 'aa') },
    variation: textIn(header, 'invoiceVariationType'),
  }
}

/** What stands inside of `invoice`. */
export const inside = (members: XmlTree): string =>
  element('invoice', members).slice('<invoice>'.length, -'</invoice>'.length)

/** What stands inside of `invoice`, without what the authority adds. */
export const xmlOf = (invoice: XmlElement, url: string): string =>
  inside({ ...treeOf({ ...invoice, children: own(invoice) }), downloadingInvoiceUrl: url })

/** MARKs that it refers to. */
export const marksIn = (invoice: XmlElement): string[] =>
  (child(invoice, 'invoiceHeader')?.children ?? [])
    .filter(({ name }) => name === 'correlatedInvoices' || name === 'multipleConnectedMarks')
    .map(({ text }) => text)

/** By what a document is taken back: an order by its end, sales by their credit. */
export function reverseType(invoice: XmlElement): string | undefined {
  const { type } = idOf(invoice)
  const header = child(invoice, 'invoiceHeader')
  if (type === '8.6') {
    return textIn(header, 'totalCancelDeliveryOrders') === 'true' ? undefined : type
  }
  if (/^11\.[12]$/.test(type)) return '11.4'
  return /^(1\.[1-4]|2\.[123])$/.test(type) ? '5.1' : undefined
}

export interface Reversal {
  type: string
  series: string
  aa: string
  date: string
  mark: string
  url: string
}

/** What stands inside of `invoice` of the document that takes this one back. */
export function reversalOf(invoice: XmlElement, by: Reversal): string {
  const { series, aa, date, type, mark, url } = by
  const header = child(invoice, 'invoiceHeader')
  const isOrder = type === '8.6'
  const whole = treeOf(invoice)
  const head = {
    ...{ series, aa, issueDate: date, invoiceType: type, currency: 'EUR' },
    ...(type === '5.1' ? { correlatedInvoices: mark } : { multipleConnectedMarks: mark }),
    ...(isOrder ? { tableAA: textIn(header, 'tableAA'), totalCancelDeliveryOrders: 'true' } : {}),
  }
  const members: XmlTree = {
    issuer: whole.issuer ?? '',
    ...(whole.counterpart === undefined ? {} : { counterpart: whole.counterpart }),
    invoiceHeader: head,
    ...(isOrder ? emptied(invoice) : kept(whole)),
    downloadingInvoiceUrl: url,
  }
  return inside(members)
}

const KEPT = ['paymentMethods', 'invoiceDetails', 'taxesTotals', 'invoiceSummary']
const kept = (whole: XmlTree): XmlTree =>
  Object.fromEntries(KEPT.flatMap((name) => (whole[name] ? [[name, whole[name]]] : [])))

const SUMS = ['Net', 'Vat', 'Withheld', 'Fees', 'StampDuty', 'OtherTaxes', 'Deductions', 'Gross']
const ENDS: Readonly<Record<string, string>> = { Net: 'Value', Gross: 'Value' }

/** An order that is over has one line, and nothing in it. */
const emptied = (invoice: XmlElement): XmlTree => ({
  invoiceDetails: {
    ...{ lineNumber: '1', itemDescr: textIn(child(invoice, 'invoiceDetails'), 'itemDescr') },
    ...{ quantity: '1.0', measurementUnit: '1', netValue: '0.00', vatCategory: '8' },
    vatAmount: '0.00',
  },
  invoiceSummary: Object.fromEntries(
    SUMS.map((name) => [`total${name}${ENDS[name] ?? 'Amount'}`, '0.00']),
  ),
})

// ------------------------------------------------------------------------ of what we sent as well

export const treeIn = (sent: SentDocument): XmlElement | undefined =>
  parseXml(invoicesDoc([invoiceOf(sent)])).children[0]

const addressIn = (sent: SentDocument): string => textIn(treeIn(sent), 'downloadingInvoiceUrl')

/** Begin of the addresses of its queue's documents. */
function placeIn(sent: SentDocument): string {
  const address = addressIn(sent)
  return address.slice(0, address.lastIndexOf('/') + 1)
}

/** Whether a document that is there comes from the same queue. */
export const isBeside = (sent: SentDocument, { url }: Transmitted): boolean =>
  url.startsWith(placeIn(sent))

export const isOwn = (sent: SentDocument, { url }: Transmitted): boolean => addressIn(sent) === url

/** What the authority has under the number of a document, from its queue. */
export const underNumberOf = (
  sent: SentDocument,
  all: readonly Transmitted[],
): Transmitted | undefined =>
  all.find((there) => {
    const { series, aa } = idOf(there.invoice)
    return series === sent.series && aa === sent.aa && isBeside(sent, there)
  })

/** The document as the authority has it, where it is this very sale. */
export function sameSale<T extends SentDocument>(sent: T, there: Transmitted): T | undefined {
  const ours = treeIn(sent)
  if (ours === undefined || contentOf(ours) !== contentOf(there.invoice)) return undefined
  return { ...sent, xml: xmlOf(there.invoice, there.url) }
}

/** What it says, under another number. */
export function renumbered<T extends SentDocument>(
  sent: T,
  { series, aa, uid }: Partial<Pick<T, 'series' | 'aa' | 'uid'>>,
): T {
  const head = (by: DocumentId) => `<series>${escapeXml(by.series)}</series><aa>${by.aa}</aa>`
  const id = { ...sent, series: series ?? sent.series, aa: aa ?? sent.aa }
  const xml = sent.xml.replace(head(sent), () => head(id))
  return { ...id, uid: uid ?? uidOf(id), xml }
}

type Unsent = Omit<SentDocument, 'failure'>

/** What takes a document that is there back, under a number of ours; undefined: nothing does. */
export function takingBack(
  { invoice, mark }: Transmitted,
  { url, ...numbered }: Pick<DocumentId, 'series' | 'aa' | 'date'> & { url: string },
): Unsent | undefined {
  const type = reverseType(invoice)
  if (type === undefined) return undefined
  const { vat, branch } = idOf(invoice)
  const id = { vat, branch, ...numbered, type, variation: '' }
  const xml = reversalOf(invoice, { ...id, mark, url })
  return { ...id, uid: uidOf(id), xml }
}

/** A document that is there, as it would be sent. */
export const writtenAs = ({ invoice, uid, url }: Transmitted): Unsent => ({
  ...{ ...idOf(invoice), uid, xml: xmlOf(invoice, url) },
})
