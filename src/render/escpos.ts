// A receipt as bytes for a receipt printer.
import iconv from 'iconv-lite'
import { columnsOf } from './accept.js'
import { signCells, signsOf } from './cells.js'
import { layoutOf, linesOf } from './layout.js'
import type { Code, Line, Medium } from './layout-lines.js'
import { type Commands, EPSON, STAR } from './printer-commands.js'
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
  const columns = columnsOf(widthMm)
  const commands = BRANDS[brand]
  const layout = layoutOf(view, mediumOf(columns, commands !== undefined))
  const lines = linesOf(layout)
  if (commands === undefined) {
    const texts = lines.map((line) => plainLine(line, columns))
    return letters(`${texts.join('\n')}${END}`)
  }
  const printed = lines.map((line) => printedLine(line, { commands, columns }))
  return Buffer.concat([commands.start, ...printed, commands.end])
}

/** Paper that comes out behind the last line of a printer that cannot cut. */
const END = '\n'.repeat(5)

function mediumOf(columns: number, commands: boolean): Medium {
  return {
    columns,
    shown: commands ? (text) => printable(text, WITH_GREEK) : (text) => printable(text, LETTERS),
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

/** What the printer has no letter for becomes question marks, as many as it has columns. */
function printable(text: string, known: ReadonlySet<string>): string {
  if (ASCII.test(text)) return text
  return signsOf(text.replace(BLANKS, ' ').normalize('NFC'))
    .map((sign) => (known.has(sign) ? sign : '?'.repeat(signCells(sign))))
    .join('')
}

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
