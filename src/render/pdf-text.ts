// The letters of a cell in a PDF, on the grid of the columns.
import { isTurned, mirrored, stretchesOf } from './bidi.js'
import { cellsOf } from './cells.js'
import { type Face, fontName, fontOf } from './fonts.js'
import type { Cell } from './layout-lines.js'
import { type Run, runsOf } from './runs.js'

export interface TextPlace {
  document: PDFKit.PDFDocument
  bold: boolean
  /** Width of a column and size of the letters, in points. */
  column: number
  size: number
  /** Of the first column. */
  left: number
  top: number
}

export function drawCell({ text, start, width, align }: Cell, place: TextPlace): void {
  if (text === '') return
  const taken = cellsOf(text)
  const spare = Math.max(0, width - taken)
  const before = { left: 0, centre: spare / 2, right: spare }[align]
  const x = place.left + (start + before) * place.column
  if (isTurned(text)) drawTurned(text, { x, room: taken * place.column }, place)
  else for (const run of runsOf(text)) drawRun(run, x + run.column * place.column, place)
}

function drawRun({ text, face, cells }: Run, x: number, place: TextPlace): void {
  const { document, bold, column } = place
  setFont(face, bold, place)
  if (face === 'mono') {
    put(text, place, { x })
    return
  }
  const width = document.widthOfString(text)
  const room = Math.max(1, cells) * column
  const scaling = Math.min(1, room / width)
  put(text, place, { x: x + (room - width * scaling) / 2, scaling })
}

/** Stretches beside each other, narrower when they would not fit. */
function drawTurned(
  text: string,
  { x, room }: { x: number; room: number },
  place: TextPlace,
): void {
  const { document, bold } = place
  setFont('other', bold, place)
  const stretches = stretchesOf(text).map((one) => (one.toLeft ? mirrored(one.text) : one.text))
  const widths = stretches.map((one) => document.widthOfString(one, { features: WHOLE }))
  const sum = widths.reduce((total, width) => total + width, 0)
  const scaling = Math.min(1, room / sum)
  let at = x
  stretches.forEach((one, index) => {
    put(one, place, { x: at, whole: true, scaling })
    at += (widths[index] ?? 0) * scaling
  })
}

/** Named features, if none: pdfkit then takes the text as a whole, not word by word. */
const WHOLE: PDFKit.Mixins.OpenTypeFeatures[] = []

function setFont(face: Face, bold: boolean, { document, size }: TextPlace): void {
  // a parsed font is no source to the types of pdfkit, which are older than it
  document.font(fontOf(fontName(face, bold)) as unknown as Buffer, fontName(face, bold), size)
}

interface Manner {
  x: number
  /** Shaped as a whole, not word by word. */
  whole?: boolean
  scaling?: number
}

function put(text: string, { document, top }: TextPlace, manner: Manner): void {
  const { x, whole = false, scaling = 1 } = manner
  const options = {
    lineBreak: false,
    // in percent
    horizontalScaling: Math.round(scaling * 1e4) / 100,
    ...(whole ? { features: WHOLE } : {}),
  }
  document.fillColor('#000').text(text, x, top, options)
}
