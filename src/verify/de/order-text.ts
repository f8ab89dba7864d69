// processData of an order as the lines of its receipt say it: TSE_VORGANGSDATEN is empty where it
// would hold the CR between them (DSFinV-K Annex I, Bestellung-V1), and what the tables hold of a
// long one.
import { absolute, CENT, ONE } from './amounts.js'
import type { Bon } from './bons.js'
import { readBestellung } from './process-data.js'
import type { Row } from './table-reader.js'

/** `2;"Eisbecher";3.99` and so on; undefined when a line lacks something. */
export function orderText(bon: Bon): string | undefined {
  const [lines, vatRows] = [bon.rows('lines.csv'), bon.rows('lines_vat.csv')]
  if (lines === undefined || vatRows === undefined) return undefined
  const gross = new Map(vatRows.map((row) => [row.get('POS_ZEILE'), row.units('POS_BRUTTO')]))
  const texts = lines.map((line) => lineText(line, gross.get(line.get('POS_ZEILE'))))
  return texts.includes(undefined) ? undefined : texts.join('\r')
}

/** TSE_VORGANGSDATEN ends here. */
export const LONGEST_DATA = 1000
/** ARTIKELTEXT ends here. */
const LONGEST_TEXT = 255
/** The second half of the last sign may lie behind the end. */
const HALF = /[\ud800-\udbff]$/

/** What fits into TSE_VORGANGSDATEN, where CR may have become a blank. */
export function beginningOf(order: string): string {
  const start = order.length > LONGEST_DATA ? [...order].slice(0, LONGEST_DATA).join('') : order
  return start.replaceAll(/[\r\n]/g, ' ')
}

/** The order with its texts as long as lines.csv can hold them, and without outer blanks. */
export function shortened(order: string): string {
  const lines = order.length > LONGEST_TEXT ? readBestellung(order)?.lines : undefined
  return lines === undefined ? order : lines.map(shortLine).join('\r')
}

function shortLine(line: string): string {
  const [from, to] = [line.indexOf('"') + 1, line.lastIndexOf('"')]
  const text = line.slice(from, to).replaceAll('""', '"').trim()
  const short = text.slice(0, LONGEST_TEXT).replace(HALF, '').trimEnd()
  return line.slice(0, from) + short + line.slice(to)
}

function lineText(line: Row, gross: bigint | undefined): string | undefined {
  const quantity = line.units('MENGE')
  if (quantity === undefined || gross === undefined) return undefined
  const text = line.get('ARTIKELTEXT').replaceAll('"', '""')
  return `${plain(quantity)};"${text}";${plain(priceOf(gross, quantity), 2)}`
}

/** What one costs, to the cent, half up. */
function priceOf(gross: bigint, quantity: bigint): bigint {
  const [above, below] = [absolute(gross) * 100n, absolute(quantity)]
  return below === 0n ? 0n : ((above * 2n + below) / (below * 2n)) * CENT
}

/** With a decimal point, and as few decimals as it needs from `least` on. */
function plain(units: bigint, least = 0): string {
  const digits = (absolute(units) % ONE).toString().padStart(DECIMALS, '0')
  const decimals = digits.replace(/0+$/, '').padEnd(least, '0')
  const point = decimals === '' ? '' : '.'
  return `${units < 0n ? '-' : ''}${absolute(units) / ONE}${point}${decimals}`
}

/** Of amounts, see amounts.ts. */
const DECIMALS = 5
