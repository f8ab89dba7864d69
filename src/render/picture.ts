// A receipt as a picture of eight pixels per millimetre, PNG or JPEG.
import { createCanvas, ImageData } from '@napi-rs/canvas'
import { fail } from '../errors.js'
import { columnsOf } from './accept.js'
import { drawable } from './fonts.js'
import { layoutOf, linesOf } from './layout.js'
import type { Medium } from './layout-lines.js'
import { logoGreys, logoOnPaper } from './logo.js'
import { type Strip, stripsOf } from './picture-lines.js'
import { LineStream, pngFile } from './png.js'
import { drawnCode } from './qr.js'
import type { ReceiptView } from './view.js'

const PIXELS_PER_MM = 8
/** Of zlib: above, a few bytes less take twice the time. */
const LEVEL = 3

export async function pngReceipt(
  view: ReceiptView,
  { widthMm }: { widthMm: number },
): Promise<Buffer> {
  const width = widthMm * PIXELS_PER_MM
  const stream = new LineStream(LEVEL)
  let height = 0
  for (const strip of await strips(view, widthMm)) {
    stream.add(sixteenGreys(strip))
    height += strip.height
  }
  return pngFile({ width, height, depth: 4, data: stream.end() })
}

/** Of what the format can hold, with some room to spare. */
const LONGEST_JPEG = 65_000
const QUALITY = 85

/** Throws PICTURE_TOO_LONG. */
export async function jpegReceipt(
  view: ReceiptView,
  { widthMm }: { widthMm: number },
): Promise<Buffer> {
  const width = widthMm * PIXELS_PER_MM
  const all: Strip[] = []
  let height = 0
  for (const strip of await strips(view, widthMm)) {
    all.push(strip)
    height += strip.height
    if (height > LONGEST_JPEG) throw fail('PICTURE_TOO_LONG', { format: 'image/jpeg' })
  }
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  let top = 0
  for (const strip of all) {
    const image = new ImageData(coloursOf(strip), width, strip.height)
    context.putImageData(image, 0, top)
    top += strip.height
  }
  return canvas.encodeSync('jpeg', QUALITY)
}

/** Each grey as red, green and blue, and the byte that says that nothing shines through. */
function coloursOf({ pixels }: Strip): Uint8ClampedArray<ArrayBuffer> {
  const colours = new Uint8ClampedArray(pixels.length * 4).fill(WHITE)
  for (let from = 0, to = 0; from < pixels.length; from += 1, to += 4) {
    const grey = pixels[from] ?? WHITE
    if (grey === WHITE) continue
    colours[to] = grey
    colours[to + 1] = grey
    colours[to + 2] = grey
  }
  return colours
}

const WHITE = 255

async function strips(view: ReceiptView, widthMm: number): Promise<Iterable<Strip>> {
  const columns = columnsOf(widthMm)
  const width = widthMm * PIXELS_PER_MM
  const logo = await logoOnPaper(view, width)
  const medium: Medium = {
    columns,
    shown: drawable,
    code: (data) => drawnCode(data, width),
    logo: logo !== undefined,
    large: true,
    itemLines: true,
    details: true,
    cardPages: false,
  }
  const strip = logo && { width: logo.width, height: logo.height, pixels: logoGreys(logo) }
  return stripsOf(linesOf(layoutOf(view, medium)), { width, columns, logo: strip })
}

/** Two pixels a byte, each line behind the filter byte "none". */
function sixteenGreys({ width, height, pixels }: Strip): Buffer {
  const stride = 1 + Math.ceil(width / 2)
  const bytes = Buffer.alloc(stride * height)
  for (let row = 0; row < height; row += 1) {
    let from = row * width
    let to = row * stride + 1
    for (let column = 0; column < width; column += 2, from += 2, to += 1) {
      bytes[to] = ((pixels[from] ?? WHITE) & 0xf0) | ((pixels[from + 1] ?? WHITE) >> 4)
    }
  }
  return bytes
}
