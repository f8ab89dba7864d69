// The lines of a printed receipt: columns of letters of equal width, rules, gaps and codes.
import { cellsOf, wrapped } from './cells.js'
import type { QrMatrix } from './qr.js'

export type Align = 'left' | 'centre' | 'right'
/** `large` has letters of double width and height, so half the columns. */
export type Style = 'plain' | 'bold' | 'large'

/** A text within its columns; it always fits. */
export interface Cell {
  text: string
  start: number
  width: number
  align: Align
}

export type Line =
  /** `exact`: set by somebody for letters of equal width. */
  | { kind: 'text'; style: Style; cells: readonly Cell[]; exact?: true }
  | { kind: 'rule' }
  /** About half a line of nothing. */
  | { kind: 'gap' }
  | ({ kind: 'code' } & Code)
  /** The merchant's, where the medium has it. */
  | { kind: 'logo' }

export interface Code {
  data: string
  /** Empty where the printer makes the code itself. */
  matrix: QrMatrix
  /** Side of a module in dots or pixels. */
  module: number
}

/** What a kind of paper can show. */
export interface Medium {
  columns: number
  /** A text without what has no sign here. */
  shown(text: string): string
  /** How a text is drawn as a code; undefined: it stands there in letters. */
  code(data: string): Code | undefined
  /** The logo of the merchant. */
  logo: boolean
  /** Letters of double size. */
  large: boolean
  /** cbChargeItemLines; printers go without them. */
  itemLines: boolean
  /** Rows that only an examiner wants to see, beside a code that has them as well. */
  details: boolean
  /** Slips of card terminals come on pages of their own, under a heading that says so. */
  cardPages: boolean
}

interface Pair {
  left: string
  right: string
  columns: number
  style?: Style
  indent?: number
}

/** Left and right in one line, or the right below when both do not fit. */
export function pairLines({ left, right, columns, style = 'plain', indent = 0 }: Pair): Line[] {
  const wide = style === 'large' ? Math.floor(columns / 2) : columns
  const taken = cellsOf(right)
  const room = wide - indent - (taken === 0 ? 0 : taken + 1)
  // beside a long right side there is no room worth having
  const narrow = room < Math.floor((wide - indent) / 2)
  const parts = wrapped(left, narrow ? wide - indent : room)
  const last = parts.pop() ?? ''
  const line = (cells: Cell[]): Line => ({ kind: 'text', style, cells })
  const start = indent
  const lines = parts.map((text) => line([{ text, start, width: wide - indent, align: 'left' }]))
  if (cellsOf(last) <= room) {
    const end: Cell = { text: right, start: wide - taken, width: taken, align: 'right' }
    const rest = taken === 0 ? [] : [end]
    return [...lines, line([{ text: last, start, width: room, align: 'left' }, ...rest])]
  }
  lines.push(line([{ text: last, start, width: wide - indent, align: 'left' }]))
  for (const text of wrapped(right, wide)) {
    lines.push(line([{ text, start: 0, width: wide, align: 'right' }]))
  }
  return lines
}
