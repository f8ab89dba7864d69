// Request and response of a receipt on their way into the ledger and out of it: the one place that
// all files of this folder pass.
import { textArray } from '../binary-array.js'

interface Texts {
  readonly request?: string | null
  readonly requestBytes?: Buffer | undefined
  /** A text, or its UTF-8. */
  readonly response?: Buffer | string | null
}

/** A column of texts as a statement takes it; null where an answer is still to come. */
export function keptTexts(name: 'request' | 'response', rows: readonly Texts[]): Buffer {
  return name === 'request'
    ? textArray(rows, ({ request, requestBytes }) => requestBytes ?? request ?? null)
    : textArray(rows, ({ response }) => response ?? null)
}

/** A row with its texts as they were hashed: byte for byte what the ledger holds. */
export function withTexts<Row extends { response: string | null; request?: string | null }>(
  row: Row,
): Row {
  return row
}
