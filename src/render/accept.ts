// Which format a caller wants, from Accept, a width and the query.

export interface Format {
  /** The word of `?format=`. */
  name: string
  mediaType: string
  contentType: string
  /** True when the paper width matters; the answer then names the width that was applied. */
  wide: boolean
  /** Widths that there are, the widest first; left out: every one. */
  widths?: readonly number[]
  /** Other names of the type, each of one width. */
  aliases?: Readonly<Record<string, string>>
}

export interface Wish {
  accept: string | undefined
  /** `?format=`; beats Accept. */
  format: string | undefined
  /** The header x-print-width; a width within Accept beats it. */
  printWidth: string | undefined
}

export interface Choice {
  format: Format
  /** Printable width in millimetres. */
  widthMm: number
}

interface Range {
  mediaType: string
  width: string | undefined
  quality: number
}

/**
 * The first of `formats` is the usual one. Concrete types count before wildcards, whatever their
 * weight: who names a type knows it. Undefined: nothing that was named can be had.
 */
export function chooseFormat(formats: readonly Format[], wish: Wish): Choice | undefined {
  const choice = (format: Format | undefined, range?: Range): Choice | undefined => {
    if (format === undefined) return undefined
    const alias = range && format.aliases?.[range.mediaType]
    const wished = widthOf(range?.width) ?? widthOf(alias) ?? widthOf(wish.printWidth)
    return { format, widthMm: appliedOf(wished ?? USUAL_MM, format) }
  }
  if (wish.format !== undefined) {
    const name = wish.format.toLowerCase()
    return choice(formats.find((format) => format.name === name))
  }
  const ranges = rangesOf(wish.accept ?? '')
  if (ranges.length === 0) return choice(formats[0])
  const refused = ranges.filter(({ quality }) => quality === 0)
  const open = formats.filter((format) => !refused.some((range) => fits(range, format)))
  const wanted = ranges.filter(({ quality }) => quality > 0)
  const concrete = wanted.filter(({ mediaType }) => !mediaType.endsWith('/*'))
  for (const range of [...concrete, ...wanted.filter((one) => !concrete.includes(one))]) {
    const format = open.find((one) => matches(range, one))
    if (format !== undefined) return choice(format, range)
  }
  return undefined
}

/** A type that is refused is refused by its own name only. */
function fits({ mediaType }: Pick<Range, 'mediaType'>, format: Format): boolean {
  return mediaType === format.mediaType || isAlias(mediaType, format)
}

function isAlias(mediaType: string, { aliases }: Format): boolean {
  return aliases !== undefined && Object.hasOwn(aliases, mediaType)
}

function matches({ mediaType }: Range, format: Format): boolean {
  if (mediaType === '*/*') return true
  if (!mediaType.endsWith('/*')) return fits({ mediaType }, format)
  return format.mediaType.startsWith(mediaType.slice(0, -1))
}

/** Most preferred first; of equal ones the first. */
function rangesOf(accept: string): Range[] {
  const ranges = accept
    .split(',')
    .map((part) => rangeOf(part))
    .filter((range) => range.mediaType !== '')
  return ranges.sort((a, b) => b.quality - a.quality)
}

function rangeOf(part: string): Range {
  const [mediaType = '', ...parameters] = part.split(';').map((one) => one.trim().toLowerCase())
  const value = (name: string): string | undefined =>
    parameters.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1)
  const weight = value('q')
  const known = weight === undefined || /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight)
  return { mediaType, width: value('width'), quality: known ? Number(weight ?? 1) : 0 }
}

/** Of paper rolls, the widest first. */
export const PRINTER_WIDTHS = [80, 72, 58, 48]

/** The widest that is not above, else the narrowest. */
function appliedOf(widthMm: number, { widths }: Format): number {
  if (widths === undefined) return widthMm
  return widths.find((one) => one <= widthMm) ?? widths.at(-1) ?? widthMm
}

const USUAL_MM = 80
const LEAST_MM = 40
const MOST_MM = 120

/** `NNmm` within the supported range; undefined for anything else, which is ignored. */
function widthOf(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{2,3}mm$/.test(text)) return undefined
  return Math.min(MOST_MM, Math.max(LEAST_MM, Number.parseInt(text, 10)))
}

/** Columns of printed text: 48 from 80 mm on, 42 from 72 mm on, else 32. */
export function columnsOf(widthMm: number): number {
  if (widthMm >= 80) return 48
  return widthMm >= 72 ? 42 : 32
}

/** The first language of Accept-Language that there is; undefined: no wish that can be met. */
export function chooseLanguage<L extends string>(
  languages: readonly L[],
  wish: string | undefined,
): L | undefined {
  for (const { mediaType: tag, quality } of rangesOf(wish ?? '')) {
    const language = languages.find((one) => tag === one || tag.startsWith(`${one}-`))
    if (language !== undefined && quality > 0) return language
  }
  return undefined
}

/** The media type that Accept names with the greatest weight, the first of equal ones. */
export function mostWanted(accept: string | undefined): string | undefined {
  const [first] = rangesOf(accept ?? '')
  return first !== undefined && first.quality > 0 ? first.mediaType : undefined
}
