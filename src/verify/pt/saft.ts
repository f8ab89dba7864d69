// The independent verifier of SAF-T (PT) files: written from the law, it shares no code with what
// signs and exports.
import { CENT, centsText as shown, size } from '../amount.js'
import type { FileVerifier } from '../contract.js'
import { derOf, givenTexts } from '../given.js'
import { judged } from '../reporter.js'
import { quote } from '../text.js'
import { BrokenXml } from '../xml.js'
import { millionths, namedIn, type PlainNode, textOf } from '../xml-elements.js'
import { type Document, DocumentJudge } from './document.js'
import { elementsOf } from './elements.js'
import { Keys } from './keys.js'
import { contentCodes, notices, type Report, type RuleCode } from './rules.js'

export const saftFile: FileVerifier = {
  name: 'SAF-T (PT)',
  recognises: ({ head }) =>
    head.toString('latin1').includes('<AuditFile') &&
    head.toString('latin1').includes('urn:OECD:StandardAuditFile-Tax:PT_'),
  contentCodes,
  takes: new Set(),
  verify: (read, options, sink) => {
    const keys = new Keys(
      [...(options.key?.split(',') ?? []), ...givenTexts(options.certificates)].map(derOf),
    )
    const counted = { documents: 0, signaturesVerified: 0, keys: keys.origin }
    return judged<RuleCode, typeof counted>({ sink, notices }, counted, async (report) => {
      const file = new File(report, keys)
      try {
        for await (const { table, node } of elementsOf(read)) file.take(table, node)
        file.end()
        // what is referred to may stand before or behind: the file is read once more for it
        if (file.hasClaims) {
          for await (const { node } of elementsOf(read)) file.compare(node)
          file.judgeClaims()
        }
      } catch (error) {
        if (!(error instanceof BrokenXml)) throw error
        report('XML_FORM', '', `expected well-formed XML, found ${quote(error.message)}`)
      }
      const { documents } = file
      Object.assign(counted, { documents, signaturesVerified: keys.verified, keys: keys.origin })
    })
  },
}

/** What a table says of itself, and what is in it. */
interface Control {
  told: Record<string, string>
  entries: number
  found: { TotalDebit: bigint; TotalCredit: bigint }
}

/** Credit notes and receipts of payment of a document, and what it is, where it is in the file. */
interface Claim {
  NC: bigint
  RG: bigint
  of?: { gross: bigint; status: string }
}

const NUMBERS = { Invoice: 'InvoiceNo', WorkDocument: 'DocumentNumber', Payment: 'PaymentRefNo' }

class File {
  private readonly report: Report
  private readonly keys: Keys
  private readonly judge: DocumentJudge
  private readonly customers = new Set<string>()
  private readonly products = new Set<string>()
  private readonly taxes = new Set<string>()
  private readonly controls = new Map<string, Control>()
  private readonly claims = new Map<string, Claim>()
  documents = 0

  constructor(report: Report, keys: Keys) {
    this.report = report
    this.keys = keys
    this.judge = new DocumentJudge(report, keys)
  }

  take(table: string, node: PlainNode): void {
    if (node.name === 'Header') this.header(node)
    else if (node.name === 'Customer') this.customers.add(textOf(node, 'CustomerID'))
    else if (node.name === 'Product') this.products.add(textOf(node, 'ProductCode'))
    else if (node.name === 'TaxTableEntry') this.taxes.add(taxOf(node))
    else if (node.name in NUMBERS) this.document(table, node)
    else this.controlOf(table).told[node.name] = node.text
  }

  private header(node: PlainNode): void {
    const nif = textOf(node, 'TaxRegistrationNumber')
    if (!isNif(nif)) this.report('ISSUER_NIF', '', `expected a tax number, found ${quote(nif)}`)
    this.keys.tell(textOf(node, 'HeaderComment'))
  }

  private controlOf(table: string): Control {
    const none = { told: {}, entries: 0, found: { TotalDebit: 0n, TotalCredit: 0n } }
    const control = this.controls.get(table) ?? none
    this.controls.set(table, control)
    return control
  }

  private document(table: string, node: PlainNode): void {
    this.documents += 1
    const one = this.judge.read(table, node)
    const control = this.controlOf(table)
    control.entries += 1
    if (one.status !== 'A') {
      control.found[one.type === 'NC' ? 'TotalDebit' : 'TotalCredit'] += one.counted
      this.claim(one)
    }
    if (!this.customers.has(one.customer)) {
      this.report('CUSTOMER_UNKNOWN', one.number, `found ${quote(one.customer)}`)
    }
    if (!one.isPayment) this.lines(one)
  }

  private claim({ type, references, gross }: Document): void {
    const [first] = references
    if (first === undefined || (type !== 'NC' && type !== 'RG')) return
    const claim = this.claims.get(first) ?? { NC: 0n, RG: 0n }
    claim[type] += gross
    this.claims.set(first, claim)
  }

  private lines({ number, lines }: Document): void {
    for (const line of lines) {
      const code = textOf(line, 'ProductCode')
      if (!this.products.has(code)) this.report('PRODUCT_UNKNOWN', number, `found ${quote(code)}`)
      const [tax] = namedIn(line, 'Tax')
      if (tax !== undefined && !this.taxes.has(taxOf(tax))) {
        this.report('TAX_UNKNOWN', number, `found ${quote(taxOf(tax))}`)
      }
    }
  }

  end(): void {
    if (this.documents === 0) this.report('EMPTY', '', 'expected documents, found none')
    for (const [table, { told, entries, found }] of this.controls) {
      const { NumberOfEntries: number = '' } = told
      if (number !== String(entries)) {
        this.report('COUNT_WRONG', '', `${table}: ${quote(number)}, found ${entries}`)
      }
      for (const [name, sum] of Object.entries(found)) {
        const text = told[name] ?? ''
        const value = millionths(text)
        if (value !== undefined && size(value - sum) <= CENT) continue
        this.report('TOTAL_WRONG', '', `${table}: ${name} ${quote(text)}, found ${shown(sum)}`)
      }
    }
    this.judge.end()
  }

  get hasClaims(): boolean {
    return this.claims.size > 0
  }

  compare(node: PlainNode): void {
    const name: string | undefined = Reflect.get(NUMBERS, node.name)
    const claim = name === undefined ? undefined : this.claims.get(textOf(node, name))
    if (claim === undefined) return
    const gross = millionths(textOf(node, 'DocumentTotals', 'GrossTotal')) ?? 0n
    claim.of = { gross, status: textOf(node, 'DocumentStatus', 'InvoiceStatus') }
  }

  judgeClaims(): void {
    for (const [number, { NC: credited, RG: paid, of }] of this.claims) {
      if (of === undefined) continue
      if (of.status === 'A' && credited > 0n) {
        this.report('CREDIT_OF_VOIDED', number, 'it is annulled and credited')
      }
      if (credited > of.gross) {
        this.report('CREDIT_EXCEEDS', number, `${shown(credited)} of ${shown(of.gross)}`)
      } else if (credited + paid > of.gross) {
        this.report('PAYMENT_EXCEEDS', number, `${shown(paid)} of ${shown(of.gross - credited)}`)
      }
    }
  }
}

function taxOf(node: PlainNode): string {
  const names = ['TaxType', 'TaxCountryRegion', 'TaxCode', 'TaxPercentage']
  return names.map((name) => textOf(node, name)).join(' ')
}

function isNif(text: string): boolean {
  if (!/^[1-35-9]\d{8}$/.test(text)) return false
  const digits = [...text].map(Number)
  const sum = digits.slice(0, 8).reduce((all, digit, at) => all + digit * (9 - at), 0)
  const check = 11 - (sum % 11)
  return digits[8] === (check > 9 ? 0 : check)
}
