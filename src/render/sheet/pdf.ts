// A sheet as PDF on A4: parts flow from page to page, nothing is cut, codes stay whole.
import type PDFDocument from 'pdfkit'
import { late } from '../../lib/late.js'
import { drawable, type FontName, fontOf } from '../fonts.js'
import { QUIET, qrMatrix, qrRuns } from '../qr.js'
import type { CodePart, FieldsPart, Sheet, SheetPart, TablePart } from './sheet.js'

const pdfDocument = late<typeof PDFDocument>('pdfkit')

const MM = 72 / 25.4
const PAGE = { width: 210 * MM, height: 297 * MM }
const MARGIN = 18 * MM
const WIDTH = PAGE.width - 2 * MARGIN
const FOOT = 12 * MM
const BOTTOM = PAGE.height - MARGIN - FOOT
const SIZE = 10
const GAP = 4
const COLUMN_GAP = 8
const LABEL_SHARE = 0.34
const CODE_SIDE = 42 * MM
const GREY = '#555555'
const RULE = '#bbbbbb'

interface Drawing {
  document: PDFKit.PDFDocument
  y: number
}

export function sheetPdf(sheet: Sheet): Buffer {
  const { title, language, moment } = sheet
  const document = new (pdfDocument())({
    ...{ size: 'A4', margin: 0, font: '', pdfVersion: '1.7', bufferPages: true },
    ...{ displayTitle: true, lang: language },
    info: {
      ...{ Title: title, Producer: 'fiskalwerk', Creator: 'fiskalwerk' },
      ...{ CreationDate: moment, ModDate: moment },
    },
  })
  const drawing: Drawing = { document, y: MARGIN }
  write(drawing, title, { font: 'otherBold', size: 17 })
  write(drawing, sheet.subtitle, { color: GREY })
  for (const part of sheet.parts) drawPart(drawing, part)
  drawFeet(document, sheet.footer)
  document.end()
  const bytes: unknown = document.read()
  if (!Buffer.isBuffer(bytes)) throw new Error('the document has no bytes')
  return bytes
}

interface Style {
  font?: FontName
  size?: number
  color?: string
  x?: number
  width?: number
}

/** Sets the letters; returns how high the text is. */
function heightOf(document: PDFKit.PDFDocument, text: string, style: Style): number {
  const { font = 'other', size = SIZE, width = WIDTH } = style
  // a parsed font is no source to the types of pdfkit, which are older than it
  document.font(fontOf(font) as unknown as Buffer, font, size)
  return document.heightOfString(drawable(text), { width })
}

/** At the height reached; nothing moves on. */
function put({ document, y }: Drawing, text: string, style: Style): number {
  const height = heightOf(document, text, style)
  const { color = '#000000', x = MARGIN, width = WIDTH } = style
  document.fillColor(color).text(drawable(text), x, y, { width })
  return height
}

function write(drawing: Drawing, text: string, style: Style): void {
  room(drawing, heightOf(drawing.document, text, style))
  drawing.y += put(drawing, text, style)
}

/** A further page where less than this is left. */
function room(drawing: Drawing, height: number): void {
  if (drawing.y + height <= BOTTOM) return
  drawing.document.addPage({ size: 'A4', margin: 0 })
  drawing.y = MARGIN
}

function drawPart(drawing: Drawing, part: SheetPart): void {
  // a heading never stands alone at the end of a page
  room(drawing, part.kind === 'code' ? CODE_SIDE + 80 : 70)
  drawing.y += 16
  write(drawing, part.heading, { font: 'otherBold', size: 12 })
  rule(drawing)
  if (part.kind === 'fields') drawFields(drawing, part)
  if (part.kind === 'table') drawTable(drawing, part)
  if (part.kind === 'code') drawCode(drawing, part)
  if (part.kind !== 'notes') return
  for (const line of part.lines) {
    write(drawing, `• ${line}`, {})
    drawing.y += GAP
  }
}

function rule(drawing: Drawing): void {
  drawing.document.rect(MARGIN, drawing.y + 1, WIDTH, 0.6).fill(RULE)
  drawing.y += GAP + 2
}

/** Cells beside each other, as high as the highest; one that is higher than a page is cut there. */
function drawCells(drawing: Drawing, cells: readonly (Style & { text: string })[]): void {
  const heights = cells.map(({ text, ...style }) => heightOf(drawing.document, text, style))
  room(drawing, Math.max(...heights))
  for (const { text, ...style } of cells) put(drawing, text, style)
  drawing.y += Math.max(...heights) + GAP
}

function drawFields(drawing: Drawing, { fields }: FieldsPart): void {
  const left = WIDTH * LABEL_SHARE
  for (const { label, value, isExact } of fields) {
    drawCells(drawing, [
      { text: label, color: GREY, width: left - COLUMN_GAP },
      {
        text: value === '' ? '–' : value,
        ...{ font: isExact === true ? 'mono' : 'other', x: MARGIN + left, width: WIDTH - left },
      },
    ])
  }
}

function drawTable(drawing: Drawing, { columns, rows }: TablePart): void {
  const whole = columns.reduce((sum, { share }) => sum + share, 0)
  const places = columns.map(({ share }, at) => {
    const before = columns.slice(0, at).reduce((sum, one) => sum + one.share, 0)
    const width = (WIDTH * share) / whole - COLUMN_GAP
    return { x: MARGIN + (WIDTH * before) / whole, width, size: 9 }
  })
  const line = (texts: readonly string[], style: Style) =>
    drawCells(
      drawing,
      places.map((place, at) => ({ ...place, ...style, text: texts[at] ?? '' })),
    )
  line(
    columns.map(({ name }) => name),
    { font: 'otherBold', color: GREY },
  )
  for (const row of rows) line(row, {})
}

/** One path for all of it: between rectangles of their own, hairlines would shine through. */
function drawCode(drawing: Drawing, { data }: CodePart): void {
  const { document } = drawing
  const matrix = qrMatrix(data)
  if (matrix !== undefined) {
    const module = CODE_SIDE / (matrix.length + 2 * QUIET)
    const path = qrRuns(matrix).map((run) => `${run.x} ${run.y} ${run.length} 1 re`)
    document
      .save()
      .translate(MARGIN, drawing.y + QUIET * module)
      .scale(module)
      .fillColor('#000')
    document.addContent(`${path.join('\n')}\nf`)
    document.restore()
    drawing.y += CODE_SIDE
  }
  write(drawing, data, { font: 'mono', size: 8 })
}

function drawFeet(document: PDFKit.PDFDocument, footer: string): void {
  const { count } = document.bufferedPageRange()
  for (let page = 0; page < count; page += 1) {
    document.switchToPage(page)
    const drawing = { document, y: PAGE.height - MARGIN - 2 * SIZE }
    put(drawing, footer, { size: 8, color: GREY, width: WIDTH - 60 })
    const number = `${page + 1} / ${count}`
    put(drawing, number, { size: 8, color: GREY, x: PAGE.width - MARGIN - 40, width: 40 })
  }
}
