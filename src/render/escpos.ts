// A receipt as bytes for a receipt printer.
import iconv from 'iconv-lite'
import { columnsOf } from './accept.js'
import { signCells, signsOf } from './cells.js'
import { drawable, REPLACEMENT } from './fonts.js'
import { layoutOf, linesOf } from './layout.js'
import type { Code, Line, Medium } from './layout-lines.js'
import { lineStrip, type Strip } from './picture-lines.js'
import { type Commands, type Dots, EPSON, STAR } from './printer-commands.js'
import { QUIET, qrSide } from './qr.js'
import { lineText, plainLine } from './text.js'
import type { ReceiptView } from './view.js'

/** `none` prints lines and nothing else. */
export type EscPosBrand = 'none' | 'epson' | 'star'

const BRANDS: Record<EscPosBrand, Commands | undefined> = {
  none: undefined,
  epson: EPSON,
  star: STAR,
}

interface Paper {
  widthMm: number
  brand: EscPosBrand
}

export function escPosReceipt(view: ReceiptView, { widthMm, brand }: Paper): Buffer {
  const { columns, commands, lines } = linesFor(view, { widthMm, brand })
  if (commands === undefined) {
    const texts = lines.map((line) => plainLine(line, columns))
    return letters(`${texts.join('\n')}${END}`)
  }
  const printed = lines.map((line) => printedLine(line, { commands, columns }))
  return Buffer.concat([commands.start, ...printed, commands.end])
}

/** True when a line has letters that no page of the printer has: it takes a while, and fonts. */
export function drawsLetters(view: ReceiptView, paper: Paper): boolean {
  const { commands, lines } = linesFor(view, paper)
  return commands !== undefined && lines.some(isDrawn)
}

function linesFor(view: ReceiptView, { widthMm, brand }: Paper) {
  const columns = columnsOf(widthMm)
  const commands = BRANDS[brand]
  const layout = layoutOf(view, mediumOf(columns, commands !== undefined))
  return { columns, commands, lines: linesOf(layout) }
}

/** Paper that comes out behind the last line of a printer that cannot cut. */
const END = '\n'.repeat(5)

function mediumOf(columns: number, commands: boolean): Medium {
  return {
    columns,
    shown: commands ? drawnText : plainText,
    code: (data) => (commands ? codeOf(data, columns) : undefined),
    logo: false,
    large: commands,
    itemLines: false,
    details: false,
    cardPages: false,
  }
}

const DOTS_PER_COLUMN = 12
/** Below, a printed code is hard to read. */
const LEAST_MODULE = 3

/** Dots of a module: 6 on 80 mm, 4 below, fewer for a long code; undefined when it has no room. */
function codeOf(data: string, columns: number): Code | undefined {
  const side = qrSide(data)
  if (side === undefined) return undefined
  const room = Math.floor((columns * DOTS_PER_COLUMN) / (side + 2 * QUIET))
  const module = Math.min(columns === columnsOf(80) ? 6 : 4, room)
  return module >= LEAST_MODULE ? { data, matrix: [], module } : undefined
}

const CODE_PAGE = 'cp858'
const ASCII = /^[\u0020-\u007e]*$/
const BLANKS = /\p{Zs}/gu

/** What code page 858 has, without its control characters. */
const LETTERS: ReadonlySet<string> = new Set([
  ...iconv.decode(Buffer.from(Array.from({ length: 0x5f }, (_, at) => at + 0x20)), CODE_PAGE),
  ...iconv.decode(Buffer.from(Array.from({ length: 0x80 }, (_, at) => at + 0x80)), CODE_PAGE),
])

const GREEK_PAGE = 'iso-8859-7'
/** The letters of that page: with accents and with diaeresis, each of one column. */
const GREEK = /[\u0386\u0388-\u038a\u038c\u038e-\u03a1\u03a3-\u03ce]+/g
const WITH_GREEK: ReadonlySet<string> = new Set([
  ...LETTERS,
  ...Array.from({ length: 0x49 }, (_, at) => String.fromCharCode(at + 0x386)).filter(
    (letter) => letter.match(GREEK) !== null,
  ),
])

/** Signs of print for which printers have another one. */
const SIMPLER: ReadonlyMap<string, string> = new Map([
  ...[...'\u2018\u2019\u201a\u2032'].map((sign) => [sign, "'"] as const),
  ...[...'\u201c\u201d\u201e\u2033'].map((sign) => [sign, '"'] as const),
  ...[...'\u2010\u2011\u2012\u2013\u2014\u2212'].map((sign) => [sign, '-'] as const),
  ['\u2026', '...'],
])

function shownSigns(text: string, other: (sign: string) => string): string {
  if (ASCII.test(text)) return text
  return signsOf(text.replace(BLANKS, ' ').normalize('NFC'))
    .map((sign) => SIMPLER.get(sign) ?? (LETTERS.has(sign) ? sign : other(sign)))
    .join('')
}

/** As many as the sign has columns. */
const unknown = (sign: string): string => '?'.repeat(signCells(sign))

/** What the printer has no letter for becomes question marks. */
function plainText(text: string): string {
  return shownSigns(text, unknown)
}

/** What no page of the printer has is drawn; question marks are for what no font has either. */
function drawnText(text: string): string {
  return shownSigns(text, (sign) => {
    const drawn = drawable(sign)
    return drawn === REPLACEMENT ? unknown(sign) : drawn
  })
}

const isLetter = (sign: string): boolean => WITH_GREEK.has(sign)

function isDrawn(line: Line): boolean {
  return line.kind === 'text' && line.cells.some(({ text }) => ![...text].every(isLetter))
}

/** Of the printers' usual letters: of their dots, 203 on an inch. */
const LETTER = { column: DOTS_PER_COLUMN, line: 24 }
const HALF = 128

/** Ink is what is darker than half. */
function dotsOf({ width, height, pixels }: Strip): Dots {
  return { width, height, isBlack: (x, y) => (pixels[y * width + x] ?? WHITE) < HALF }
}

const WHITE = 255

function letters(text: string): Buffer {
  return iconv.encode(text, CODE_PAGE)
}

/** The same where a printer can change its page for a word. */
function pagedLetters(text: string, { greek: [on, off] }: Commands): Buffer {
  const words = text.match(GREEK) ?? []
  if (words.length === 0) return letters(text)
  const parts = text.split(GREEK).flatMap((plain, at) => {
    const word = words[at]
    return [
      letters(plain),
      ...(word === undefined ? [] : [on, iconv.encode(word, GREEK_PAGE), off]),
    ]
  })
  return Buffer.concat(parts)
}

function printedLine(
  line: Line,
  { commands, columns }: { commands: Commands; columns: number },
): Buffer {
  const [centre, left] = commands.centre
  const end = letters('\n')
  if (line.kind === 'text' && isDrawn(line)) {
    return commands.picture(dotsOf(lineStrip(line, { columns, grid: LETTER })))
  }
  if (line.kind === 'code') {
    const code = commands.code(Buffer.from(line.data), line.module)
    return Buffer.concat([centre, code, end, left])
  }
  if (line.kind !== 'text') return pagedLetters(`${plainLine(line, columns)}\n`, commands)
  const [first] = line.cells
  const alone = line.cells.length === 1 && first?.align === 'centre' ? first : undefined
  const text = pagedLetters(alone === undefined ? lineText(line.cells) : alone.text, commands)
  const [on, off] = line.style === 'plain' ? [] : commands[line.style]
  const styled = on === undefined || off === undefined ? [text] : [on, text, off]
  return alone === undefined
    ? Buffer.concat([...styled, end])
    : Buffer.concat([centre, ...styled, end, left])
}
