// A picture as it is kept with receipt settings: drawn anew, so that nothing else of the file
// survives, and small.
import type { createCanvas, loadImage } from '@napi-rs/canvas'
import { fail } from '../../../errors.js'
import { late } from '../../../lib/late.js'
import type { StoredLogo } from '../../../store/receipt/receipt-settings.js'
import { MOST_PIXELS } from './document.js'
import { judgedGround, withGround } from './logo-ground.js'
import { type PictureSize, sizeOf } from './picture-size.js'

interface Library {
  createCanvas: typeof createCanvas
  loadImage: typeof loadImage
}
const library = late<Library>('@napi-rs/canvas')

/** Of the picture that is kept: the page with it stays below 60 kB. */
export const MOST_LOGO_BYTES = 20_000
/** A small file can be a picture that fills the memory. */
const MOST_SIDE = 8_000
const MOST_AREA = 16_000_000

export type Picture = Omit<StoredLogo, 'url'>

export function logoRefused(expected: string): Error {
  return fail('FIELD_INVALID', { field: 'logourl', expected })
}

/** By its first bytes, before anything is decoded. Throws FIELD_INVALID. */
export function checkedSize(bytes: Buffer): PictureSize {
  const size = sizeOf(bytes)
  if (size === undefined) throw logoRefused('a PNG or JPEG')
  const { width, height } = size
  if (Math.max(width, height) > MOST_SIDE || width * height > MOST_AREA) {
    throw logoRefused(`a picture of at most ${MOST_SIDE} pixels a side and ${MOST_AREA} in all`)
  }
  return size
}

/** Throws FIELD_INVALID. */
export async function smallLogo(bytes: Buffer): Promise<Picture> {
  const { width, height } = checkedSize(bytes)
  const first = Math.min(1, MOST_PIXELS / width, MOST_PIXELS / height)
  for (const share of [1, 0.7, 0.5, 0.35, 0.2]) {
    const found = await small(bytes, {
      width: Math.max(1, Math.round(width * first * share)),
      height: Math.max(1, Math.round(height * first * share)),
    })
    if (found !== undefined) return found
  }
  throw logoRefused('a simpler picture')
}

const QUALITIES = [85, 70, 55]

/** Undefined when it is too big in every form. */
async function small(bytes: Buffer, size: PictureSize): Promise<Picture | undefined> {
  const { canvas, ground, pixels } = await drawn(bytes, size)
  const png = withGround(await canvas.encode('png'), judgedGround(pixels()))
  if (png.length <= MOST_LOGO_BYTES) return { type: 'image/png', data: png }
  ground()
  for (const quality of QUALITIES) {
    const jpeg = await canvas.encode('jpeg', quality)
    if (jpeg.length <= MOST_LOGO_BYTES) return { type: 'image/jpeg', data: jpeg }
  }
  return undefined
}

async function drawn(bytes: Buffer, { width, height }: PictureSize) {
  const { createCanvas, loadImage } = library()
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  try {
    context.drawImage(await loadImage(bytes), 0, 0, width, height)
  } catch (error) {
    throw Object.assign(logoRefused('a PNG or JPEG that can be read'), { cause: error })
  }
  const ground = (): void => {
    // JPEG has no transparency: without this it would be black
    context.globalCompositeOperation = 'destination-over'
    context.fillStyle = '#fff'
    context.fillRect(0, 0, width, height)
  }
  const pixels = () => context.getImageData(0, 0, width, height).data
  return { canvas, ground, pixels }
}
