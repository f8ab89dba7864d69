// The lines of one receipt with their VAT.

import { quote } from '../text.js'
import { absolute, CENT, isNear, ONE, plainOf } from './amounts.js'
import type { Bon } from './bons.js'
import { addSums, type Closings, type Sums } from './closings.js'
import type { DsfinvkCode } from './dsfinvk-rules.js'
import type { Row } from './table-reader.js'

export interface LineSums {
  /** Gross, net, VAT of all lines by UST_SCHLUESSEL. */
  byKey: Map<string, Sums>
}

const HUNDRED_PERCENT = 100n * ONE
const VAT_KEY = { column: 'UST_SCHLUESSEL', code: 'VAT_UNKNOWN', file: 'vat.csv' } as const

/** Undefined when a table of lines cannot be read. */
export function judgeLines(bon: Bon, closings: Closings): LineSums | undefined {
  const lines = bon.rows('lines.csv')
  const vatRows = bon.rows('lines_vat.csv')
  if (lines === undefined || vatRows === undefined) return undefined
  const numbers = new Set<string>()
  for (const line of lines) judgeLine(line, { bon, closings, numbers })
  const sums: LineSums = { byKey: new Map() }
  const gross = new Map<string, bigint>()
  for (const row of vatRows) {
    closings.mustHave(row, LINE_KEY, numbers)
    closings.mustHave(row, VAT_KEY, bon.closing.rates)
    const amounts = amountsOf(row)
    if (amounts === undefined) {
      closings.add(
        'FIELD_MANDATORY',
        row,
        'expected POS_BRUTTO, or POS_NETTO and POS_UST, found none',
      )
      continue
    }
    judgeAmounts(row, { amounts, bon, closings })
    addSums(sums.byKey, row.get('UST_SCHLUESSEL'), amounts)
    const line = row.get('POS_ZEILE')
    gross.set(line, (gross.get(line) ?? 0n) + amounts[0])
  }
  for (const line of lines) judgePrice(line, gross.get(line.get('POS_ZEILE')), closings)
  for (const file of ['itemamounts.csv', 'subitems.csv'] as const) {
    for (const row of bon.rows(file) ?? []) {
      closings.mustHave(row, LINE_KEY, numbers)
      const column = file === 'subitems.csv' ? 'ZI_UST_SCHLUESSEL' : 'UST_SCHLUESSEL'
      closings.mustHave(row, { ...VAT_KEY, column }, bon.closing.rates)
    }
  }
  return sums
}

const LINE_KEY = { column: 'POS_ZEILE', code: 'LINE_UNKNOWN', file: 'lines.csv' } as const
const AGENCY = { column: 'AGENTUR_ID', code: 'AGENCY_UNKNOWN', file: 'pa.csv' } as const

function judgeLine(
  line: Row,
  { bon, closings, numbers }: { bon: Bon; closings: Closings; numbers: Set<string> },
): void {
  const number = line.get('POS_ZEILE')
  if (numbers.has(number)) {
    closings.add('LINE_DOUBLED', line, `expected POS_ZEILE ${quote(number)} once, found it again`)
  }
  numbers.add(number)
  closings.mustHave(line, AGENCY, bon.closing.agencies)
  if (line.get('POS_TERMINAL_ID') === '') return
  const code: DsfinvkCode = 'LINE_TERMINAL'
  const key = { column: 'POS_TERMINAL_ID', code, file: 'slaves.csv' }
  closings.mustHave(line, key, bon.closing.terminals)
}

/** Gross may be left out, or net and VAT. */
export function amountsOf(row: Row): Sums | undefined {
  const [gross, net, vat] = ['POS_BRUTTO', 'POS_NETTO', 'POS_UST'].map((name) => row.units(name))
  if (gross !== undefined && net !== undefined && vat !== undefined) return [gross, net, vat]
  if (net !== undefined && vat !== undefined) return [net + vat, net, vat]
  if (gross === undefined) return undefined
  return [gross, net ?? gross - (vat ?? 0n), vat ?? gross - (net ?? gross)]
}

function judgeAmounts(
  row: Row,
  { amounts, bon, closings }: { amounts: Sums; bon: Bon; closings: Closings },
): void {
  const [, net, vat] = amounts
  if (row.get('POS_NETTO') === '' || row.get('POS_UST') === '') return
  closings.netPlusVat(row, amounts)
  const key = row.get('UST_SCHLUESSEL')
  const rate = bon.closing.rates.get(key)
  // items without a case have key 7 and the VAT of whatever rate they were sent with
  if (rate === undefined || key === '7') return
  const expected = (net * rate) / HUNDRED_PERCENT
  if (isNear(vat, expected, CENT)) return
  const of = `${plainOf(net)} at ${plainOf(rate)} %`
  const text = `POS_UST: expected ${plainOf(expected)} of ${of}, found ${plainOf(vat)} (5010)`
  closings.add('VAT_AMOUNT', row, text)
}

/** MENGE times STK_BR, divided by FAKTOR, is POS_BRUTTO to the cent. */
function judgePrice(line: Row, gross: bigint | undefined, closings: Closings): void {
  const [quantity, price] = [line.units('MENGE'), line.units('STK_BR')]
  const factor = line.units('FAKTOR') ?? ONE
  if (quantity === undefined || price === undefined || gross === undefined || factor <= 0n) return
  const product = (quantity * price) / factor
  if (isNear(product, gross, CENT)) return
  // MENGE has three decimals, FAKTOR too: what rounding them can make of it
  const rounded = (absolute(price) * HALF_MILLI + absolute(product) * HALF_MILLI) / factor
  const isRounding = isNear(product, gross, CENT + rounded)
  const text = `expected MENGE times STK_BR of ${plainOf(gross)}, found ${plainOf(product)} (5070)`
  closings.add(isRounding ? 'LINE_ROUNDED' : 'LINE_PRICE', line, text)
}

/** 0.0005 in five decimals. */
const HALF_MILLI = 50n
