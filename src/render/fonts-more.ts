// Letters that the usual fonts do not have: Chinese, Japanese, Korean and further signs, from Noto
// and Gowun Dodum.
// Each font comes in slices for the web; a slice is read with the first of its letters.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { unpackedFont } from './woff.js'

/** `chinese 44`: slice 44 of the font that is called so here. */
export type MoreName = `${MoreFont} ${string}`
type MoreFont = keyof typeof PACKAGES

const PACKAGES = {
  symbols: '@fontsource/noto-sans-symbols-2',
  chinese: '@fontsource/noto-sans-sc',
  korean: '@fontsource/gowun-dodum',
  emoji: '@fontsource/noto-emoji',
} as const
const FONTS: readonly MoreFont[] = ['symbols', 'chinese', 'korean', 'emoji']

const require = createRequire(import.meta.url)

interface Slice {
  name: MoreName
  ranges: readonly (readonly [number, number])[]
}

const tables = new Map<MoreFont, Slice[]>()

/** Slices that say that they have this letter. */
export function slicesWith(point: number): MoreName[] {
  return FONTS.flatMap(slicesOf)
    .filter(({ ranges }) => ranges.some(([from, to]) => from <= point && point <= to))
    .map(({ name }) => name)
}

function folderOf(font: MoreFont): string {
  return dirname(require.resolve(`${PACKAGES[font]}/package.json`))
}

function slicesOf(font: MoreFont): Slice[] {
  const known = tables.get(font)
  if (known !== undefined) return known
  const table: unknown = JSON.parse(readFileSync(join(folderOf(font), 'unicode.json'), 'utf8'))
  const slices = Object.entries(Object(table)).map(([key, told]): Slice => {
    const ranges = String(told).split(',').map(rangeOf)
    return { name: `${font} ${key.replace(/[[\]]/g, '')}`, ranges }
  })
  tables.set(font, slices)
  return slices
}

/** `U+4e00-4e03` or `U+4e05`. */
function rangeOf(text: string): [number, number] {
  const [from = '', to = from] = text.trim().replace(/^U\+/i, '').split('-')
  return [Number.parseInt(from, 16), Number.parseInt(to, 16)]
}

export function moreFile(name: MoreName): Buffer {
  const font = FONTS.find((one) => name.startsWith(`${one} `))
  if (font === undefined) throw new Error(`${name} is no font`)
  const slice = name.slice(font.length + 1)
  const file = `${basename(PACKAGES[font])}-${slice}-400-normal.woff`
  return unpackedFont(readFileSync(join(folderOf(font), 'files', file)))
}
