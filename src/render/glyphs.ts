// Texts as small pictures.
import type { Canvas, createCanvas, GlobalFonts, SKRSContext2D } from '@napi-rs/canvas'
import { LRUCache } from 'lru-cache'
import { late } from '../lib/late.js'
import { ADVANCE, ASCENT, type FontName, fontFile } from './fonts.js'
import type { Align } from './layout-lines.js'

/** How much of each pixel is black, 0 to 255, line by line. */
export interface Glyph {
  width: number
  height: number
  ink: Uint8Array
}

/** The size of a column and of a line, in pixels. */
export interface Grid {
  column: number
  line: number
}

export interface TextPiece {
  text: string
  font: FontName
  toLeft: boolean
}

export interface Text {
  /** From left to right. */
  pieces: readonly TextPiece[]
  /** Pixels that it has. */
  room: number
  align: Align
  grid: Grid
}

/** Bytes of texts that are kept, some hundred of them: receipts of a shop repeat most of theirs. */
const MOST_KEPT = 8 * 1024 * 1024
const texts = new LRUCache<string, Glyph>({
  maxSize: MOST_KEPT,
  sizeCalculation: ({ ink }, key) => ink.length + key.length,
})

/**
 * A text in its place; it is made narrower when it has no room. Nobody changes it: the same text
 * is the same picture again.
 */
export function textGlyph(text: Text): Readonly<Glyph> {
  const key = JSON.stringify([text.room, text.align, text.grid, text.pieces])
  const known = texts.get(key)
  if (known !== undefined) return known
  const drawn = drawnText(text)
  texts.set(key, drawn)
  return drawn
}

function drawnText({ pieces, room, align, grid }: Text): Glyph {
  const size = grid.column / ADVANCE
  return draw({ width: room, height: grid.line }, (context) => {
    const baseline = Math.round((grid.line - HEIGHT * size) / 2 + ASCENT * size)
    const use = ({ font, toLeft }: TextPiece): void => {
      context.font = `${size}px ${family(font)}`
      context.direction = toLeft ? 'rtl' : 'ltr'
    }
    const widths = pieces.map((piece) => {
      use(piece)
      return context.measureText(piece.text).width
    })
    const taken = widths.reduce((sum, width) => sum + width, 0)
    const scale = Math.min(1, room / Math.max(1, taken))
    const spare = room - taken * scale
    context.translate({ left: 0, centre: spare / 2, right: spare }[align], 0)
    context.scale(scale, 1)
    let x = 0
    pieces.forEach((piece, at) => {
      use(piece)
      context.fillText(piece.text, x, baseline)
      x += widths[at] ?? 0
    })
  })
}

interface Library {
  createCanvas: typeof createCanvas
  GlobalFonts: typeof GlobalFonts
}
const library = late<Library>('@napi-rs/canvas')

/** Names under which the fonts are known to the canvas; those of the system are never used. */
const registered = new Set<FontName>()

function family(font: FontName): string {
  const name = `fiskalwerk-${font.replace(' ', '-')}`
  if (!registered.has(font)) {
    library().GlobalFonts.register(fontFile(font), name)
    registered.add(font)
  }
  return name
}

/** Of DejaVu's letters, by their size. */
const HEIGHT = 2384 / 2048

let canvas: Canvas | undefined

function draw(
  { width, height }: Pick<Glyph, 'width' | 'height'>,
  write: (context: SKRSContext2D) => void,
): Glyph {
  if (canvas === undefined || canvas.width < width || canvas.height < height) {
    const { width: wide = 0, height: high = 0 } = canvas ?? {}
    canvas = library().createCanvas(Math.max(width, wide), Math.max(height, high))
  }
  const context = canvas.getContext('2d')
  context.clearRect(0, 0, canvas.width, canvas.height)
  context.save()
  context.fillStyle = '#000'
  context.textAlign = 'left'
  write(context)
  context.restore()
  const { data } = context.getImageData(0, 0, width, height)
  const ink = new Uint8Array(width * height)
  for (let at = 0; at < ink.length; at += 1) ink[at] = data[at * 4 + 3] ?? 0
  return { width, height, ink }
}
