// The independent verifier of SAF-T (PT) files: written from the law, it shares no code with what
// signs and exports.
import type { FileVerifier, VerifyOptions } from '../contract.js'
import { derOf, givenTexts } from '../given.js'
import { quote } from '../text.js'
import { BrokenXml } from '../xml.js'
import { millionths, namedIn, type PlainNode, textOf } from '../xml-elements.js'
import { type Document, DocumentJudge } from './document.js'
import { elementsOf } from './elements.js'
import { Keys } from './keys.js'
import { contentCodes, notices, type Report } from './rules.js'

export const saftFile: FileVerifier = {
  name: 'SAF-T (PT)',
  recognises: ({ head }) =>
    head.toString('latin1').includes('<AuditFile') &&
    head.toString('latin1').includes('urn:OECD:StandardAuditFile-Tax:PT_'),
  contentCodes,
  takes: new Set(),
  async verify(read, options, sink) {
    const report: Report = (code, receipt, text) =>
      sink.add(notices.has(code) ? { code, receipt, text, notice: true } : { code, receipt, text })
    const file = new File(report, options)
    try {
      for await (const { table, node } of elementsOf(read)) file.take(table, node)
      file.end()
      if (file.hasReferences) {
        for await (const { table, node } of elementsOf(read)) file.compare(table, node)
        file.judgeReferences()
      }
    } catch (error) {
      if (!(error instanceof BrokenXml)) throw error
      report('XML_FORM', '', `expected well-formed XML, found ${quote(error.message)}`)
    }
    return file.summary()
  },
}

interface Control {
  entries: string
  debit: string
  credit: string
  found: { entries: number; debit: bigint; credit: bigint }
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
  /** What documents that are referred to were credited and paid. */
  private readonly credits = new Map<string, bigint>()
  private readonly payments = new Map<string, bigint>()
  private readonly known = new Map<string, { gross: bigint; status: string }>()
  private documents = 0

  constructor(report: Report, { key, certificates }: VerifyOptions) {
    this.report = report
    const given = [...(key?.split(',') ?? []), ...givenTexts(certificates)]
    this.keys = new Keys(given.map(derOf))
    this.judge = new DocumentJudge(report, this.keys)
  }

  take(table: string, node: PlainNode): void {
    if (node.name === 'Header') this.header(node)
    else if (node.name === 'Customer') this.customers.add(textOf(node, 'CustomerID'))
    else if (node.name === 'Product') this.products.add(textOf(node, 'ProductCode'))
    else if (node.name === 'TaxTableEntry') this.taxes.add(taxOf(node))
    else if (node.name in NUMBERS) this.document(table, node)
    else this.control(table, node)
  }

  private header(node: PlainNode): void {
    const nif = textOf(node, 'TaxRegistrationNumber')
    if (!isNif(nif)) this.report('ISSUER_NIF', '', `expected a tax number, found ${quote(nif)}`)
    this.keys.tell(textOf(node, 'HeaderComment'))
  }

  private controlOf(table: string): Control {
    const found = this.controls.get(table) ?? {
      ...{ entries: '', debit: '', credit: '' },
      found: { entries: 0, debit: 0n, credit: 0n },
    }
    this.controls.set(table, found)
    return found
  }

  private control(table: string, { name, text }: PlainNode): void {
    const control = this.controlOf(table)
    if (name === 'NumberOfEntries') control.entries = text
    else if (name === 'TotalDebit') control.debit = text
    else control.credit = text
  }

  private document(table: string, node: PlainNode): void {
    this.documents += 1
    const one = this.judge.read(table, node)
    const { found } = this.controlOf(table)
    found.entries += 1
    if (one.status !== 'A') {
      const isDebit = one.type === 'NC'
      found.debit += isDebit ? one.counted : 0n
      found.credit += isDebit ? 0n : one.counted
      this.refer(one)
    }
    if (!this.customers.has(one.customer)) {
      this.report('CUSTOMER_UNKNOWN', one.number, `found ${quote(one.customer)}`)
    }
    if (table !== 'Payments') this.lines(one, node)
  }

  private refer({ type, references, gross }: Document): void {
    const [first] = references
    if (first === undefined) return
    if (type === 'NC') this.credits.set(first, (this.credits.get(first) ?? 0n) + gross)
    if (type === 'RG') this.payments.set(first, (this.payments.get(first) ?? 0n) + gross)
  }

  private lines({ number }: Document, node: PlainNode): void {
    for (const line of namedIn(node, 'Line')) {
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
    for (const [table, { entries, debit, credit, found }] of this.controls) {
      if (entries !== String(found.entries)) {
        this.report('COUNT_WRONG', '', `${table}: ${quote(entries)}, found ${found.entries}`)
      }
      for (const [name, text, sum] of [
        ['TotalDebit', debit, found.debit],
        ['TotalCredit', credit, found.credit],
      ] as const) {
        if (isNear(millionths(text), sum)) continue
        this.report('TOTAL_WRONG', '', `${table}: ${name} ${quote(text)}, found ${shown(sum)}`)
      }
    }
    this.judge.end()
  }

  get hasReferences(): boolean {
    return this.credits.size + this.payments.size > 0
  }

  compare(_table: string, node: PlainNode): void {
    const name: string | undefined = Reflect.get(NUMBERS, node.name)
    const number = name === undefined ? '' : textOf(node, name)
    if (!this.credits.has(number) && !this.payments.has(number)) return
    const gross = millionths(textOf(node, 'DocumentTotals', 'GrossTotal')) ?? 0n
    this.known.set(number, { gross, status: textOf(node, 'DocumentStatus', 'InvoiceStatus') })
  }

  judgeReferences(): void {
    for (const [number, { gross, status }] of this.known) {
      const credited = this.credits.get(number) ?? 0n
      const paid = this.payments.get(number) ?? 0n
      if (status === 'A' && credited > 0n) {
        this.report('CREDIT_OF_VOIDED', number, 'it is annulled and credited')
      }
      if (credited > gross) {
        this.report('CREDIT_EXCEEDS', number, `${shown(credited)} of ${shown(gross)}`)
      } else if (credited + paid > gross) {
        this.report('PAYMENT_EXCEEDS', number, `${shown(paid)} of ${shown(gross - credited)}`)
      }
    }
  }

  summary(): object {
    const { documents, keys } = this
    return { documents, signaturesVerified: keys.verified, keys: keys.origin }
  }
}

function taxOf(node: PlainNode): string {
  const names = ['TaxType', 'TaxCountryRegion', 'TaxCode', 'TaxPercentage']
  return names.map((name) => textOf(node, name)).join(' ')
}

const CENT = 10_000n

function isNear(one: bigint | undefined, other: bigint): boolean {
  if (one === undefined) return false
  const difference = one > other ? one - other : other - one
  return difference <= CENT
}

function shown(amount: bigint): string {
  const cents = (amount + CENT / 2n) / CENT
  return `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`
}

const MODULUS = 11

function isNif(text: string): boolean {
  if (!/^[1-35-9]\d{8}$/.test(text)) return false
  const digits = [...text].map(Number)
  const sum = digits.slice(0, 8).reduce((all, digit, at) => all + digit * (9 - at), 0)
  const rest = sum % MODULUS
  return digits[8] === (rest < 2 ? 0 : MODULUS - rest)
}
