// What both standards ask of fonts, in the same words: ISO 19005-3 6.2.11 and ISO 14289-1 7.21.
import {
  at,
  contentOf,
  type Dictionary,
  list,
  of,
  type PdfFile,
  pagesOf,
  type Rule,
  rewrite,
  shownGlyphs,
  streamOf,
  textOf,
  unicodeOf,
} from './file.js'

const both = (part: string): string => `ISO 19005-3 6.2.11${part}, ISO 14289-1 7.21${part}`

/** Units of a thousandth of an em; both standards. */
const MOST_OFF = 1

const composite = (file: PdfFile): Dictionary[] => of(file, '/Subtype', '/Type0')
const simple = (file: PdfFile): Dictionary[] => of(file, '/Subtype', '/CIDFontType2')
const firstSimple = (file: PdfFile): Dictionary => simple(file)[0] ?? {}

export const FONT_RULES: readonly Rule[] = [
  {
    clause: both('.2'),
    holds: 'has fonts of known kinds, each with what its kind needs',
    faults: (file) => [
      ...of(file, '/Type', '/Font')
        .filter((one) => !['/Type0', '/CIDFontType2'].includes(String(one['/Subtype'])))
        .map((one) => String(one['/Subtype'])),
      ...of(file, '/Type', '/Font')
        .filter((one) => !one['/BaseFont'])
        .map(() => 'name'),
      ...composite(file)
        .filter((one) => list(one['/DescendantFonts']).length !== 1)
        .map(() => 'descendants'),
    ],
    spoil: (file) => void Object.assign(firstSimple(file), { '/Subtype': '/Type3' }),
  },
  {
    clause: both('.3'),
    holds: 'numbers its glyphs as they lie in the font',
    faults: (file) => [
      ...composite(file)
        .filter((one) => one['/Encoding'] !== '/Identity-H')
        .map(() => 'encoding'),
      ...simple(file).flatMap((one) => {
        const system = at(file, one['/CIDSystemInfo'])
        const known = textOf(system['/Registry']) === 'Adobe' && system['/Ordering'] !== undefined
        return known && one['/CIDToGIDMap'] === '/Identity' ? [] : [String(one['/BaseFont'])]
      }),
    ],
    spoil: (file) => void delete firstSimple(file)['/CIDToGIDMap'],
  },
  {
    clause: both('.4'),
    holds: 'embeds every font, as a subset that is named one',
    faults: (file) =>
      simple(file).flatMap((one) => {
        const descriptor = at(file, one['/FontDescriptor'])
        const program = streamOf(file, descriptor['/FontFile2'])
        const named = /^\/[A-Z]{6}\+/.test(String(one['/BaseFont']))
        return program.length > 0 && named && descriptor['/CIDSet'] === undefined
          ? []
          : [String(one['/BaseFont'])]
      }),
    spoil: (file) => void Object.assign(firstSimple(file), { '/FontDescriptor': {} }),
  },
  {
    clause: both('.5'),
    holds: 'tells the widths that the font has',
    faults: (file) =>
      simple(file).flatMap((one) => {
        const told = list(list(one['/W'])[1]).map(Number)
        const real = widthsIn(streamOf(file, at(file, one['/FontDescriptor'])['/FontFile2']))
        // the first is shown for nothing that there is
        const off = told.filter((width, glyph) => glyph > 0 && isOff(width, real[glyph]))
        return told.length > 0 && off.length === 0 ? [] : [`${one['/BaseFont']}: ${off.length}`]
      }),
    spoil: (file) => void list(list(firstSimple(file)['/W'])[1]).fill(123),
  },
  {
    clause: both('.7'),
    holds: 'says of every glyph that is shown what text it is, and nothing private',
    faults: (file) =>
      glyphsOf(file).flatMap(({ font, texts, glyph }) => {
        const text = texts.get(glyph)
        return text !== undefined && isText(text) ? [] : [`${font['/BaseFont']} ${glyph}`]
      }),
    spoil: (file) => void delete composite(file)[0]?.['/ToUnicode'],
  },
  {
    clause: both('.8'),
    holds: 'shows no glyph that the font does not have',
    faults: (file) =>
      glyphsOf(file).flatMap(({ font, glyph }) =>
        glyph === '0000' ? [`${font['/BaseFont']}`] : [],
      ),
    spoil: (file) => rewrite(file, (content) => content.replace(/<0001/, '<0000')),
  },
]

const isOff = (told: number, real = 0): boolean => Math.abs(told - real) > MOST_OFF

/** UTF-16 in hexadecimal digits: no sign that is none, none of private use. */
function isText(hex: string): boolean {
  const text = Buffer.from(hex.replace(/ /g, ''), 'hex').swap16().toString('utf16le')
  return text !== '' && !/[\0\ufeff\ufffe\p{Co}]/u.test(text)
}

interface Shown {
  font: Dictionary
  /** What the font says its glyphs are. */
  texts: ReadonlyMap<string, string>
  glyph: string
}

function glyphsOf(file: PdfFile): Shown[] {
  return pagesOf(file).flatMap((page) => {
    const fonts = at(file, at(file, page['/Resources'])['/Font'])
    return [...shownGlyphs(contentOf(file, page))].flatMap(([name, glyphs]) => {
      const font = at(file, fonts[`/${name}`])
      const texts = unicodeOf(streamOf(file, font['/ToUnicode']).toString('latin1'))
      return [...glyphs].map((glyph) => ({ font, texts, glyph }))
    })
  })
}

/** Advance widths of a TrueType program in thousandths of an em (tables head, hhea, hmtx). */
function widthsIn(program: Buffer): number[] {
  const tables = new Map<string, number>()
  for (let index = 0; index < program.readUInt16BE(4); index += 1) {
    const entry = 12 + index * 16
    tables.set(program.toString('latin1', entry, entry + 4), program.readUInt32BE(entry + 8))
  }
  const [head = 0, hhea = 0, hmtx = 0] = ['head', 'hhea', 'hmtx'].map((name) => tables.get(name))
  const scale = 1000 / program.readUInt16BE(head + 18)
  const count = program.readUInt16BE(hhea + 34)
  return Array.from({ length: count }, (_, glyph) => program.readUInt16BE(hmtx + glyph * 4) * scale)
}
