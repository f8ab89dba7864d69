// A receipt as plain text of a fixed number of columns.
import { cellsOf } from './cells.js'
import { type Layout, layoutOf, linesOf } from './layout.js'
import type { Cell, Line, Medium } from './layout-lines.js'
import type { ReceiptView } from './view.js'

/** UTF-8 text with line feeds; no line is longer than `columns`, no character is a command. */
export function textReceipt(view: ReceiptView, columns: number): string {
  return plainLayout(layoutOf(view, textMedium(columns)))
}

/** A code cannot be drawn with letters: its text stands there. */
function textMedium(columns: number): Medium {
  return {
    columns,
    shown: (text) => text,
    code: () => undefined,
    logo: false,
    large: false,
    itemLines: true,
    details: true,
    cardPages: false,
  }
}

/** The layout in letters alone. */
export function plainLayout(layout: Layout): string {
  return `${linesOf(layout)
    .map((line) => plainLine(line, layout.columns))
    .join('\n')}\n`
}

/** Without its code. */
export function plainLine(line: Line, columns: number): string {
  if (line.kind === 'rule') return '-'.repeat(columns)
  return line.kind === 'text' ? lineText(line.cells) : ''
}

/** Cells side by side, each filled up with blanks; none behind the last. */
export function lineText(cells: readonly Cell[]): string {
  let text = ''
  let taken = 0
  for (const cell of cells) {
    const spare = Math.max(0, cell.width - cellsOf(cell.text))
    const before = { left: 0, centre: Math.floor(spare / 2), right: spare }[cell.align]
    text += ' '.repeat(Math.max(0, cell.start - taken) + before) + cell.text
    taken = Math.max(taken, cell.start) + before + (cell.width - spare)
  }
  return text.trimEnd()
}
