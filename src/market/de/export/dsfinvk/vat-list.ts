// The VAT keys of DSFinV-K with their rates and names: what an item with a key is taxed at, and the
// rows of vat.csv.
import { Decimal } from '../../../../lib/decimal.js'
import { rounded } from './amounts.js'
import type { Row } from './cells.js'

interface VatEntry {
  /** Undefined: the items say it. */
  rate: Decimal | undefined
  text: string
}

/** Annex I, list of 2024-12-05. */
const VAT_KEYS: Record<number, VatEntry> = {
  1: { rate: Decimal.of('19'), text: 'Allgemeiner Steuersatz' },
  2: { rate: Decimal.of('7'), text: 'Ermäßigter Steuersatz' },
  3: { rate: undefined, text: 'Durchschnittsatz (§ 24 Abs. 1 Nr. 3 UStG)' },
  4: { rate: Decimal.of('5.5'), text: 'Durchschnittsatz (§ 24 Abs. 1 Nr. 1 UStG)' },
  5: { rate: Decimal.ZERO, text: 'Nicht Steuerbar' },
  6: { rate: Decimal.ZERO, text: 'Umsatzsteuerfrei' },
  7: { rate: undefined, text: 'UmsatzsteuerNichtErmittelbar' },
}

/**
 * § 24 (1) no. 3 UStG: 10.7 % until 2021, less from year to year since, 7.8 % from 2025 on. Other
 * rates cannot belong to key 3.
 */
const AVERAGE = { key: 3, above: Decimal.of('5.5'), most: Decimal.of('10.7') }
const AVERAGE_IN_FORCE = Decimal.of('7.8')

/** Not determinable: no rate in vat.csv, though items without a case come with one of their own. */
const UNKNOWN = 7
/** From here on a key is made from the rate: hundredths of a percent above it. */
const INDIVIDUAL = 1000

/**
 * The rate of an item with this key, in percent. The key decides, as it does in processData: a
 * VATRate that does not fit it would contradict vat.csv and what was signed. Items without a case
 * (0000, key 7) have none but their own.
 */
export function rateOf(key: number, sent: Decimal): Decimal {
  if (key >= INDIVIDUAL) return new Decimal(BigInt(key - INDIVIDUAL), 2)
  if (key === UNKNOWN) return sent.isNegative ? Decimal.ZERO : rounded(sent, 2)
  if (key !== AVERAGE.key) return VAT_KEYS[key]?.rate ?? sent
  const fits = sent.minus(AVERAGE.above).isPositive && !sent.minus(AVERAGE.most).isPositive
  return fits ? sent : AVERAGE_IN_FORCE
}

/** `rate`: that of an item with this key. */
export function vatRow(key: number, rate: Decimal): Row<'vat'> {
  const text = VAT_KEYS[key]?.text ?? 'Individueller Steuersatz'
  return { UST_SCHLUESSEL: key, UST_SATZ: key === UNKNOWN ? Decimal.ZERO : rate, UST_BESCHR: text }
}
