// On which ground a logo can be seen: judged where it is drawn, told by a text in its PNG.
import { contrastOf } from '../../../lib/colours.js'
import { dark, light } from '../../../lib/look.js'
import type { Logo } from '../../../model/branding.js'
import { PNG_HEAD_BYTES, pngText, textBehindHead } from '../../../render/png.js'

const NAME = 'Ground'
const GROUNDS = ['light', 'dark'] as const

/** Opacity from which a pixel counts, and the share of others that makes a picture transparent. */
const OPAQUE = 128
const LEAST_HOLES = 0.03
/** A stroke that differs less from the paper is not seen, and how much of the strokes must be. */
const LEAST_SEEN = 2
const ENOUGH = 0.75

/** RGBA. Undefined: it can be seen everywhere, at least on a ground of its own. */
export function judgedGround(pixels: Uint8ClampedArray): Logo['ground'] {
  const colours = new Map<number, number>()
  let drawn = 0
  for (let at = 0; at < pixels.length; at += 4) {
    if ((pixels[at + 3] ?? 0) < OPAQUE) continue
    // sixteen steps of each colour are enough to be judged
    const [red = 0, green = 0, blue = 0] = pixels.subarray(at, at + 3)
    const key = ((red & 0xf0) << 16) | ((green & 0xf0) << 8) | (blue & 0xf0)
    colours.set(key, (colours.get(key) ?? 0) + 1)
    drawn += 1
  }
  const all = pixels.length / 4
  if (drawn === 0 || (all - drawn) / all < LEAST_HOLES) return undefined
  const seenOn = (paper: string): number => {
    const seen = [...colours].filter(([key]) => contrastOf(hex(key), paper) >= LEAST_SEEN)
    return seen.reduce((sum, [, count]) => sum + count, 0) / drawn
  }
  const [onLight, onDark] = [seenOn(light('raised')), seenOn(dark('paper'))]
  if (Math.min(onLight, onDark) >= ENOUGH) return undefined
  return onDark > onLight ? 'dark' : 'light'
}

const hex = (colour: number): string => `#${colour.toString(16).padStart(6, '0')}`

/** The same picture, with the judgement. */
export function withGround(png: Buffer, ground: Logo['ground']): Buffer {
  const head = png.subarray(0, PNG_HEAD_BYTES)
  const text = pngText(NAME, ground ?? 'any')
  return Buffer.concat([head, text, png.subarray(PNG_HEAD_BYTES)])
}

/** A PNG that nobody has judged is taken for one that wants white paper. */
export function groundOf(data: Buffer): Logo['ground'] {
  const isPng = data[0] === 0x89
  const told = isPng ? textBehindHead(data, NAME) : 'any'
  return told === undefined ? 'light' : GROUNDS.find((one) => one === told)
}
