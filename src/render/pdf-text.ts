// The letters of a cell in a PDF: between the columns of its place, in letters of their own width.
import { isTurned, mirrored, stretchesOf } from './bidi.js'
import { ASCENT, type FontName, fontName, fontOf } from './fonts.js'
import type { Cell } from './layout-lines.js'
import { runsOf } from './runs.js'

export interface TextPlace {
  document: PDFKit.PDFDocument
  bold: boolean
  /** Letters of equal width. */
  exact: boolean
  /** Width of a column and size of the letters, in points. */
  column: number
  size: number
  /** Of the first column. */
  left: number
  top: number
}

interface Piece {
  text: string
  font: FontName
  /** Shaped as a whole, not word by word. */
  whole: boolean
}

const ON_LINE = { lineBreak: false, baseline: 'alphabetic' } as const

/** Narrower when it would not fit. */
export function drawCell({ text, start, width, align }: Cell, place: TextPlace): void {
  if (text === '') return
  const { document, column, left } = place
  const pieces = piecesOf(text, place)
  const widths = pieces.map((piece) => {
    setFont(piece.font, place)
    return document.widthOfString(piece.text, optionsOf(piece))
  })
  const sum = widths.reduce((total, one) => total + one, 0)
  const room = width * column
  const scaling = Math.min(1, room / sum)
  const spare = room - sum * scaling
  let x = left + start * column + { left: 0, centre: spare / 2, right: spare }[align]
  pieces.forEach((piece, index) => {
    setFont(piece.font, place)
    // in percent
    const horizontalScaling = Math.round(scaling * 1e4) / 100
    const options = { ...ON_LINE, horizontalScaling, ...optionsOf(piece) }
    document.fillColor('#000').text(piece.text, x, place.top + ASCENT * place.size, options)
    x += (widths[index] ?? 0) * scaling
  })
}

function piecesOf(text: string, { bold, exact }: TextPlace): Piece[] {
  if (isTurned(text)) {
    const font = fontName('other', bold)
    return stretchesOf(text).map((one) => {
      return { text: one.toLeft ? mirrored(one.text) : one.text, font, whole: true }
    })
  }
  return runsOf(text, exact).map((run) => {
    return { text: run.text, font: fontName(run.face, bold), whole: false }
  })
}

/** Named features, if none: pdfkit then takes the text as a whole, not word by word. */
const WHOLE: PDFKit.Mixins.OpenTypeFeatures[] = []

function optionsOf({ whole }: Piece): PDFKit.Mixins.TextOptions {
  return whole ? { features: WHOLE } : {}
}

function setFont(font: FontName, { document, size }: TextPlace): void {
  // a parsed font is no source to the types of pdfkit, which are older than it
  document.font(fontOf(font) as unknown as Buffer, font, size)
}
