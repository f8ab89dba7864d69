// A receipt as PDF: pages as wide as the paper and as long as the receipt, tagged, its text to be
// selected, its codes as shapes.
import type PDFDocument from 'pdfkit'
import { late } from '../lib/late.js'
import { columnsOf } from './accept.js'
import { E_INVOICE } from './e-invoice.js'
import { ADVANCE, drawable } from './fonts.js'
import { type Layout, layoutOf, type Role } from './layout.js'
import type { Code, Line, Medium } from './layout-lines.js'
import { logoJpeg, logoOnPaper, type PaperLogo } from './logo.js'
import { type AttachedFile, archiveOptions, attach, describe } from './pdf-archive.js'
import { drawCell } from './pdf-text.js'
import { drawnCode, QUIET, qrRuns } from './qr.js'
import type { ReceiptView } from './view.js'

const pdfDocument = late<typeof PDFDocument>('pdfkit')

const POINTS_PER_MM = 72 / 25.4
const PIXELS_PER_MM = 8
const POINTS_PER_PIXEL = POINTS_PER_MM / PIXELS_PER_MM
const MARGIN = 4 * POINTS_PER_MM
/** Of a page; what is longer goes on on the next one. */
const LONGEST = 3000 * POINTS_PER_MM
/** Of a line, by the size of its letters. */
const LINE = 1.3
/** Of a gap and of a rule. */
const GAP = 0.75

export interface Sheet {
  widthMm: number
  /** Written as that of creation: the same receipt gives the same bytes. */
  moment: Date
  /** Data of the receipt, and perhaps an electronic invoice. */
  attachments: readonly AttachedFile[]
}

export async function pdfReceipt(view: ReceiptView, sheet: Sheet): Promise<Buffer> {
  const { widthMm, moment, attachments } = sheet
  const columns = columnsOf(widthMm)
  const logo = await logoOnPaper(view, widthMm * PIXELS_PER_MM)
  const layout = layoutOf(view, mediumOf(columns, widthMm, logo !== undefined))
  const width = widthMm * POINTS_PER_MM
  const size = width / columns / ADVANCE
  const author = view.merchant[0] ?? ''
  const invoice = attachments.find(({ name }) => name === E_INVOICE)?.name
  const described = { title: layout.title, author, language: layout.language, moment, invoice }
  const document = new (pdfDocument())({
    autoFirstPage: false,
    // else it reads a font of its own that nothing is written in
    font: '',
    ...archiveOptions(described),
  })
  describe(document, described)
  for (const one of attachments) attach(document, one, moment)
  const labels = { code: layout.codeLabel, logo: author || view.title }
  const drawing: Drawing = { document, width, size, columns, labels, logo }
  const root = document.struct('Document')
  for (const page of pagesOf(layout, drawing)) drawPage(page, root, drawing)
  root.end()
  document.end()
  const bytes: unknown = document.read()
  if (!Buffer.isBuffer(bytes)) throw new Error('the document has no bytes')
  return bytes
}

function mediumOf(columns: number, widthMm: number, logo: boolean): Medium {
  return {
    columns,
    shown: drawable,
    code: (data) => drawnCode(data, widthMm * PIXELS_PER_MM),
    logo,
    large: true,
    itemLines: true,
    details: true,
    cardPages: true,
  }
}

interface Drawing {
  document: PDFKit.PDFDocument
  /** Between the margins, in points. */
  width: number
  /** Of the usual letters, in points. */
  size: number
  columns: number
  /** What a reader hears instead of a picture. */
  labels: { code: string; logo: string }
  logo: PaperLogo | undefined
}

interface Placed {
  role: Role
  /** Lines that belong together, and where each begins. */
  lines: { line: Line; y: number }[]
}

interface Page {
  blocks: Placed[]
  height: number
}

/**
 * Every card receipt has a page of its own behind all others: what follows it stays with the
 * receipt. No page is longer than LONGEST.
 */
function pagesOf({ blocks }: Layout, drawing: Drawing): Page[] {
  const pages: Page[] = []
  const isCard = ({ role }: { role: Role }): boolean => role === 'card'
  const ordered = [...blocks.filter((one) => !isCard(one)), ...blocks.filter(isCard)]
  for (const { role, apart, lines } of ordered) {
    const turned = role === 'card'
    if (turned || pages.length === 0) pages.push({ blocks: [], height: MARGIN })
    const gap: Line[] = apart && !turned ? [{ kind: 'gap' }] : []
    let placed: Placed | undefined
    for (const line of [...gap, ...lines]) {
      const height = heightOf(line, drawing)
      let page = pages.at(-1)
      if (page === undefined || page.height + height + MARGIN > LONGEST) {
        page = { blocks: [], height: MARGIN }
        pages.push(page)
        placed = undefined
      }
      if (placed === undefined) {
        placed = { role, lines: [] }
        page.blocks.push(placed)
      }
      placed.lines.push({ line, y: page.height })
      page.height += height
    }
  }
  return pages
}

function heightOf(line: Line, { size, logo }: Drawing): number {
  if (line.kind === 'logo') return (logo?.height ?? 0) * POINTS_PER_PIXEL + size * GAP
  if (line.kind === 'code') return sideOf(line)
  if (line.kind !== 'text') return size * GAP
  return size * LINE * (line.style === 'large' ? 2 : 1)
}

function drawPage(
  { blocks, height }: Page,
  root: PDFKit.PDFStructureElement,
  drawing: Drawing,
): void {
  const { document, width } = drawing
  const first = document.bufferedPageRange().count === 0
  document.addPage({ size: [width + 2 * MARGIN, height + MARGIN], margin: 0 })
  if (first) document.addStructure(root)
  for (const { role, lines } of blocks) {
    const table = role === 'vat' && isTable(lines)
    const section = document.struct(table ? 'Table' : 'Sect')
    root.add(section)
    const head = lines.find(({ line }) => line.kind === 'text')
    for (const one of lines) {
      const row = table ? (one === head ? 'TH' : 'TD') : undefined
      drawLine(one.line, { y: one.y, role, row, section, drawing })
    }
    section.end()
  }
}

/** Rows of as many cells; numbers that stand below their names are none (ISO 14289-1, 7.5). */
function isTable(lines: readonly { line: Line }[]): boolean {
  // the gap before it is none of its rows
  const counts = lines.flatMap(({ line }) => (line.kind === 'text' ? [line.cells.length] : []))
  return counts.length > 1 && counts.every((count) => count === counts[0] && count > 2)
}

interface Place {
  y: number
  role: Role
  /** Of a table: what its cells are. */
  row: 'TH' | 'TD' | undefined
  section: PDFKit.PDFStructureElement
  drawing: Drawing
}

function drawLine(line: Line, place: Place): void {
  const { y, role, row: cellKind, section, drawing } = place
  const { document, width, size } = drawing
  if (line.kind === 'rule') {
    document.markContent('Artifact', { type: 'Layout' })
    document.rect(MARGIN, y + (size * GAP) / 2, width, size / 16).fill('#000')
    document.endMarkedContent()
  }
  if (line.kind === 'logo') drawLogo(place)
  if (line.kind === 'code') {
    const side = sideOf(line)
    const left = MARGIN + (width - side) / 2
    const options = { alt: drawing.labels.code, bbox: [left, y, left + side, y + side] as Box }
    const draw = (): void => drawCode(line, left, place)
    section.add(document.struct('Figure', options, [draw]))
  }
  if (line.kind !== 'text') return
  const scale = line.style === 'large' ? 2 : 1
  const bold = line.style !== 'plain'
  const column = (width / drawing.columns) * scale
  const draws = line.cells.map((cell) => (): void => {
    const top = y + ((LINE - 1) / 2) * size * scale
    const exact = line.exact === true
    drawCell(cell, { document, bold, exact, column, size: size * scale, left: MARGIN, top })
  })
  if (cellKind === undefined) {
    section.add(document.struct(role === 'heading' ? 'H1' : 'P', {}, draws))
    return
  }
  const row = document.struct('TR')
  section.add(row)
  // newer than the types of the library
  const options: object = cellKind === 'TH' ? { scope: 'Column' } : {}
  for (const draw of draws) row.add(document.struct(cellKind, options, [draw]))
  row.end()
}

function drawLogo({ y, section, drawing }: Place): void {
  const { document, logo, labels } = drawing
  if (logo === undefined) return
  const width = logo.width * POINTS_PER_PIXEL
  const height = logo.height * POINTS_PER_PIXEL
  const left = MARGIN + (drawing.width - width) / 2
  const options = { alt: labels.logo, bbox: [left, y, left + width, y + height] as Box }
  const draw = (): void => void document.image(logoJpeg(logo), left, y, { width, height })
  section.add(document.struct('Figure', options, [draw]))
}

type Box = [number, number, number, number]

/** In points, with the quiet zone. */
function sideOf({ matrix, module }: Code): number {
  return module * POINTS_PER_PIXEL * (matrix.length + 2 * QUIET)
}

/** One path for all of it: between rectangles of their own, hairlines would shine through. */
function drawCode(code: Code, left: number, { y, drawing: { document } }: Place): void {
  document
    .save()
    .translate(left, y)
    .scale(code.module * POINTS_PER_PIXEL)
    .fillColor('#000')
  const path = qrRuns(code.matrix).map(
    (run) => `${run.x + QUIET} ${run.y + QUIET} ${run.length} 1 re`,
  )
  document.addContent(`${path.join('\n')}\nf`)
  document.restore()
}
