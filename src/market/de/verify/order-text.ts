// processData of an order as the lines of its receipt say it: TSE_VORGANGSDATEN is empty where it
// would hold the CR between them (DSFinV-K Annex I, Bestellung-V1). Called by bon-tse.ts.
import { absolute, CENT, ONE } from './amounts.js'
import type { Bon } from './bons.js'
import type { Row } from './table-reader.js'

/** `2;"Eisbecher";3.99` and so on; undefined when a line lacks something. */
export function orderText(bon: Bon): string | undefined {
  const [lines, vatRows] = [bon.rows('lines.csv'), bon.rows('lines_vat.csv')]
  if (lines === undefined || vatRows === undefined) return undefined
  const gross = new Map(vatRows.map((row) => [row.get('POS_ZEILE'), row.units('POS_BRUTTO')]))
  const texts = lines.map((line) => lineText(line, gross.get(line.get('POS_ZEILE'))))
  return texts.includes(undefined) ? undefined : texts.join('\r')
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
