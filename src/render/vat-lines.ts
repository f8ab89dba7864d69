// The VAT table of a printed receipt.
import { cellsOf } from './cells.js'
import { type Cell, type Line, type Medium, pairLines } from './layout-lines.js'
import type { ReceiptView } from './view.js'

type Row = readonly string[]

/** Columns of equal width where everything fits; else each number under its name. */
export function vatLines({ vat, words }: ReceiptView, { columns, shown }: Medium): Line[] {
  if (vat.length === 0) return []
  const head: Row = [words.rate, words.net, words.tax, words.gross].map(shown)
  const rows: Row[] = vat.map(({ letter, rate, net, tax, gross }) =>
    [`${letter} ${rate}`, net, tax, gross].map(shown),
  )
  const widths = widthsOf([head, ...rows], columns)
  if (widths !== undefined) return [head, ...rows].map((row) => tableLine(row, widths))
  return rows.flatMap((row) =>
    row.flatMap((right, at) => pairLines({ left: head[at] ?? '', right, columns })),
  )
}

/** Of each column; undefined when they do not fit beside each other. */
function widthsOf(rows: readonly Row[], columns: number): number[] | undefined {
  const needed = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => cellsOf(row[at] ?? '') + (at === 0 ? 0 : 1))),
  )
  const even = Math.floor(columns / needed.length)
  if (needed.every((width) => width <= even)) return needed.map(() => even)
  const spare = columns - needed.reduce((sum, width) => sum + width, 0)
  if (spare < 0) return undefined
  return needed.map((width, at) => (at === 0 ? width + spare : width))
}

function tableLine(row: Row, widths: readonly number[]): Line {
  let start = 0
  const cells = widths.map((width, at): Cell => {
    const cell: Cell = { text: row[at] ?? '', start, width, align: at === 0 ? 'left' : 'right' }
    start += width
    return cell
  })
  return { kind: 'text', style: 'plain', cells }
}
