// A PDF as the rules of the standards look at it: read by qpdf, which knows nothing of the writer.
import { type PdfObject, pdfObjects } from '../pdf-check.js'

export type Dictionary = Record<string, unknown>

/** One thing that a standard asks for. */
export interface Rule {
  /** `ISO 19005-3 6.2.3` */
  clause: string
  /** What holds. */
  holds: string
  /** Where it does not. */
  faults(file: PdfFile): string[]
  /** Breaks it. */
  spoil(file: PdfFile): void
}

export interface PdfFile {
  /** As they lie on the disk. */
  bytes: Buffer
  objects: Map<string, PdfObject>
}

export async function readPdf(bytes: Buffer): Promise<PdfFile> {
  return { bytes, objects: await pdfObjects(bytes) }
}

/** Another one that can be spoiled. */
export function copyOf({ bytes, objects }: PdfFile): PdfFile {
  const copied = [...objects].map(([name, { value, bytes: data }]) => {
    const one = { value: structuredClone(value), bytes: data && Buffer.from(data) }
    return [name, one] as const
  })
  return { bytes: Buffer.from(bytes), objects: new Map(copied) }
}

/** The dictionary, also behind a reference. */
export function at({ objects }: PdfFile, value: unknown): Dictionary {
  const found = typeof value === 'string' ? objects.get(value)?.value : value
  return Object(found) as Dictionary
}

export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

export const trailerOf = (file: PdfFile): Dictionary => at(file, 'trailer')
export const rootOf = (file: PdfFile): Dictionary => at(file, trailerOf(file)['/Root'])

/** Every dictionary, those inside of others too. */
export function dictionaries({ objects }: PdfFile): Dictionary[] {
  const walk = (value: unknown): Dictionary[] => {
    if (Array.isArray(value)) return value.flatMap(walk)
    if (typeof value !== 'object' || value === null) return []
    return [value as Dictionary, ...Object.values(value).flatMap(walk)]
  }
  return [...objects.values()].flatMap(({ value }) => walk(value))
}

/** Those that say of themselves what they are. */
export function of(file: PdfFile, key: string, ...values: string[]): Dictionary[] {
  return dictionaries(file).filter((one) => values.includes(String(one[key])))
}

export const pagesOf = (file: PdfFile): Dictionary[] => of(file, '/Type', '/Page')

export function streamOf({ objects }: PdfFile, reference: unknown): Buffer {
  return objects.get(String(reference))?.bytes ?? Buffer.alloc(0)
}

export function contentOf(file: PdfFile, page: Dictionary): string {
  return [page['/Contents']]
    .flat()
    .map((one) => streamOf(file, one).toString('latin1'))
    .join('\n')
}

export const contentsOf = (file: PdfFile): string[] =>
  pagesOf(file).map((page) => contentOf(file, page))

/** Puts another text in the place of the content of the first page. */
export function rewrite(file: PdfFile, change: (content: string) => string): void {
  const [page = {}] = pagesOf(file)
  const name = String([page['/Contents']].flat()[0])
  const found = file.objects.get(name)
  if (found === undefined) throw new Error('the page has no content')
  const text = found.bytes?.toString('latin1') ?? ''
  file.objects.set(name, { ...found, bytes: Buffer.from(change(text), 'latin1') })
}

/** `u:text`, `b:hex` as qpdf tells strings. */
export function textOf(value: unknown): string {
  const text = String(value ?? '')
  return text.startsWith('u:') ? text.slice(2) : text
}

export function metadataOf(file: PdfFile): string {
  return streamOf(file, rootOf(file)['/Metadata']).toString('utf8')
}

export function rewriteMetadata(file: PdfFile, change: (xml: string) => string): void {
  const name = String(rootOf(file)['/Metadata'])
  const found = file.objects.get(name)
  file.objects.set(name, { value: found?.value, bytes: Buffer.from(change(metadataOf(file))) })
}

export interface Element {
  kind: string
  dictionary: Dictionary
  children: unknown[]
}

/** The elements of the structure, each before those that are in it. */
export function structureOf(file: PdfFile): Element[] {
  const walk = (reference: unknown): Element[] => {
    const dictionary = at(file, reference)
    if (typeof dictionary['/S'] !== 'string') return []
    const children = [dictionary['/K']].flat().filter((one) => one !== undefined)
    return [{ kind: dictionary['/S'], dictionary, children }, ...children.flatMap(walk)]
  }
  return [at(file, rootOf(file)['/StructTreeRoot'])['/K']].flat().flatMap(walk)
}

/** What each operator of a content is given, without the insides of texts. */
export function operatorsIn(content: string): string[] {
  const plain = content.replace(/<<[^>]*>>/g, ' ').replace(/<[0-9a-f]*>|\((?:\\.|[^\\)])*\)/gi, ' ')
  return plain.split(/[\s[\]]+/).filter((one) => /^[A-Za-z'"][A-Za-z0-9*]*$/.test(one))
}

/** Glyphs that a font shows, by its name on the page. */
export function shownGlyphs(content: string): Map<string, Set<string>> {
  const shown = new Map<string, Set<string>>()
  let font = ''
  for (const [, name, hex] of content.matchAll(/\/(\S+) [\d.]+ Tf|<([0-9a-f]+)>/gi)) {
    if (name !== undefined) font = name
    for (const glyph of hex?.match(/.{4}/g) ?? []) {
      shown.set(font, (shown.get(font) ?? new Set()).add(glyph.toLowerCase()))
    }
  }
  return shown
}

/** What a ToUnicode map says of glyphs: hexadecimal numbers to UTF-16. */
export function unicodeOf(map: string): Map<string, string> {
  const named = new Map<string, string>()
  for (const [, part = ''] of map.matchAll(/beginbfchar([\s\S]*?)endbfchar/g)) {
    for (const [, glyph = '', text = ''] of part.matchAll(/<([0-9a-f]+)>\s*<([0-9a-f ]*)>/gi)) {
      named.set(glyph.toLowerCase(), text)
    }
  }
  for (const [, part = ''] of map.matchAll(/beginbfrange([\s\S]*?)endbfrange/g)) {
    for (const found of part.matchAll(/<([0-9a-f]+)>\s*<[0-9a-f]+>\s*\[([^\]]*)\]/gi)) {
      const first = Number.parseInt(found[1] ?? '', 16)
      const texts = [...(found[2] ?? '').matchAll(/<([0-9a-f ]*)>/gi)]
      texts.forEach(([, text = ''], index) => {
        named.set((first + index).toString(16).padStart(4, '0'), text)
      })
    }
  }
  return named
}
