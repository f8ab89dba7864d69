// What a program says of a document beside its items (ftReceiptCaseData.GR): members that take the
// place of ours, originals of other systems, and the receipt on paper that this one is typed from.
import type { CasedRequest } from '../../case/reader.js'
import { invoiceTypes } from '../../device/gr/invoice-types.js'
import { HEADER, PARTY, ROW, saidIn } from '../../device/gr/said.js'
import { formatCents } from '../../lib/decimal.js'
import { sha256 } from '../../lib/hash.js'
import { JsonNumber, type JsonObject, objectIn } from '../../lib/json.js'
import { memberOf, objectAt, objectMember, textMember } from '../../lib/json-object.js'
import type { XmlTree } from '../../lib/xml-write.js'
import type { Refusal } from '../kit/refusal.js'
import { refuse } from './text.js'

/** A receipt that was written by hand: its own series and number. */
export interface Paper {
  vat: string
  series: string
  aa: string
  /** Of the text that binds both: the end of its link. */
  hash: string
}

export interface Said {
  header: XmlTree
  counterpart: XmlTree | undefined
  /** MARKs of originals that other systems have sent. */
  marks: readonly string[]
  paper: Paper | undefined
}

export const NOTHING_SAID: Said = {
  ...{ header: {}, counterpart: undefined, marks: [], paper: undefined },
}

export function saidOf(read: CasedRequest, isPaper: boolean): Said | Refusal {
  const own = objectMember(objectIn(read.request.receiptCaseData), 'GR')
  const invoice = objectAt(own, 'mydataoverride', 'invoice')
  const header = saidOrNot(objectMember(invoice, 'invoiceHeader'), HEADER)
  if ('kind' in header) return header
  const { series, aa, invoiceType: type } = header.tree
  if (series !== undefined || aa !== undefined) return refuse('overrideNumber')
  if (type !== undefined && !invoiceTypes.includes(String(type))) {
    return refuse('overrideType', String(type), invoiceTypes.join(', '))
  }
  const given = objectMember(invoice, 'counterpart')
  const counterpart = saidOrNot(given, PARTY)
  if ('kind' in counterpart) return counterpart
  const marks = foreignMarks(own)
  if ('kind' in marks) return marks
  const paper = isPaper ? paperOf(read, own) : undefined
  if (paper !== undefined && 'kind' in paper) return paper
  return { header: header.tree, counterpart: given && counterpart.tree, marks, paper }
}

function saidOrNot(given: JsonObject | undefined, names: readonly string[]): Members | Refusal {
  const said = given === undefined ? {} : saidIn(given, names)
  return typeof said === 'string' ? refuse('override', said) : { tree: said }
}

export interface Members {
  tree: XmlTree
}

/** A number, a text, or a list of them. */
function foreignMarks(own: JsonObject | undefined): string[] | Refusal {
  const given = memberOf(objectMember(own, 'PreviousReceiptReference'), 'invoiceMark')
  if (given === undefined) return []
  const list = (Array.isArray(given) ? given : [given]).map((one) =>
    one instanceof JsonNumber ? one.text : String(one),
  )
  const isRight = list.length > 0 && list.every((one) => /^\d{1,18}$/.test(one))
  return isRight ? list : refuse('foreignMark')
}

/** What one item says of its row. */
export function rowSaid(data: string | null): Members | Refusal {
  const given = objectAt(objectIn(data), 'GR', 'mydataoverride', 'invoiceDetails')
  const said = saidOrNot(given, ROW)
  const classified = 'kind' in said ? undefined : said.tree.incomeClassification
  if ('kind' in said || classified === undefined) return said
  const [one, ...more] = Array.isArray(classified) ? classified : [classified]
  if (one === undefined || more.length > 0) return refuse('oneClassification')
  return { tree: { ...said.tree, incomeClassification: one } }
}

// ------------------------------------------------------------------------------------ by hand

const MEMBERS = ['MerchantVATID', 'Series', 'AA', 'HashAlg', 'HashPayload'] as const

function paperOf({ request, words }: CasedRequest, own: JsonObject | undefined): Paper | Refusal {
  const of = (name: string) => textMember(own, name)?.trim() ?? ''
  const isThere = (name: string) => (name === 'AA' ? /^[1-9]\d{0,18}$/.test(of(name)) : of(name))
  const missing = MEMBERS.find((name) => !isThere(name))
  if (missing !== undefined) return refuse('paperMember', missing)
  const [merchant, series, aa] = [of('MerchantVATID'), of('Series'), of('AA')]
  const sum = words.charges.reduce((all, { item }) => all + item.amount.toCents(), 0n)
  const moment = `${request.receiptMoment.toISOString().slice(0, 19)}Z`
  const parts = [merchant, series, aa, request.receiptReference ?? '', moment]
  const expected = [...parts, formatCents(sum, '.')].join('-')
  if (of('HashPayload') !== expected) return refuse('paperHash', expected, of('HashPayload'))
  const hash = sha256(expected).toString('base64url')
  return { vat: merchant.replace(/^(EL|GR)/i, ''), series, aa, hash }
}
