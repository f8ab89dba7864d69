// Reads pictures and PDF files as a phone or a viewer does: pixels, codes, lines of text.
import { type Canvas, createCanvas, DOMMatrix, ImageData, loadImage, Path2D } from '@napi-rs/canvas'
import jsqr from 'jsqr'
import { pdfFaults } from './pdf-check.js'

// pdf.js would take those of a canvas of its own, which knows nothing of this one
Object.assign(globalThis, { DOMMatrix, ImageData, Path2D })
const { getDocument, VerbosityLevel } = await import('pdfjs-dist/legacy/build/pdf.mjs')

export interface Pixels {
  width: number
  height: number
  /** Red, green, blue and opacity of each. */
  data: Uint8ClampedArray
}

export async function pixelsOf(picture: Buffer): Promise<Pixels> {
  const image = await loadImage(picture)
  const { width, height } = image
  const context = createCanvas(width, height).getContext('2d')
  context.drawImage(image, 0, 0)
  return { width, height, data: context.getImageData(0, 0, width, height).data }
}

/** Dark on light, as every law wants it: looking for the contrary too takes twice as long. */
const DARK_ON_LIGHT = { inversionAttempts: 'dontInvert' } as const

function codeOf({ data, width, height }: Pixels) {
  // the package is an old one whose function stands where modules have their default
  const read = typeof jsqr === 'function' ? jsqr : jsqr.default
  return read(data, width, height, DARK_ON_LIGHT)
}

/** What the code in a picture says; undefined when none is found. */
export const codeIn = (picture: Pixels): string | undefined => codeOf(picture)?.data

/** The same as bytes: a code may hold signs that a text does not keep. */
export function codeBytesIn(picture: Pixels): Buffer | undefined {
  const found = codeOf(picture)
  return found === null ? undefined : Buffer.from(found.binaryData)
}

/** What is as high in one piece: a code, or a logo. */
const LEAST_HIGH = 60
const BLACK = 128
/** Of white around a code. */
const QUIET = 32

/**
 * All codes from top to bottom, each looked at by itself, as who holds a phone over it does:
 * between lines of letters there is white, in a code there is none.
 */
export function codesIn(picture: Pixels): Buffer[] {
  const { width, height, data } = picture
  const isDark = (x: number, y: number): boolean => (data[(y * width + x) * 4] ?? 255) < BLACK
  const found: Buffer[] = []
  let top = -1
  for (let y = 0; y <= height; y += 1) {
    let dark = false
    for (let x = 0; y < height && x < width && !dark; x += 1) dark = isDark(x, y)
    if (dark && top < 0) top = y
    if (dark || top < 0) continue
    const code = y - top < LEAST_HIGH ? undefined : codeBytesIn(rowsOf(picture, top, y))
    if (code !== undefined) found.push(code)
    top = -1
  }
  return found
}

function rowsOf({ width, data }: Pixels, top: number, end: number): Pixels {
  const rows = new Uint8ClampedArray(width * (end - top + 2 * QUIET) * 4).fill(255)
  rows.set(data.subarray(top * width * 4, end * width * 4), QUIET * width * 4)
  return { width, height: end - top + 2 * QUIET, data: rows }
}

/** A drawing of a page, as large as a phone shows it. */
export async function svgPixels(svg: string): Promise<Pixels> {
  const [, , side = '1'] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? []
  const pixels = Number(side) * 3
  const named = `<svg xmlns="http://www.w3.org/2000/svg" width="${pixels}" height="${pixels}"`
  return pixelsOf(Buffer.from(svg.replace('<svg', named)))
}

export interface PdfPage {
  /** In points. */
  width: number
  height: number
  /** From top to bottom, letters of a line from left to right. */
  lines: string[]
  picture: Pixels
}

export interface PdfFile {
  title: unknown
  author: unknown
  language: string | undefined
  tagged: boolean
  pages: PdfPage[]
  /** Those inside, by their names. */
  files: ReadonlyMap<string, Buffer>
}

/**
 * Everything in a PDF; with a scale of 0 its texts alone, without pictures of its pages. Throws
 * when qpdf finds fault, or the reader has to repair or to guess.
 */
export async function readPdf(bytes: Buffer, scale = 3): Promise<PdfFile> {
  const faults = await pdfFaults(bytes)
  if (faults.length > 0) throw new Error(faults.join('\n'))
  const warnings: string[] = []
  const log = console.log
  console.log = (text: unknown) => void warnings.push(String(text))
  try {
    const task = getDocument({
      data: new Uint8Array(bytes),
      verbosity: VerbosityLevel.WARNINGS,
      stopAtErrors: true,
      useSystemFonts: false,
      disableFontFace: true,
      CanvasFactory,
    })
    const document = await task.promise
    const { info } = await document.getMetadata()
    const marks = await document.getMarkInfo()
    const pages: PdfPage[] = []
    for (let at = 1; at <= document.numPages; at += 1) {
      pages.push(await pageOf(await document.getPage(at), scale))
    }
    if (warnings.length > 0) throw new Error(warnings.join('\n'))
    return {
      title: Reflect.get(info, 'Title'),
      author: Reflect.get(info, 'Author'),
      language: Reflect.get(info, 'Language'),
      tagged: marks?.Marked === true,
      pages,
      files: await filesIn(document),
    }
  } finally {
    console.log = log
  }
}

async function filesIn(document: PdfDocument): Promise<ReadonlyMap<string, Buffer>> {
  const inside = Object(await document.getAttachments()) as Record<string, { content: Uint8Array }>
  return new Map(Object.entries(inside).map(([name, { content }]) => [name, Buffer.from(content)]))
}

interface Drawing {
  canvas: Canvas | null
  context: unknown
}

/** What pdf.js draws on where it needs a further canvas. */
class CanvasFactory {
  create(width: number, height: number): Drawing {
    const canvas = createCanvas(width, height)
    return { canvas, context: canvas.getContext('2d') }
  }

  reset({ canvas }: Drawing, width: number, height: number): void {
    if (canvas !== null) Object.assign(canvas, { width, height })
  }

  destroy(drawing: Drawing): void {
    drawing.canvas = null
    drawing.context = null
  }
}

type PdfDocument = Awaited<ReturnType<typeof getDocument>['promise']>
type Page = Awaited<ReturnType<PdfDocument['getPage']>>

const NO_PICTURE: Pixels = { width: 0, height: 0, data: new Uint8ClampedArray() }

async function pageOf(page: Page, scale: number): Promise<PdfPage> {
  const { width, height } = page.getViewport({ scale: 1 })
  if (scale === 0) return { width, height, lines: await linesOf(page), picture: NO_PICTURE }
  const viewport = page.getViewport({ scale })
  const canvas = createCanvas(Math.ceil(viewport.width), Math.ceil(viewport.height))
  const context = canvas.getContext('2d')
  // the canvas has what pdf.js asks of one in a browser
  await page.render({ canvas: null, canvasContext: context as never, viewport }).promise
  const picture = context.getImageData(0, 0, canvas.width, canvas.height)
  return { width, height, lines: await linesOf(page), picture }
}

/** Texts at the same height are one line; a blank stands where there is room for one. */
async function linesOf(page: Page): Promise<string[]> {
  const { items } = await page.getTextContent()
  const rows = new Map<number, { x: number; end: number; text: string }[]>()
  for (const item of items) {
    if (!('str' in item) || item.str.trim() === '') continue
    const y = Math.round(Number(item.transform[5]) * 2)
    const x = Number(item.transform[4])
    const row = rows.get(y) ?? []
    rows.set(y, [...row, { x, end: x + item.width, text: item.str }])
  }
  return [...rows.entries()]
    .sort(([a], [b]) => b - a)
    .map(([, row]) =>
      row
        .sort((a, b) => a.x - b.x)
        .reduce((line, { x, text }, at) => {
          const before = row[at - 1]
          return before !== undefined && x - before.end > 1 ? `${line} ${text}` : line + text
        }, ''),
    )
}
