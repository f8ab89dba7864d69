// The independent verifier of Greek books (InvoicesDoc of myDATA): written from the law, it shares
// no code with what records and exports.
import { createHash } from 'node:crypto'
import { SaxesParser } from 'saxes'
import type { FileVerifier, ReadPart } from '../contract.js'
import { judged, type Report } from '../reporter.js'
import { quote } from '../text.js'
import { contentCodes, notices, type RuleCode } from './rules.js'

export const mydataFile: FileVerifier = {
  name: 'myDATA (GR)',
  recognises: ({ head }) => /<InvoicesDoc[\s>][^>]*aade\.gr/.test(head.toString('utf8')),
  contentCodes,
  takes: new Set(),
  verify: (read, _options, sink) =>
    judged<RuleCode, Counted>(
      { sink, notices },
      { documents: 0, withMark: 0 },
      async (report, counted) => {
        const books = new Books(report, counted)
        await readDocuments(read, (one) => books.take(one), report)
        if (counted.documents === 0) report('EMPTY', '', 'expected at least one document')
      },
    ),
}

interface Counted {
  documents: number
  withMark: number
}

/** Texts of a document by the path of their element, in their order. */
type Texts = ReadonlyMap<string, readonly string[]>

async function readDocuments(
  read: ReadPart,
  take: (texts: Texts) => void,
  report: Report<RuleCode>,
): Promise<void> {
  const parser = new SaxesParser()
  const trail: string[] = []
  let texts = new Map<string, string[]>()
  let text = ''
  parser.on('opentag', ({ name }) => {
    trail.push(name)
    text = ''
  })
  parser.on('text', (piece) => {
    text += piece
  })
  parser.on('closetag', () => {
    const path = trail.slice(2).join('/')
    if (trail.length === 2) {
      take(texts)
      texts = new Map()
    } else if (path !== '') texts.set(path, [...(texts.get(path) ?? []), text])
    text = ''
    trail.pop()
  })
  try {
    const decoder = new TextDecoder()
    for await (const part of read()) parser.write(decoder.decode(part, { stream: true }))
    parser.close()
  } catch (error) {
    const told = error instanceof Error ? error.message : String(error)
    report('XML_FORM', '', `expected well-formed XML, found ${quote(told)}`)
  }
}

/** ISO 8859-7 of the letters that a series can have. */
function bytesOf(text: string): Buffer {
  const codes = [...text].map((letter) => letter.codePointAt(0) ?? 0)
  return Buffer.from(codes.map((code) => (code > 0x7f ? code - 0x2d0 : code)))
}

const cents = (text: string): bigint => {
  const [whole = '0', rest = ''] = text.split('.')
  return BigInt(whole || '0') * 100n + BigInt(rest.padEnd(2, '0').slice(0, 2))
}

class Books {
  private readonly report: Report<RuleCode>
  private readonly counted: Counted
  private readonly numbers = new Map<string, bigint>()
  private issuer = ''
  private mark = 0n

  constructor(report: Report<RuleCode>, counted: Counted) {
    this.report = report
    this.counted = counted
  }

  take(texts: Texts): void {
    const { report } = this
    this.counted.documents += 1
    const of = (path: string) => texts.get(path)?.[0] ?? ''
    const head = (name: string) => of(`invoiceHeader/${name}`)
    const [vat, branch] = [of('issuer/vatNumber'), of('issuer/branch')]
    const [series, aa] = [head('series'), head('aa')]
    const name = `${series}-${aa}`
    this.issuer ||= `${vat} ${branch}`
    if (this.issuer !== `${vat} ${branch}`) {
      report('ISSUER_CHANGES', name, `expected ${this.issuer}, found ${quote(`${vat} ${branch}`)}`)
    }
    const variation = head('invoiceVariationType')
    const parts = [vat, head('issueDate'), branch, head('invoiceType'), series, aa]
    const told = [...parts, ...(variation === '' ? [] : [variation])].join('-')
    const uid = createHash('sha1').update(bytesOf(told)).digest('hex').toUpperCase()
    if (of('uid') !== uid) report('UID_WRONG', name, `expected ${uid}, found ${quote(of('uid'))}`)
    this.number(name, { series, aa })
    this.marked(name, of('mark'))
    this.sums(name, texts)
  }

  private number(name: string, { series, aa }: { series: string; aa: string }): void {
    const next = BigInt(/^\d{1,20}$/.test(aa) ? aa : '0')
    const before = this.numbers.get(series) ?? 0n
    if (next <= before) this.report('NUMBER_TWICE', name, `expected more than ${before}`)
    this.numbers.set(series, next)
  }

  private marked(name: string, text: string): void {
    if (!/^\d{1,18}$/.test(text)) {
      this.report('MARK_MISSING', name, `expected a MARK, found ${quote(text)}`)
      return
    }
    this.counted.withMark += 1
    if (BigInt(text) <= this.mark) {
      this.report('MARK_ORDER', name, `expected more than ${this.mark}, found ${text}`)
    }
    this.mark = BigInt(text)
  }

  private sums(name: string, texts: Texts): void {
    const total = (part: string) => cents(texts.get(`invoiceSummary/total${part}`)?.[0] ?? '')
    const rows = (part: string) =>
      (texts.get(`invoiceDetails/${part}`) ?? []).reduce((sum, one) => sum + cents(one), 0n)
    for (const [part, row] of [
      ['NetValue', 'netValue'],
      ['VatAmount', 'vatAmount'],
    ] as const) {
      if (total(part) === rows(row)) continue
      this.report('SUMS_WRONG', name, `expected ${rows(row)} cents, found ${total(part)}`)
    }
    const gross =
      total('NetValue') +
      total('VatAmount') -
      total('WithheldAmount') +
      total('FeesAmount') +
      total('StampDutyAmount') +
      total('OtherTaxesAmount') -
      total('DeductionsAmount')
    if (gross === total('GrossValue')) return
    this.report('TOTAL_WRONG', name, `expected ${gross} cents, found ${total('GrossValue')}`)
  }
}
