// QR codes of error level M: as the path of an SVG, and as PNG. Called by html.ts and by the
// addresses that hand out the code of a link.
import { crc32, deflateSync } from 'node:zlib'
import { create } from 'qrcode'
import { Recent } from '../lib/recent.js'

/** White modules around the code that scanners need (ISO/IEC 18004, 4 modules). */
const QUIET = 4

/** Rows of modules; true is black. */
export type QrMatrix = readonly (readonly boolean[])[]

/** Undefined when the text does not fit into a code. */
export function qrMatrix(text: string): QrMatrix | undefined {
  if (Buffer.byteLength(text) > MOST_BYTES || text === '') return undefined
  const { size, data } = create([{ data: Buffer.from(text), mode: 'byte' }], {
    errorCorrectionLevel: 'M',
  }).modules
  return Array.from({ length: size }, (_, y) =>
    Array.from({ length: size }, (_, x) => data[y * size + x] === 1),
  )
}

/** Bytes that version 40 holds at level M. */
const MOST_BYTES = 2331

/** Codes that were drawn last: making one takes longer than the rest of its page. */
const drawn = new Recent<Drawing>(1000)

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
    `<path fill="#000" d="${path}"/></svg>`
  )
}

function draw(text: string): Drawing | undefined {
  const matrix = qrMatrix(text)
  if (matrix === undefined) return undefined
  const drawing = { side: matrix.length + 2 * QUIET, path: pathOf(matrix) }
  drawn.set(text, drawing)
  return drawing
}

/** One rectangle for each run of black modules. */
function pathOf(matrix: QrMatrix): string {
  let path = ''
  matrix.forEach((row, y) => {
    for (let x = 0; x < row.length; x += 1) {
      if (row[x] !== true) continue
      let end = x
      while (row[end] === true) end += 1
      path += `M${x + QUIET} ${y + QUIET}h${end - x}v1h${x - end}z`
      x = end
    }
  })
  return path
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
  return Buffer.concat([
    Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', headerOf(side)),
    chunk('IDAT', deflateSync(image)),
    chunk('IEND', Buffer.alloc(0)),
  ])
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

/** One bit per pixel, grey (PNG specification, 11.2.2). */
function headerOf(side: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header[8] = 1
  return header
}

function chunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(data.length, 0)
  head.write(type, 4, 'latin1')
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(data, crc32(type)), 0)
  return Buffer.concat([head, data, check])
}
