// What the lines of a document say, and what its summary makes of them.
import { centsOf, type Part, partOf, partsOf, textOf } from './documents.js'
import type { Report } from './rules.js'

/** Rates of vatCategory 1 to 6, 9 and 10, in percent. */
const RATES: Readonly<Record<string, bigint>> = {
  ...{ 1: 24n, 2: 13n, 3: 6n, 4: 17n, 5: 9n, 6: 4n, 9: 3n, 10: 4n },
}

const sumOf = (parts: readonly Part[], name: string): bigint =>
  parts.reduce((sum, one) => sum + centsOf(one, name), 0n)

export class Lines {
  private readonly report: Report
  private readonly name: string
  private readonly rows: readonly Part[]
  private readonly summary: Part | undefined
  private readonly taxes: readonly Part[]

  constructor(report: Report, name: string, document: Part) {
    this.report = report
    this.name = name
    this.rows = partsOf(document, 'invoiceDetails')
    this.summary = partOf(document, 'invoiceSummary')
    this.taxes = partsOf(partOf(document, 'taxesTotals'), 'taxes')
  }

  check(): void {
    const numbers = this.rows.map((row) => textOf(row, 'lineNumber'))
    if (new Set(numbers).size < numbers.length) {
      this.report('LINE_TWICE', this.name, `expected numbers of their own, found ${numbers}`)
    }
    for (const row of this.rows) this.row(row)
    this.classified()
    this.sums()
  }

  private row(row: Part): void {
    const { report, name } = this
    const [line, category] = [textOf(row, 'lineNumber'), textOf(row, 'vatCategory')]
    const [net, vat] = [centsOf(row, 'netValue'), centsOf(row, 'vatAmount')]
    if ((category === '7') !== (textOf(row, 'vatExemptionCategory') !== '')) {
      report('EXEMPTION_MISSING', name, `line ${line}: category ${category}`)
    }
    const rate = RATES[category]
    if (rate === undefined && vat !== 0n) {
      report('EXEMPT_TAXED', name, `line ${line}: expected no VAT, found ${vat} cents`)
    }
    const off = rate === undefined ? 0n : net * rate - vat * 100n
    if (off > 100n || off < -100n) {
      report('VAT_WRONG', name, `line ${line}: expected ${rate} % of ${net} cents, found ${vat}`)
    }
    const told = partsOf(row, 'incomeClassification')
    if (told.length > 0 && sumOf(told, 'amount') !== net) {
      report('CLASSIFICATION_SUM', name, `line ${line}: expected ${net} cents`)
    }
  }

  private classified(): void {
    const sumsOf = (parts: readonly Part[]): string => {
      const sums = new Map<string, bigint>()
      for (const one of parts.flatMap((part) => partsOf(part, 'incomeClassification'))) {
        const key = textOf(one, 'classificationCategory') + textOf(one, 'classificationType')
        sums.set(key, (sums.get(key) ?? 0n) + centsOf(one, 'amount'))
      }
      return [...sums].sort().join(' ')
    }
    const [rows, told] = [sumsOf(this.rows), sumsOf(this.summary ? [this.summary] : [])]
    if (rows === told) return
    this.report('CLASSIFICATION_SUMMARY', this.name, `expected ${rows}, found ${told}`)
  }

  private sums(): void {
    const total = (part: string) => centsOf(this.summary, `total${part}`)
    const taxed = (type: string) =>
      sumOf(
        this.taxes.filter((one) => textOf(one, 'taxType') === type),
        'taxAmount',
      )
    for (const [part, sum] of [
      ['NetValue', sumOf(this.rows, 'netValue')],
      ['VatAmount', sumOf(this.rows, 'vatAmount')],
      ['WithheldAmount', taxed('1') + sumOf(this.rows, 'withheldAmount')],
      ['FeesAmount', taxed('2') + sumOf(this.rows, 'feesAmount')],
      ['OtherTaxesAmount', taxed('3') + sumOf(this.rows, 'otherTaxesAmount')],
      ['StampDutyAmount', taxed('4') + sumOf(this.rows, 'stampDutyAmount')],
      ['DeductionsAmount', taxed('5') + sumOf(this.rows, 'deductionsAmount')],
    ] as const) {
      if (total(part) === sum) continue
      this.report('SUMS_WRONG', this.name, `${part}: expected ${sum} cents, found ${total(part)}`)
    }
    const added = ['NetValue', 'VatAmount', 'FeesAmount', 'StampDutyAmount', 'OtherTaxesAmount']
    const taken = ['WithheldAmount', 'DeductionsAmount']
    const gross =
      added.reduce((sum, part) => sum + total(part), 0n) -
      taken.reduce((sum, part) => sum + total(part), 0n)
    if (gross === total('GrossValue')) return
    this.report('TOTAL_WRONG', this.name, `expected ${gross} cents, found ${total('GrossValue')}`)
  }
}
