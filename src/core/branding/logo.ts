// A picture of somebody becomes the logo of receipts: checked by its content, drawn anew so that
// nothing else in it survives, small. Called by settings.ts.

import type { OutboundCall } from '../../device/outbound.js'
import { OutboundError } from '../../device/outbound.js'
import { fail } from '../../errors.js'
import type { StoredLogo } from '../../store/receipt-settings.js'
import { MOST_PIXELS } from './document.js'
import { sizeOf } from './picture-size.js'

/** Of a picture that is sent or fetched. */
const MOST_BYTES = 200_000
/** Of the one that is kept: the page with it stays below 60 kB. */
export const MOST_LOGO_BYTES = 20_000
/** A small file can be a picture that fills the memory. */
const MOST_SIDE = 8_000
const MOST_AREA = 16_000_000
const FETCH_MS = 5_000

/** `data:` image, or an address that is fetched once. Throws FIELD_INVALID. */
export async function logoFrom(source: string, fetch: OutboundCall): Promise<StoredLogo> {
  const sent = /^data:/i.test(source)
  const bytes = sent ? bytesOfDataUrl(source) : await fetched(source, fetch)
  const { type, data } = await reduced(bytes)
  return { type, data, url: sent ? null : source }
}

function bytesOfDataUrl(source: string): Buffer {
  const found = /^data:image\/(?:png|jpe?g);base64,([A-Za-z0-9+/=\s]+)$/i.exec(source)
  if (found?.[1] === undefined) throw refused('a data: image of type PNG or JPEG in base64')
  const bytes = Buffer.from(found[1], 'base64')
  if (bytes.length > MOST_BYTES) throw refused(`a picture of at most ${MOST_BYTES} bytes`)
  return bytes
}

/** Why it failed is not told: that would show what can be reached from here. */
async function fetched(source: string, fetch: OutboundCall): Promise<Buffer> {
  try {
    const { status, body } = await fetch(source, {
      method: 'GET',
      headers: { accept: 'image/png, image/jpeg' },
      timeoutMs: FETCH_MS,
      maxBytes: MOST_BYTES,
    })
    if (status === 200) return body
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
  }
  throw refused(`the public address of a PNG or JPEG of at most ${MOST_BYTES} bytes`)
}

function refused(expected: string): Error {
  return fail('FIELD_INVALID', { field: 'logourl', expected })
}

type Picture = Omit<StoredLogo, 'url'>

async function reduced(bytes: Buffer): Promise<Picture> {
  const size = sizeOf(bytes)
  if (size === undefined) throw refused('a PNG or JPEG')
  const { width, height } = size
  if (Math.max(width, height) > MOST_SIDE || width * height > MOST_AREA) {
    throw refused(`a picture of at most ${MOST_SIDE} pixels a side and ${MOST_AREA} in all`)
  }
  const first = Math.min(1, MOST_PIXELS / width, MOST_PIXELS / height)
  for (const share of [1, 0.7, 0.5, 0.35, 0.2]) {
    const found = await small(bytes, {
      width: Math.max(1, Math.round(width * first * share)),
      height: Math.max(1, Math.round(height * first * share)),
    })
    if (found !== undefined) return found
  }
  throw refused('a simpler picture')
}

const QUALITIES = [85, 70, 55]

/** Undefined when it is too big in every form. */
async function small(
  bytes: Buffer,
  { width, height }: { width: number; height: number },
): Promise<Picture | undefined> {
  const { canvas, ground } = await drawn(bytes, { width, height })
  const png = await canvas.encode('png')
  if (png.length <= MOST_LOGO_BYTES) return { type: 'image/png', data: png }
  ground()
  for (const quality of QUALITIES) {
    const jpeg = await canvas.encode('jpeg', quality)
    if (jpeg.length <= MOST_LOGO_BYTES) return { type: 'image/jpeg', data: jpeg }
  }
  return undefined
}

async function drawn(bytes: Buffer, { width, height }: { width: number; height: number }) {
  // a native library that most servers never need
  const { createCanvas, loadImage } = await import('@napi-rs/canvas')
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  try {
    context.drawImage(await loadImage(bytes), 0, 0, width, height)
  } catch (error) {
    throw Object.assign(refused('a PNG or JPEG that can be read'), { cause: error })
  }
  const ground = (): void => {
    // JPEG has no transparency: without this it would be black
    context.globalCompositeOperation = 'destination-over'
    context.fillStyle = '#fff'
    context.fillRect(0, 0, width, height)
  }
  return { canvas, ground }
}
