// Request and response of a receipt on their way into the ledger and out of it: the one place that
// all files of this folder pass.
import { textArray } from '../binary-array.js'

/** A column of texts as a statement takes it; null where an answer is still to come. */
export function keptTexts<Name extends 'request' | 'response'>(
  name: Name,
  rows: readonly Readonly<Record<Name, string | null>>[],
): Buffer {
  return textArray(rows.map((row) => row[name]))
}

/** A row with its texts as they were hashed: byte for byte what the ledger holds. */
export function withTexts<Row extends { response: string | null; request?: string | null }>(
  row: Row,
): Row {
  return row
}
