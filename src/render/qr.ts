// QR codes of error level M: as the path of an SVG, and as PNG.

import { deflateSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import type { create } from 'qrcode'
import { late } from '../lib/late.js'
import { pngFile } from './png.js'

const library = late<{ create: typeof create }>('qrcode')

/** White modules around the code that scanners need (ISO/IEC 18004, 4 modules). */
export const QUIET = 4

/** Rows of modules; true is black. */
export type QrMatrix = readonly (readonly boolean[])[]

/** Undefined when the text does not fit into a code. */
export function qrMatrix(text: string): QrMatrix | undefined {
  if (Buffer.byteLength(text) > MOST_BYTES || text === '') return undefined
  const { size, data } = library().create([{ data: Buffer.from(text), mode: 'byte' }], {
    errorCorrectionLevel: 'M',
  }).modules
  return Array.from({ length: size }, (_, y) =>
    Array.from({ length: size }, (_, x) => data[y * size + x] === 1),
  )
}

/** Modules of a side of the code, found without making it; undefined as above. */
export function qrSide(text: string): number | undefined {
  if (Buffer.byteLength(text) > MOST_BYTES || text === '') return undefined
  const parts = [{ data: Buffer.from(text), mode: 'byte' as const }]
  // any mask will do for its size; to choose the best one is nearly all of the work
  return library().create(parts, { errorCorrectionLevel: 'M', maskPattern: 0 }).modules.size
}

/** Modules of 0.5 mm, and a code of at least 25 mm; of 0.25 mm where the paper is narrow. */
const USUAL_PIXELS = 4
const USUAL_SIDE = 200
const LEAST_PIXELS = 2

/**
 * Whole pixels of a module, at eight pixels for a millimetre, of a code on paper of this width;
 * undefined when it has no room there.
 */
function modulePixels(side: number, width: number): number | undefined {
  const whole = side + 2 * QUIET
  const wanted = Math.max(USUAL_PIXELS, Math.floor(USUAL_SIDE / whole))
  const pixels = Math.min(wanted, Math.floor(width / whole))
  return pixels >= LEAST_PIXELS ? pixels : undefined
}

/** A text as a code on paper of this many pixels; undefined when it has no room there. */
export function drawnCode(
  data: string,
  width: number,
): { data: string; matrix: QrMatrix; module: number } | undefined {
  const matrix = qrMatrix(data)
  if (matrix === undefined) return undefined
  const module = modulePixels(matrix.length, width)
  return module === undefined ? undefined : { data, matrix, module }
}

/** Bytes that version 40 holds at level M. */
const MOST_BYTES = 2331

/** Codes that were drawn last: making one takes longer than the rest of its page. */
const drawn = new LRUCache<string, Drawing>({ max: 1000 })

interface Drawing {
  /** Modules of a side, with the white ones around. */
  side: number
  path: string
}

/** An inline SVG; `label` says what the code is. Undefined when the text does not fit. */
export function qrSvg(text: string, label: string): string | undefined {
  const drawing = drawn.get(text) ?? draw(text)
  if (drawing === undefined) return undefined
  const { side, path } = drawing
  // black on white also on a dark page
  return (
    `<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${side} ${side}" ` +
    `shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${side}v${side}H0z"/>` +
    `<path stroke="#000" d="${path}"/></svg>`
  )
}

function draw(text: string): Drawing | undefined {
  const matrix = qrMatrix(text)
  if (matrix === undefined) return undefined
  const drawing = { side: matrix.length + 2 * QUIET, path: pathOf(matrix) }
  drawn.set(text, drawing)
  return drawing
}

/** One stroke through the middle of each run of black modules: half the letters of rectangles. */
function pathOf(matrix: QrMatrix): string {
  let row = -1
  let end = 0
  const strokes = qrRuns(matrix).map(({ x, y, length }) => {
    const start = y === row ? `m${x - end} 0` : `M${x + QUIET} ${y + QUIET}.5`
    row = y
    end = x + length
    return `${start}h${length}`
  })
  return strokes.join('')
}

/** Black modules beside each other; the quiet zone is not counted. */
export function qrRuns(matrix: QrMatrix): { x: number; y: number; length: number }[] {
  return matrix.flatMap((row, y) => {
    const runs: { x: number; y: number; length: number }[] = []
    for (let x = 0; x < row.length; x += 1) {
      if (row[x] !== true) continue
      let end = x
      while (row[end] === true) end += 1
      runs.push({ x, y, length: end - x })
      x = end
    }
    return runs
  })
}

/** Grey PNG of one bit per pixel; `pixels` per module. */
export function qrPng(matrix: QrMatrix, pixels: number): Buffer {
  const side = (matrix.length + 2 * QUIET) * pixels
  const stride = 1 + Math.ceil(side / 8)
  const image = Buffer.alloc(stride * side, 0xff)
  for (let y = 0; y < side; y += 1) image[y * stride] = 0
  matrix.forEach((row, y) => {
    const line = lineOf(row, { pixels, stride })
    for (let copy = 0; copy < pixels; copy += 1) {
      line.copy(image, ((y + QUIET) * pixels + copy) * stride)
    }
  })
  return pngFile({ width: side, height: side, depth: 1, data: deflateSync(image) })
}

/** A line of pixels behind its filter byte; a cleared bit is black. */
function lineOf(
  row: readonly boolean[],
  { pixels, stride }: { pixels: number; stride: number },
): Buffer {
  const line = Buffer.alloc(stride, 0xff)
  line[0] = 0
  row.forEach((black, module) => {
    if (!black) return
    for (let pixel = 0; pixel < pixels; pixel += 1) {
      const at = (module + QUIET) * pixels + pixel
      const byte = 1 + (at >> 3)
      line[byte] = (line[byte] ?? 0) & ~(0x80 >> (at & 7))
    }
  })
  return line
}
