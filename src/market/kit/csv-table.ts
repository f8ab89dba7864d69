// A table as a file: its rows leave in pieces, however large the pages are that are read for it.
import { type CsvForm, csvLines } from '../../lib/csv.js'
import { each } from './receipt-range.js'

/** Rows that become one piece. */
const PIECE_ROWS = 256

interface CsvTable<T> {
  columns: readonly string[]
  /** None, one, or several of what was read. */
  rowsOf(read: T): readonly string[][]
  form?: CsvForm
  /** Before the names of the columns. */
  start?: string
}

export async function* csvTable<T>(
  pages: AsyncIterable<T[]>,
  { columns, rowsOf, form, start = '' }: CsvTable<T>,
): AsyncGenerator<string, void, undefined> {
  yield start + csvLines([columns], form)
  let rows: string[][] = []
  for await (const read of each(pages)) {
    rows.push(...rowsOf(read))
    if (rows.length < PIECE_ROWS) continue
    yield csvLines(rows, form)
    rows = []
  }
  if (rows.length > 0) yield csvLines(rows, form)
}
