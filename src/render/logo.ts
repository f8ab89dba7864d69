// The logo of a merchant on paper.
import { type Canvas, createCanvas, Image } from '@napi-rs/canvas'
import { dark } from '../lib/look.js'
import type { Logo } from '../model/branding.js'
import type { ReceiptView } from './view.js'

/** A logo as it was read, with its size in pixels at eight per millimetre. */
export interface PaperLogo {
  image: Image
  /** What it is drawn on: paper, or what it needs to be seen. */
  ground: string
  width: number
  height: number
}

/** Pixels of a page (96 per inch) on paper. */
const PAPER_PIXELS = (25.4 / 96) * 8
/** Of the width of the paper. */
const WIDEST = 0.8
/** Forty millimetres. */
const HIGHEST = 320

/** Undefined without a logo, and for one that cannot be read. */
export async function logoOnPaper(
  { logo }: ReceiptView,
  width: number,
): Promise<PaperLogo | undefined> {
  if (logo === undefined || logo.width < 1 || logo.height < 1) return undefined
  const image = await logoImage(logo)
  if (image === undefined) return undefined
  const wished = { width: logo.width * PAPER_PIXELS, height: logo.height * PAPER_PIXELS }
  const scale = Math.min(1, (width * WIDEST) / wished.width, HIGHEST / wished.height)
  const pixels = (length: number): number => Math.max(1, Math.round(length * scale))
  const ground = logo.ground === 'dark' ? dark('paper') : '#fff'
  return { image, ground, width: pixels(wished.width), height: pixels(wished.height) }
}

/** Undefined for what cannot be read. */
export function logoImage({ data }: Logo): Promise<Image | undefined> {
  return new Promise((resolve) => {
    const image = new Image()
    image.onload = () => resolve(image)
    image.onerror = () => resolve(undefined)
    image.src = data
  })
}

/** Drawn twice as fine for PDF, which may be printed larger. */
export function logoJpeg(logo: PaperLogo): Buffer {
  const { width, height } = logo
  return drawn({ ...logo, width: width * 2, height: height * 2 }).encodeSync('jpeg', 90)
}

/** One byte of grey for every pixel. */
export function logoGreys(logo: PaperLogo): Uint8Array {
  const { width, height } = logo
  const { data } = drawn(logo).getContext('2d').getImageData(0, 0, width, height)
  const greys = new Uint8Array(width * height)
  for (let at = 0; at < greys.length; at += 1) {
    const [red = 0, green = 0, blue = 0] = data.subarray(at * 4, at * 4 + 3)
    greys[at] = Math.round(0.299 * red + 0.587 * green + 0.114 * blue)
  }
  return greys
}

function drawn({ image, ground, width, height }: PaperLogo): Canvas {
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  context.fillStyle = ground
  context.fillRect(0, 0, width, height)
  context.drawImage(image, 0, 0, width, height)
  return canvas
}
