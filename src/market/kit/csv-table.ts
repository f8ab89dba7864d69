// A table as a file: its lines leave in pieces, however large the pages are that are read for it.
import { type CsvForm, csvLines } from '../../lib/csv.js'
import { each } from './receipt-range.js'

/** Pieces leave when they have about this many characters. */
const PIECE_CHARACTERS = 16_384

interface CsvTable<T> {
  columns: readonly string[]
  /** Complete lines, none or several, of what was read. */
  linesOf(read: T): string
  /** Of the names of the columns; the lines have theirs already. */
  form?: CsvForm
  /** Before the names of the columns. */
  start?: string
}

export async function* csvTable<T>(
  pages: AsyncIterable<T[]>,
  { columns, linesOf, form, start = '' }: CsvTable<T>,
): AsyncGenerator<string, void, undefined> {
  yield start + csvLines([columns], form)
  let piece = ''
  for await (const read of each(pages)) {
    piece += linesOf(read)
    if (piece.length < PIECE_CHARACTERS) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}
