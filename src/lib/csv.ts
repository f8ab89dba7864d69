// Tables for people and their spreadsheets: semicolon, CRLF, RFC 4180 quotes, no live formulas.
import papaparse from 'papaparse'

/** Byte order mark: spreadsheets then read the file as UTF-8. Stands once, before the first row. */
export const CSV_START = '\uFEFF'

// What a spreadsheet would run as a formula; a plain number (`-12,00`, `+3`) is none, nor is a
// SHA-256 in Base64 or Base64url: those are compared with other files.
const FORMULA = /^(?![+-]?\d+(?:[.,]\d+)?$|[+-][\w+/-]{42}=?$)[=+\-@\t\r\n]/

export interface CsvForm {
  /** `;` unless told. */
  delimiter?: string
  /** Columns that have quotes around every value; the others where they are needed. */
  quoted?: readonly boolean[]
  /** Cells stay as they are, for programs that compare them. */
  exact?: boolean
}

/** Of a file that programs compare with what was signed: nothing is put in front of a value. */
export const EXACT: CsvForm = { delimiter: ',', exact: true }

/**
 * Complete lines for these rows, ended by CRLF. A cell that would run gets an apostrophe first, but
 * in the exact form.
 */
export function csvLines(
  rows: readonly (readonly string[])[],
  { delimiter = ';', quoted, exact = false }: CsvForm = {},
): string {
  if (rows.length === 0) return ''
  const cells = rows as string[][]
  const text = papaparse.unparse(cells, {
    delimiter,
    newline: '\r\n',
    header: false,
    ...(quoted === undefined ? {} : { quotes: [...quoted] }),
    ...(exact ? {} : { escapeFormulae: FORMULA }),
  })
  return `${text}\r\n`
}
