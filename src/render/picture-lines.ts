// The lines of a receipt as pixels, one strip after the other.
import { isTurned, stretchesOf } from './bidi.js'
import { ADVANCE, fontName } from './fonts.js'
import { type Glyph, type Grid, type TextPiece, textGlyph } from './glyphs.js'
import type { Cell, Code, Line } from './layout-lines.js'
import { QUIET, qrRuns } from './qr.js'
import { runsOf } from './runs.js'

export interface Picture {
  /** Pixels of a line. */
  width: number
  columns: number
  logo: Strip | undefined
}

/** Some lines of pixels: 0 is black, 255 is white. */
export interface Strip {
  width: number
  height: number
  pixels: Uint8Array
}

/** Two millimetres of white around everything. */
const MARGIN = 16
const WHITE = 255
/** Of a line, and of a gap, by the size of its letters. */
const LINE = 1.3
const GAP = 0.75

/** Strips from top to bottom; a strip is over when the next one is asked for. */
export function* stripsOf(lines: readonly Line[], picture: Picture): Generator<Strip> {
  const { width, columns, logo } = picture
  const column = Math.floor((width - 2 * MARGIN) / columns)
  const line = Math.round((column / ADVANCE) * LINE)
  const left = Math.floor((width - column * columns) / 2)
  const drawing: Drawing = { width, left, room: column * columns, grid: { column, line }, logo }
  yield blank(width, MARGIN)
  for (const one of lines) yield stripOf(one, drawing)
  yield blank(width, MARGIN)
}

/** One line of text as a printer of dots has it: without a margin, its columns as wide as given. */
export function lineStrip(
  line: Extract<Line, { kind: 'text' }>,
  { columns, grid }: { columns: number; grid: Grid },
): Strip {
  const width = columns * grid.column
  return textStrip(line, { width, left: 0, room: width, grid, logo: undefined })
}

interface Drawing {
  width: number
  /** Where the columns begin. */
  left: number
  /** Pixels of all columns. */
  room: number
  grid: Grid
  logo: Strip | undefined
}

function blank(width: number, height: number): Strip {
  return { width, height, pixels: new Uint8Array(width * height).fill(WHITE) }
}

function stripOf(line: Line, drawing: Drawing): Strip {
  const { width, left, room, grid } = drawing
  if (line.kind === 'logo') return centredStrip(drawing.logo ?? blank(1, 1), width)
  if (line.kind === 'code') return codeStrip(line, width)
  if (line.kind === 'text') return textStrip(line, drawing)
  const strip = blank(width, Math.round((grid.column / ADVANCE) * GAP))
  if (line.kind === 'rule') {
    const middle = Math.floor(strip.height / 2) * width
    for (const start of [middle, middle + width])
      strip.pixels.fill(0, start + left, start + left + room)
  }
  return strip
}

/** White beside and below it. */
function centredStrip({ width: wide, height, pixels }: Strip, width: number): Strip {
  const strip = blank(width, height + MARGIN)
  const left = Math.floor((width - wide) / 2)
  for (let row = 0; row < height; row += 1) {
    strip.pixels.set(pixels.subarray(row * wide, (row + 1) * wide), row * width + left)
  }
  return strip
}

/** Every module is a square of whole pixels. */
function codeStrip({ matrix, module }: Code, width: number): Strip {
  const side = (matrix.length + 2 * QUIET) * module
  const strip = blank(width, side)
  const left = Math.floor((width - side) / 2)
  for (const { x, y, length } of qrRuns(matrix)) {
    for (let row = 0; row < module; row += 1) {
      const start = ((y + QUIET) * module + row) * width + left + (x + QUIET) * module
      strip.pixels.fill(0, start, start + length * module)
    }
  }
  return strip
}

function textStrip(line: Extract<Line, { kind: 'text' }>, drawing: Drawing): Strip {
  const scale = line.style === 'large' ? 2 : 1
  const grid = { column: drawing.grid.column * scale, line: drawing.grid.line * scale }
  const strip = blank(drawing.width, grid.line)
  for (const cell of line.cells) {
    const bold = line.style !== 'plain'
    drawCell(cell, { strip, grid, left: drawing.left, bold, exact: line.exact === true })
  }
  return strip
}

interface Place {
  strip: Strip
  grid: Grid
  left: number
  bold: boolean
  /** Letters of equal width. */
  exact: boolean
}

function drawCell({ text, start, width, align }: Cell, place: Place): void {
  if (text === '') return
  const { strip, grid, left, bold, exact } = place
  const x = left + Math.round(start * grid.column)
  const room = Math.max(1, Math.round(width * grid.column))
  stamp(strip, textGlyph({ pieces: piecesOf(text, { bold, exact }), room, align, grid }), x)
}

function piecesOf(text: string, { bold, exact }: Pick<Place, 'bold' | 'exact'>): TextPiece[] {
  if (isTurned(text)) {
    // letters that join are drawn together
    const font = fontName('other', bold)
    return stretchesOf(text).map((one) => ({ text: one.text, font, toLeft: one.toLeft }))
  }
  return runsOf(text, exact).map(({ text: part, face }) => {
    return { text: part, font: fontName(face, bold), toLeft: false }
  })
}

/** Ink over what is there. */
function stamp({ width, pixels }: Strip, glyph: Glyph, x: number): void {
  const { ink } = glyph
  let from = 0
  for (let row = 0; row < glyph.height; row += 1) {
    let to = row * width + x
    for (let column = 0; column < glyph.width; column += 1, from += 1, to += 1) {
      const black = ink[from] ?? 0
      if (black > 0) pixels[to] = Math.min(pixels[to] ?? WHITE, WHITE - black)
    }
  }
}
