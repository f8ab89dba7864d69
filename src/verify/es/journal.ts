// The independent verifier of Spanish journals (GovernmentAPI): written from the law, it shares no
// code with what records and exports.
import type { ReadPart } from '../contract.js'
import { textsOf } from '../read-text.js'
import { quote } from '../text.js'
import { BrokenXml, find, type Node, textAt, textIn, treeOf } from '../xml.js'
import { signatureFault } from '../xml-signature.js'
import { type Read, recordIn } from './record.js'
import { fileKind, type Report } from './rules.js'

export const journalFile = fileKind({
  name: 'GovernmentAPI (ES)',
  recognises: /^\s*\[\s*\{\s*"Request"\s*:\s*"</,
  counted: { records: 0, issued: 0, cancelled: 0, signaturesVerified: 0 },
  async judge(read, { report, counted }) {
    const journal = new Journal(report)
    for await (const request of requestsOf(read)) journal.take(request)
    Object.assign(counted, journal.summary())
  },
})

/** Ends an element of the list; quotes inside of texts are escaped. */
const END = '"Version":"V0"}'

async function* requestsOf(read: ReadPart): AsyncGenerator<string> {
  let text = ''
  for await (const piece of textsOf(read)) {
    text += piece
    for (let end = text.indexOf(END); end >= 0; end = text.indexOf(END)) {
      const element = text.slice(0, end + END.length).replace(/^[\s,[]+/, '')
      text = text.slice(end + END.length)
      yield requestIn(element)
    }
  }
}

function requestIn(element: string): string {
  try {
    const { Request: request } = JSON.parse(element) as { Request?: unknown }
    return typeof request === 'string' ? request : ''
  } catch {
    return ''
  }
}

interface Document {
  root: Node
  /** Its book says of it that it is one that was sent before, said rightly. */
  corrects: boolean
}

/** Files that a book of Bizkaia carries. */
function documentsIn(request: string): Document[] {
  const root = treeOf(request)
  const corrects = textAt(root, 'Cabecera', 'Operacion') === 'M00'
  const inside = ['TicketBai', 'AnulacionTicketBai'].flatMap((name) => {
    const found = find(root, name)
    const text = found === root ? '' : textIn(found).trim()
    return text === '' ? [] : [Buffer.from(text, 'base64').toString('utf8')]
  })
  const files = inside.length > 0 ? inside.map(treeOf) : [root]
  return files.map((one) => ({ root: one, corrects }))
}

class Journal {
  private readonly report: Report
  private readonly issued = new Set<string>()
  private readonly cancelled = new Set<string>()
  /** Files of a province: number → that of the file before it in the chain. */
  private readonly places = new Map<string, string>()
  private readonly counters = new Map<string, bigint>()
  private last: Read | undefined
  private newest = ''
  private records = 0
  private signatures = 0

  constructor(report: Report) {
    this.report = report
  }

  take(request: string): void {
    try {
      for (const one of documentsIn(request)) this.document(one)
    } catch (error) {
      if (!(error instanceof BrokenXml)) throw error
      this.report('XML_FORM', '', error.told)
    }
  }

  summary(): { records: number; issued: number; cancelled: number; signaturesVerified: number } {
    if (this.records === 0) this.report('EMPTY', '', 'expected at least one record')
    const [issued, cancelled] = [this.issued.size, this.cancelled.size]
    return { records: this.records, issued, cancelled, signaturesVerified: this.signatures }
  }

  private document({ root, corrects }: Document): void {
    const found = recordIn(root)
    if (found === undefined) {
      this.report('XML_FORM', '', 'expected a record')
      return
    }
    const read = { ...found, repairs: found.repairs || corrects || this.isAgain(found) }
    this.records += 1
    const { number, mark, expected, generated } = read
    if (expected !== undefined && expected !== mark) {
      this.report('HUELLA_WRONG', number, `expected ${expected}, found ${quote(mark)}`)
    }
    const signed = find(root, 'Signature') === undefined ? undefined : signatureFault(root)
    if (signed !== undefined) this.report('SIGNATURE_INVALID', number, `expected ${signed}`)
    else if (find(root, 'Signature') !== undefined) this.signatures += 1
    else if (read.system === 'TicketBAI') this.report('SIGNATURE_INVALID', number, 'expected one')
    // a chain of files is of those that issue
    const isLink = read.system === 'VeriFactu' || !(read.isCancelling || read.repairs)
    if (isLink) this.link(read)
    if (read.system === 'VeriFactu' && Date.parse(generated) < Date.parse(this.newest)) {
      this.report('TIME_DECREASES', number, `expected ${this.newest} or later, found ${generated}`)
    }
    this.newest = generated
    if (read.isCancelling) this.cancel(read)
    else this.issue(read)
  }

  /** A file that was refused is sent once more, with its number and in its place of the chain. */
  private isAgain({ system, isCancelling, number, before }: Read): boolean {
    if (system === 'VeriFactu' || isCancelling) return false
    return this.places.get(number) === (before?.number ?? '')
  }

  private link(read: Read): void {
    const { before, number } = read
    const last = this.last
    this.last = read
    if (read.system === 'TicketBAI') this.places.set(number, before?.number ?? '')
    if (last === undefined) {
      if (before !== undefined) {
        this.report('CHAIN_BEGIN', number, `expected the record before, ${quote(before.number)}`)
      }
      return
    }
    if (last.issuer !== read.issuer || last.place !== read.place) {
      this.report('ISSUER_CHANGES', number, `expected ${last.issuer}, found ${quote(read.issuer)}`)
    }
    if (before === undefined) {
      this.report('CHAIN_RESTART', number, 'expected a link')
      return
    }
    const [wanted, found] = [last, before].map((one) => [one.number, one.date, one.mark].join(' '))
    if (wanted !== found) {
      this.report('CHAIN_LINK', number, `expected ${wanted}, found ${quote(found ?? '')}`)
    }
  }

  private issue(read: Read): void {
    const { number, series, counter, total, tax, bases, taxes, refersTo } = read
    const isThere = this.issued.has(number)
    if (isThere && !read.repairs) this.report('NUMBER_TWICE', number, 'expected a new number')
    if (!isThere && read.repairs) this.report('REPAIR_UNKNOWN', number, 'expected it before')
    this.issued.add(number)
    const known = this.counters.get(series)
    const next = BigInt(counter || '0')
    if (known !== undefined && next !== known + 1n && !read.repairs) {
      this.report('NUMBER_GAP', number, `expected ${known + 1n}, found ${next}`)
    }
    if (!read.repairs) this.counters.set(series, next)
    if (bases + taxes !== total) {
      this.report('TOTAL_WRONG', number, `expected ${bases + taxes} cents, found ${total}`)
    }
    if (taxes !== tax) this.report('TAX_WRONG', number, `expected ${taxes} cents, found ${tax}`)
    for (const one of refersTo) {
      if (!this.issued.has(one)) {
        this.report('REFERENCE_UNKNOWN', number, `expected ${quote(one)} before`)
      }
    }
  }

  private cancel({ number }: Read): void {
    if (!this.issued.has(number)) this.report('CANCEL_UNKNOWN', number, 'expected it before')
    if (this.cancelled.has(number)) this.report('CANCEL_TWICE', number, 'expected one')
    this.cancelled.add(number)
  }
}
