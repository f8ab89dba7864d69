// The independent verifier of SAF-T (PT) files: written from the law, it shares no code with what
// signs and exports.
import { CENT, centsText as shown, size } from '../amount.js'
import { moduloEleven } from '../check-digits.js'
import type { ReadPart } from '../contract.js'
import { derOf, givenTexts } from '../given.js'
import { quote } from '../text.js'
import { textsOf } from '../windows-1252.js'
import { elementsIn, millionths, namedIn, type PlainNode, textOf } from '../xml-elements.js'
import { type Document, DocumentJudge } from './document.js'
import { Keys } from './keys.js'
import lists from './lists.json' with { type: 'json' }
import { fileKind, type Report } from './rules.js'

export const saftFile = fileKind({
  name: 'SAF-T (PT)',
  recognises: /<AuditFile.*urn:OECD:StandardAuditFile-Tax:PT_/s,
  counted: { documents: 0, signaturesVerified: 0, keys: 'none' },
  async judge(read, { report, counted, options }) {
    const given = [...(options.key?.split(',') ?? []), ...givenTexts(options.certificates)]
    const keys = new Keys(given.map(derOf))
    const file = new File(report, keys)
    try {
      for await (const { table, node } of elementsOf(read)) file.take(table, node)
      file.end()
      // what is referred to may stand before or behind: the file is read once more for it
      if (file.claims.size > 0) {
        for await (const { node } of elementsOf(read)) file.compare(node)
        file.judgeClaims()
      }
    } finally {
      const { documents } = file
      Object.assign(counted, { documents, signaturesVerified: keys.verified, keys: keys.origin })
    }
  },
})

const elementsOf = (read: ReadPart) => elementsIn(textsOf(read), lists.file)

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

const masters = new Map(Object.entries(lists.masters))
const numbers = new Map(Object.values(lists.tables).map((one) => [one.element, one.number]))

class File {
  private readonly report: Report
  private readonly keys: Keys
  private readonly judge: DocumentJudge
  /** Master data: by what is found without them, and what documents name of them. */
  private readonly known = new Set<string>()
  private readonly controls = new Map<string, Control>()
  readonly claims = new Map<string, Claim>()
  documents = 0

  constructor(report: Report, keys: Keys) {
    this.report = report
    this.keys = keys
    this.judge = new DocumentJudge(report, keys)
  }

  take(table: string, node: PlainNode): void {
    const master = masters.get(node.name)
    if (node.name === 'Header') this.header(node)
    else if (master !== undefined) this.known.add(`${master.missing} ${keyOf(node, master)}`)
    else if (numbers.has(node.name)) this.document(table, node)
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
    this.refer('CUSTOMER_UNKNOWN', one.number, one.customer)
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
      this.refer('PRODUCT_UNKNOWN', number, textOf(line, 'ProductCode'))
      const [tax] = namedIn(line, 'Tax')
      if (tax) this.refer('TAX_UNKNOWN', number, keyOf(tax, lists.masters.TaxTableEntry))
    }
  }

  private refer(code: Parameters<Report>[0], number: string, key: string): void {
    if (!this.known.has(`${code} ${key}`)) this.report(code, number, `found ${quote(key)}`)
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

  compare(node: PlainNode): void {
    const claim = this.claims.get(textOf(node, numbers.get(node.name) ?? ''))
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

const keyOf = (node: PlainNode, { members }: { members: readonly string[] }): string =>
  members.map((name) => textOf(node, name)).join(' ')

function isNif(text: string): boolean {
  const check = 11 - moduloEleven(text, [9, 8, 7, 6, 5, 4, 3, 2])
  return /^[1-35-9]\d{8}$/.test(text) && text[8] === String(check > 9 ? 0 : check)
}
