// How a cell of DSFinV-K is written (GDPdU description standard): text in quotes, numbers without,
// decimal comma, CRLF.
import { Decimal } from '../../../../lib/decimal.js'
import { rounded } from './amounts.js'
import { type Column, closingColumns, type Table, type TableKey, type tables } from './tables.js'

export const SEPARATOR = ';'
export const QUOTE = '"'
export const LINE_END = '\r\n'

/** A number cell: whole numbers may be doubles, amounts are decimals; null stays empty. */
export type NumberCell = Decimal | number | null

/** A row of one file without the columns that all files share. */
export type Row<K extends TableKey> = {
  [C in (typeof tables)[K]['columns'][number] as C['name']]: C['kind'] extends 'text'
    ? string
    : NumberCell
}

// what cannot stand in a quoted cell as it is
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const UNUSUAL = /["\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff]|^\s|\s$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g

/** Control characters become blanks, outer blanks go, the rest is cut and quoted. */
export function textCell(value: string, max: number): string {
  if (value.length <= max && !UNUSUAL.test(value)) return QUOTE + value + QUOTE
  return quoted(cellText(value, max))
}

export function quoted(value: string): string {
  return QUOTE + value.replaceAll(QUOTE, QUOTE + QUOTE) + QUOTE
}

/** What a reader finds in a text cell. Rows that must differ in such a cell differ in this. */
export function cellText(value: string, max: number): string {
  if (value.length <= max && !UNUSUAL.test(value)) return value
  return cut(value.toWellFormed().replace(CONTROL, ' ').trim(), max).trimEnd()
}

/** First halves of surrogate pairs. */
const FIRST_HIGH = 0xd800
const LAST_HIGH = 0xdbff

/**
 * Counts UTF-16 units, as readers in Java and .NET do; those that count characters find fewer. No
 * half of a pair is left over.
 */
function cut(value: string, max: number): string {
  if (value.length <= max) return value
  const last = value.charCodeAt(max - 1)
  return value.slice(0, last >= FIRST_HIGH && last <= LAST_HIGH ? max - 1 : max)
}

export function numberCell(value: NumberCell, decimals: number): string {
  if (value === null) return ''
  if (typeof value !== 'number') return decimalText(value, decimals)
  if (decimals === 0) return String(value)
  return decimalText(new Decimal(BigInt(value), 0), decimals)
}

function decimalText(value: Decimal, decimals: number): string {
  const text = rounded(value, decimals).toString()
  return decimals === 0 ? text : text.replace('.', ',')
}

/** The common cells: the cash point closing of the rows that follow. */
export function closingText(register: string, moment: string, number: number): string {
  const cells: Record<string, string> = { Z_KASSE_ID: register, Z_ERSTELLUNG: moment }
  return closingColumns
    .map((column) =>
      column.kind === 'text'
        ? textCell(cells[column.name] ?? '', column.max)
        : numberCell(number, column.decimals),
    )
    .join(SEPARATOR)
}

export function headerText(table: Table): string {
  const names = allColumns(table).map(({ name }) => QUOTE + name + QUOTE)
  return names.join(SEPARATOR) + LINE_END
}

export function allColumns(table: Table): readonly Column[] {
  return [...closingColumns, ...table.columns]
}
