// The independent verifier of Greek books (InvoicesDoc of myDATA): written from the law, it shares
// no code with what records and exports.
import { createHash } from 'node:crypto'
import { moduloEleven } from '../check-digits.js'
import { quote } from '../text.js'
import { centsOf, type Part, partOf, partsOf, readDocuments, textOf } from './documents.js'
import { Lines } from './lines.js'
import { fileKind, type Report } from './rules.js'

interface Counted {
  documents: number
  withMark: number
}

export const mydataFile = fileKind({
  name: 'myDATA (GR)',
  recognises: /<InvoicesDoc[\s>][^>]*aade\.gr/,
  counted: { documents: 0, withMark: 0 },
  async judge(read, { report, counted }) {
    const books = new Books(report, counted)
    try {
      await readDocuments(read, (one) => books.take(one))
    } catch (error) {
      const told = error instanceof Error ? error.message : String(error)
      report('XML_FORM', '', `expected well-formed XML, found ${quote(told)}`)
    }
    if (counted.documents === 0) report('EMPTY', '', 'expected at least one document')
  },
})

const TYPES =
  /^(1\.[1-6]|2\.[1-4]|3\.[12]|5\.[12]|6\.[12]|7\.1|8\.[12456]|9\.[1-3]|10\.[12]|11\.[1-5])$/
const WITH_PARTY = /^(1\.|2\.|3\.|5\.|6\.|7\.1|8\.1|9\.3)/

/** As documents write it. */
const HOME = 'GR'

/** ISO 8859-7 of the letters that a series can have. */
function bytesOf(text: string): Buffer {
  const codes = [...text].map((letter) => letter.codePointAt(0) ?? 0)
  return Buffer.from(codes.map((code) => (code > 0x7f ? code - 0x2d0 : code)))
}

/** AFM: the last digit is the sum of the others by powers of two, modulo 11, modulo 10. */
const isTaxNumber = (text: string): boolean =>
  /^(?!0{9})\d{9}$/.test(text) &&
  moduloEleven(text, [256, 128, 64, 32, 16, 8, 4, 2]) % 10 === Number(text[8])

class Books {
  private readonly report: Report
  private readonly counted: Counted
  private readonly numbers = new Map<string, bigint>()
  private readonly receipts = new Set<string>()
  /** Net of invoices by their MARK, less what was credited. */
  private readonly left = new Map<string, bigint>()
  private issuer = ''
  private mark = 0n

  constructor(report: Report, counted: Counted) {
    this.report = report
    this.counted = counted
  }

  take(document: Part): void {
    this.counted.documents += 1
    const head = partOf(document, 'invoiceHeader')
    const name = `${textOf(head, 'series')}-${textOf(head, 'aa')}`
    this.identity(name, document)
    this.number(name, head)
    this.marked(name, document)
    this.references(name, document)
    this.party(name, document)
    const url = textOf(document, 'downloadingInvoiceUrl')
    if (url !== '' && this.receipts.has(url)) this.report('RECEIPT_TWICE', name, quote(url))
    this.receipts.add(url)
    new Lines(this.report, name, document).check()
  }

  private identity(name: string, document: Part): void {
    const { report } = this
    const [issuer, head] = [partOf(document, 'issuer'), partOf(document, 'invoiceHeader')]
    const [vat, branch, type] = [
      ...[textOf(issuer, 'vatNumber'), textOf(issuer, 'branch'), textOf(head, 'invoiceType')],
    ] as [string, string, string]
    this.issuer ||= `${vat} ${branch}`
    if (this.issuer !== `${vat} ${branch}`) {
      report('ISSUER_CHANGES', name, `expected ${this.issuer}, found ${quote(`${vat} ${branch}`)}`)
    }
    if (!isTaxNumber(vat)) report('ISSUER_INVALID', name, `found ${quote(vat)}`)
    if (!TYPES.test(type)) report('TYPE_UNKNOWN', name, `found ${quote(type)}`)
    const variation = textOf(head, 'invoiceVariationType')
    const series = [textOf(head, 'series'), textOf(head, 'aa')]
    const parts = [vat, textOf(head, 'issueDate'), branch, type, ...series]
    const told = [...parts, ...(variation === '' ? [] : [variation])].join('-')
    const uid = createHash('sha1').update(bytesOf(told)).digest('hex').toUpperCase()
    const found = textOf(document, 'uid')
    if (found !== uid) report('UID_WRONG', name, `expected ${uid}, found ${quote(found)}`)
    if (type === '8.6' && textOf(head, 'tableAA') === '') {
      report('TABLE_MISSING', name, 'expected tableAA')
    }
  }

  private number(name: string, head: Part | undefined): void {
    const [series, aa] = [textOf(head, 'series'), textOf(head, 'aa')]
    const next = BigInt(/^\d{1,20}$/.test(aa) ? aa : '0')
    const before = this.numbers.get(series)
    if (before !== undefined && next <= before) {
      this.report('NUMBER_TWICE', name, `expected more than ${before}`)
    } else if (before !== undefined && next !== before + 1n) {
      this.report('NUMBER_GAP', name, `expected ${before + 1n}`)
    }
    this.numbers.set(series, next)
  }

  private marked(name: string, document: Part): void {
    const [mark, code] = [textOf(document, 'mark'), textOf(document, 'authenticationCode')]
    if (!/^\d{1,18}$/.test(mark)) {
      this.report('MARK_MISSING', name, `expected a MARK, found ${quote(mark)}`)
      return
    }
    this.counted.withMark += 1
    if (BigInt(mark) <= this.mark) {
      this.report('MARK_ORDER', name, `expected more than ${this.mark}, found ${mark}`)
    }
    this.mark = BigInt(mark)
    // only providers are given one
    if (code !== '' && !/^[0-9A-F]{40}$/.test(code)) {
      this.report('CODE_FORM', name, `expected 40 digits, found ${quote(code)}`)
    }
  }

  private references(name: string, document: Part): void {
    const head = partOf(document, 'invoiceHeader')
    const type = textOf(head, 'invoiceType')
    const correlated = partsOf(head, 'correlatedInvoices').map(({ text }) => text)
    const marks = [
      ...correlated,
      ...partsOf(head, 'multipleConnectedMarks').map(({ text }) => text),
    ]
    const isEnd = textOf(head, 'totalCancelDeliveryOrders') === 'true'
    if (marks.length === 0 && (isEnd || type === '5.1')) {
      this.report('REFERENCE_MISSING', name, `type ${type}`)
    }
    const own = textOf(document, 'mark')
    const isLater = (mark: string) => own !== '' && BigInt(mark || '0') >= BigInt(own || '0')
    for (const mark of marks.filter(isLater)) {
      this.report('REFERENCE_LATER', name, `expected less than ${own}, found ${quote(mark)}`)
    }
    const net = centsOf(partOf(document, 'invoiceSummary'), 'totalNetValue')
    const [of = ''] = correlated
    const before = type === '5.1' ? this.left.get(of) : undefined
    if (before !== undefined && net > before) {
      this.report('CREDIT_OVER', name, `expected at most ${before} cents, found ${net}`)
    }
    if (before !== undefined) this.left.set(of, before - net)
    else if (/^[12]\./.test(type)) this.left.set(own, net)
  }

  private party(name: string, document: Part): void {
    const head = partOf(document, 'invoiceHeader')
    const type = textOf(head, 'invoiceType')
    const carries = textOf(head, 'isDeliveryNote') === 'true'
    const other = partOf(document, 'counterpart')
    const [vat, country] = [textOf(other, 'vatNumber'), textOf(other, 'country')]
    if (other === undefined) {
      if (WITH_PARTY.test(type)) this.report('PARTY_MISSING', name, `type ${type}`)
    } else if (type.startsWith('11.') && !carries) {
      this.report('PARTY_STRAY', name, `type ${type}`)
    } else if (country === HOME && !isTaxNumber(vat)) {
      this.report('PARTY_INVALID', name, `found ${quote(vat)}`)
    }
  }
}
