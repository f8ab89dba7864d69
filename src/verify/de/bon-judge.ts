// One receipt with all its rows: keys, lines, VAT, payments, references.

import { quote } from '../text.js'
import { CENT, isNear, plainOf, sumOf } from './amounts.js'
import { type BonIndex, keyOf } from './bon-index.js'
import { judgeLines, type LineSums } from './bon-lines.js'
import type { TseJudge } from './bon-tse.js'
import type { Bon } from './bons.js'
import type { ClosingTotals } from './closing-totals.js'
import type { Closings } from './closings.js'
import type { Row } from './table-reader.js'

/** Half a cent, in five decimals. */
const HALF_CENT = CENT / 2n

export interface JudgeTools {
  closings: Closings
  index: BonIndex
  totals: ClosingTotals
  tse: TseJudge
}

export function judgeBon(bon: Bon, tools: JudgeTools): void {
  const { closings } = tools
  const { row, closing } = bon
  if (row.get('TERMINAL_ID') !== '') {
    const key = { column: 'TERMINAL_ID', code: 'TERMINAL_UNKNOWN', file: 'slaves.csv' } as const
    closings.mustHave(row, key, closing.terminals)
  }
  judgeTimes(bon, closings)
  if (row.get('BON_TYP') === 'AVSonstige' && row.get('BON_NAME') === '') {
    closings.add('FIELD_MANDATORY', row, 'BON_NAME: expected a name of an AVSonstige, found none')
  }
  const lines = judgeLines(bon, closings)
  if (lines !== undefined) judgeVat(bon, lines, closings)
  judgePayments(bon, closings)
  judgeReferences(bon, tools)
  tools.tse.judge(bon)
  tools.totals.add(bon)
}

function judgeTimes({ row }: Bon, closings: Closings): void {
  const [start, end] = [Date.parse(row.get('BON_START')), Date.parse(row.get('BON_ENDE'))]
  if (!(start > end)) return
  const text = `expected BON_ENDE not before ${row.get('BON_START')}, found ${row.get('BON_ENDE')}`
  closings.add('BON_TIMES', row, text)
}

function judgeVat(bon: Bon, lines: LineSums, closings: Closings): void {
  const { row } = bon
  const vatRows = bon.rows('transactions_vat.csv')
  if (vatRows !== undefined) judgeVatRows(bon, { lines, vatRows }, closings)
  const turnover = row.units('UMS_BRUTTO')
  const total = sumOf([...lines.byKey.values()].map(([gross]) => gross))
  if (turnover === undefined || isNear(turnover, total, HALF_CENT)) return
  const expected = `${plainOf(total)}, the sum of the lines`
  const text = `UMS_BRUTTO: expected ${expected}, found ${plainOf(turnover)}`
  closings.add('BON_TURNOVER', row, text)
}

function judgeVatRows(
  bon: Bon,
  { lines, vatRows }: { lines: LineSums; vatRows: Row[] },
  closings: Closings,
): void {
  const seen = new Set<string>()
  for (const row of vatRows) {
    const key = row.get('UST_SCHLUESSEL')
    closings.mustHave(row, VAT_KEY, bon.closing.rates)
    if (seen.has(key)) closings.add('BON_VAT_SUMS', row, `expected key ${key} once, found it again`)
    seen.add(key)
    const [gross, net, vat] = [
      row.units('BON_BRUTTO'),
      row.units('BON_NETTO'),
      row.units('BON_UST'),
    ]
    if (gross === undefined || net === undefined || vat === undefined) continue
    closings.netPlusVat(row, [gross, net, vat])
    const [lineGross, , lineVat] = lines.byKey.get(key) ?? [0n, 0n, 0n]
    if (!isNear(gross, lineGross, HALF_CENT) || !isNear(vat, lineVat, HALF_CENT)) {
      const expected = `${plainOf(lineGross)} with VAT ${plainOf(lineVat)}, the sums of the lines`
      const found = `${plainOf(gross)} with VAT ${plainOf(vat)}`
      closings.add('BON_VAT_SUMS', row, `key ${key}: expected ${expected}, found ${found}`)
    }
  }
  for (const key of lines.byKey.keys()) {
    if (seen.has(key)) continue
    const text = `expected a row of key ${key} in transactions_vat.csv, found none`
    closings.add('BON_VAT_SUMS', bon.row, text)
  }
}

const VAT_KEY = { column: 'UST_SCHLUESSEL', code: 'VAT_UNKNOWN', file: 'vat.csv' } as const

function judgePayments(bon: Bon, closings: Closings): void {
  const rows = bon.rows('datapayment.csv')
  const { row, closing } = bon
  if (rows === undefined) return
  for (const payment of rows) {
    const currency = payment.get('ZAHLWAEH_CODE')
    const isForeign = currency !== closing.currency
    if (!isForeign || payment.get('ZAHLWAEH_BETRAG') !== '') continue
    const text = `ZAHLWAEH_BETRAG: expected an amount in ${quote(currency)}, found none`
    closings.add('FIELD_MANDATORY', payment, text)
  }
  if (row.get('BON_TYP') !== 'Beleg') return
  const paid = sumOf(rows.map((payment) => payment.units('BASISWAEH_BETRAG') ?? 0n))
  const turnover = row.units('UMS_BRUTTO') ?? 0n
  if (paid === turnover) return
  const text = `expected payments of ${plainOf(turnover)}, found ${plainOf(paid)} (5035)`
  closings.add('BON_PAYMENTS', row, text)
}

function judgeReferences(bon: Bon, { closings, index }: JudgeTools): void {
  const rows = bon.rows('references.csv')
  if (rows === undefined) return
  for (const row of rows) judgeReference(row, { closings, index })
  if (bon.row.get('BON_STORNO') !== '1' || rows.length > 0) return
  const text = 'expected a row in references.csv for a void, found none (5290)'
  closings.add('VOID_UNREFERENCED', bon.row, text)
}

function judgeReference(
  row: Row,
  { closings, index }: { closings: Closings; index: BonIndex },
): void {
  const [kasse, number] = [row.get('REF_Z_KASSE_ID'), row.get('REF_Z_NR')]
  if (row.get('REF_TYP') !== 'Transaktion' || !closings.all.has(`${kasse}\n${number}`)) return
  const id = row.get('REF_BON_ID')
  if (index.find(keyOf(kasse, number, id)) > 0) return
  const text = `expected a receipt of Z_NR ${number} as REF_BON_ID, found ${quote(id)}`
  closings.add('REFERENCE_UNKNOWN', row, text)
}
