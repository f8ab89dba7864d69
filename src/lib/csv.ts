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

/** Cells that are the same in every form; of the others the library decides, which costs more. */
const PLAIN: Readonly<Record<string, RegExp>> = {
  ';': /^(?:[^\s=+\-@";](?:[^";\r\n\uFEFF]*[^\s";])?)?$/,
  ',': /^(?:[^\s=+\-@",](?:[^",\r\n\uFEFF]*[^\s",])?)?$/,
}

/**
 * Complete lines for these rows, ended by CRLF. A cell that would run gets an apostrophe first, but
 * in the exact form.
 */
export function csvLines(rows: readonly (readonly string[])[], form: CsvForm = {}): string {
  let text = ''
  for (const row of rows) text += `${csvCells(row, form)}\r\n`
  return text
}

/** The same of a line or of a part of it, without its end. */
export function csvCells(cells: readonly string[], form: CsvForm = {}): string {
  const { delimiter = ';', quoted, exact = false } = form
  const plain = PLAIN[delimiter]
  let text = ''
  for (let at = 0; at < cells.length; at += 1) {
    const cell = cells[at] ?? ''
    if (at > 0) text += delimiter
    const isQuoted = quoted?.[at] === true
    if (isQuoted && exact) text += `"${cell.replaceAll('"', '""')}"`
    else if (!isQuoted && plain?.test(cell)) text += cell
    else text += byLibrary(cell, { delimiter, quotes: isQuoted, exact })
  }
  return text
}

function byLibrary(
  cell: string,
  { delimiter, quotes, exact }: { delimiter: string; quotes: boolean; exact: boolean },
): string {
  const safety = exact ? {} : { escapeFormulae: FORMULA }
  return papaparse.unparse([[cell]], { delimiter, newline: '\r\n', quotes, ...safety })
}
