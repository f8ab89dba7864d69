// Files whose lines leave in pieces, however large the pages are that are read for them.
import { type CsvForm, csvLines } from '../../lib/csv.js'
import { each } from './receipt-range.js'

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
  yield* inPieces(linesIn(pages, linesOf), PIECE_CHARACTERS)
}

async function* linesIn<T>(pages: AsyncIterable<T[]>, linesOf: (read: T) => string) {
  for await (const read of each(pages)) yield linesOf(read)
}

/** The same text in pieces that leave when they have about so many characters. */
export async function* inPieces(
  parts: AsyncIterable<string>,
  characters: number,
): AsyncGenerator<string, void, undefined> {
  let piece = ''
  for await (const part of parts) {
    piece += part
    if (piece.length < characters) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}
