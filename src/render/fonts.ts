// The letters of PDF and pictures: DejaVu, and Noto for what it does not have. They come with the
// program, so that every machine draws the same.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type PDFDocument from 'pdfkit'
import { late } from '../lib/late.js'
import { isSimple, signsOf } from './cells.js'
import { type MoreName, moreFile, slicesWith } from './fonts-more.js'

/** `other` is the usual one, `mono` has letters of equal width, the rest is for rare letters. */
export type Face = 'mono' | 'other' | MoreName

const FILES = {
  mono: 'DejaVuSansMono.ttf',
  monoBold: 'DejaVuSansMono-Bold.ttf',
  other: 'DejaVuSansCondensed.ttf',
  otherBold: 'DejaVuSansCondensed-Bold.ttf',
} as const
export type FontName = keyof typeof FILES | MoreName

export function fontName(face: Face, bold: boolean): FontName {
  if (face === 'mono') return bold ? 'monoBold' : 'mono'
  if (face === 'other') return bold ? 'otherBold' : 'other'
  return face
}

const require = createRequire(import.meta.url)
const PACKAGE = 'dejavu-fonts-ttf'
const folder = join(dirname(require.resolve(`${PACKAGE}/package.json`)), 'ttf')

/** A font that was read; pdfkit takes it in place of its file. */
export interface ParsedFont {
  unitsPerEm: number
  hasGlyphForCodePoint(point: number): boolean
  getGlyph(id: number, letters?: readonly number[]): { codePoints: number[] }
}

const pdfDocument = late<typeof PDFDocument>('pdfkit')
const files = new Map<FontName, Buffer>()
const fonts = new Map<FontName, ParsedFont>()

export function fontFile(name: FontName): Buffer {
  const known = files.get(name)
  if (known !== undefined) return known
  const file = isOwn(name) ? readFileSync(join(folder, FILES[name])) : moreFile(name)
  files.set(name, file)
  return file
}

function isOwn(name: FontName): name is keyof typeof FILES {
  return Object.hasOwn(FILES, name)
}

/** To read a font takes longer than to draw a receipt with it: each is read once. */
export function fontOf(name: FontName): ParsedFont {
  const known = fonts.get(name)
  if (known !== undefined) return known
  const reader = new (pdfDocument())({ autoFirstPage: false })
  reader.font(fontFile(name))
  // pdfkit keeps what it has read to itself, though it takes it from others
  const font: unknown = Reflect.get(Object(Reflect.get(reader, '_font')), 'font')
  if (!isParsed(font)) throw new Error(`${name} cannot be read`)
  namedAnew(font)
  fonts.set(name, font)
  return font
}

/**
 * A font keeps each glyph with the letters for which it was made first; those would be the ones of
 * another receipt, or none for a part of a letter with an accent.
 */
function namedAnew(font: ParsedFont): void {
  const made = font.getGlyph.bind(font)
  font.getGlyph = (id, letters = []) => {
    const glyph = made(id, letters)
    if (letters.length > 0) glyph.codePoints = [...letters]
    return glyph
  }
}

function isParsed(value: unknown): value is ParsedFont {
  return typeof Reflect.get(Object(value), 'hasGlyphForCodePoint') === 'function'
}

/** Width of every letter of the usual font, by its size. */
export const ADVANCE = 1233 / 2048
/** DejaVu's height above the line, by its size. */
export const ASCENT = 1901 / 2048

/** Letters that join with their neighbours are drawn in the font that can do so. */
const JOINED = /[\p{M}\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/u
const IGNORED = /\p{Cf}|\p{Variation_Selector}/gu

const faces = new Map<string, Face | undefined>()

/** The font that has all letters of a sign; undefined when there is none. */
export function faceOf(sign: string): Face | undefined {
  if (faces.has(sign)) return faces.get(sign)
  const letters = Array.from(sign)
  const has = (face: Face): boolean =>
    letters.every((letter) => fontOf(face).hasGlyphForCodePoint(letter.codePointAt(0) ?? 0))
  const more = (): Face | undefined => slicesWith(letters[0]?.codePointAt(0) ?? 0).find(has)
  const found = !JOINED.test(sign) && has('mono') ? 'mono' : has('other') ? 'other' : more()
  if (faces.size < MOST_FACES) faces.set(sign, found)
  return found
}

const MOST_FACES = 10_000
/** What stands where the fonts have no letter. */
export const REPLACEMENT = '\ufffd'

/** A text of letters that the fonts have; all others become the sign that says so. */
export function drawable(text: string): string {
  if (isSimple(text) && USUAL.test(text)) return text
  return signsOf(text.normalize('NFC'))
    .map((sign) => {
      const letters = sign.replace(IGNORED, '')
      if (letters === '') return ''
      return faceOf(letters) === undefined ? REPLACEMENT : letters
    })
    .join('')
}

/** What the usual font has without being asked. */
const USUAL = /^[\u0020-\u007e\u00a0-\u017f\u20ac\u2013\u2014\u2018-\u201e\u2022\u2026]*$/
