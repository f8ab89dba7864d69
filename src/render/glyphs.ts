// Letters as small pictures, each drawn once for its size.
import { type Canvas, createCanvas, GlobalFonts, type SKRSContext2D } from '@napi-rs/canvas'
import { stretchesOf } from './bidi.js'
import { ADVANCE, type FontName, fontFile } from './fonts.js'

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

interface Letter {
  text: string
  font: FontName
  /** Columns that it has to keep to. */
  cells: number
  grid: Grid
}

const glyphs = new Map<string, Glyph>()
/** Two hundred letters in twenty sizes; who needs more draws them anew. */
const MOST_GLYPHS = 4000

/** A letter in the middle of its columns; it is made narrower when it has no room. */
export function glyphOf(letter: Letter): Glyph {
  const { text, font, cells, grid } = letter
  const key = `${font} ${grid.column} ${cells} ${text}`
  const known = glyphs.get(key)
  if (known !== undefined) return known
  const glyph = draw(letter, (context, { room, baseline }) => {
    const taken = context.measureText(text).width
    const scale = Math.min(1, room / Math.max(1, taken))
    context.scale(scale, 1)
    context.fillText(text, Math.max(0, (room / scale - taken) / 2), baseline)
  })
  if (glyphs.size >= MOST_GLYPHS) glyphs.clear()
  glyphs.set(key, glyph)
  return glyph
}

/** A text with letters that are read to the left, or that join, from the left of its columns. */
export function turnedGlyph(letter: Letter): Glyph {
  const stretches = stretchesOf(letter.text)
  return draw(letter, (context, { room, baseline }) => {
    const widths = stretches.map(({ text }) => context.measureText(text).width)
    const taken = widths.reduce((sum, width) => sum + width, 0)
    context.scale(Math.min(1, room / Math.max(1, taken)), 1)
    let x = 0
    stretches.forEach(({ text, toLeft }, at) => {
      context.direction = toLeft ? 'rtl' : 'ltr'
      context.fillText(text, x, baseline)
      x += widths[at] ?? 0
    })
  })
}

/** Names under which the fonts are known to the canvas; those of the system are never used. */
const registered = new Set<FontName>()

function family(font: FontName): string {
  const name = `fiskalwerk-${font}`
  if (!registered.has(font)) {
    GlobalFonts.register(fontFile(font), name)
    registered.add(font)
  }
  return name
}

/** DejaVu's height above the line, and of all of it, by its size. */
const ASCENT = 1901 / 2048
const HEIGHT = 2384 / 2048

let canvas: Canvas | undefined

type Write = (context: SKRSContext2D, place: { room: number; baseline: number }) => void

function draw({ font, cells, grid }: Letter, write: Write): Glyph {
  const width = Math.max(1, cells) * grid.column
  const height = grid.line
  if (canvas === undefined || canvas.width < width || canvas.height < height) {
    const { width: wide = 0, height: high = 0 } = canvas ?? {}
    canvas = createCanvas(Math.max(width, wide), Math.max(height, high))
  }
  const context = canvas.getContext('2d')
  const size = grid.column / ADVANCE
  context.clearRect(0, 0, canvas.width, canvas.height)
  context.save()
  context.font = `${size}px ${family(font)}`
  context.fillStyle = '#000'
  context.textAlign = 'left'
  const baseline = Math.round((height - HEIGHT * size) / 2 + ASCENT * size)
  write(context, { room: width, baseline })
  context.restore()
  const { data } = context.getImageData(0, 0, width, height)
  const ink = new Uint8Array(width * height)
  for (let at = 0; at < ink.length; at += 1) ink[at] = data[at * 4 + 3] ?? 0
  return { width, height, ink }
}
