// What PDF/UA-1 (ISO 14289-1:2014) and level A of PDF/A-3 ask for: metadata, language, structure,
// and the files inside.
import { XMLValidator } from 'fast-xml-parser'
import {
  at,
  contentOf,
  contentsOf,
  type Dictionary,
  list,
  metadataOf,
  of,
  type PdfFile,
  pagesOf,
  type Rule,
  rewrite,
  rewriteMetadata,
  rootOf,
  structureOf,
  textOf,
  trailerOf,
} from './file.js'

const LANGUAGE = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/
const KINDS = new Set([
  ...['Document', 'Part', 'Sect', 'Div', 'P', 'H1', 'H2', 'H3', 'L', 'LI', 'Lbl', 'LBody', 'Span'],
  ...['Table', 'TR', 'TH', 'TD', 'THead', 'TBody', 'Figure', 'Note', 'Quote', 'Caption'],
])
/** Namespaces of XMP that PDF/A-3 knows; others are described in the file. */
const KNOWN = new Set(['x', 'rdf', 'dc', 'xmp', 'pdf', 'pdfaid', 'xml', 'xmlns'])
const DESCRIBING = new Set(['pdfaExtension', 'pdfaSchema', 'pdfaProperty'])

const first = (file: PdfFile, kind: string): Dictionary =>
  structureOf(file).find((one) => one.kind === kind)?.dictionary ?? {}

export const METADATA_RULES: readonly Rule[] = [
  {
    clause: 'ISO 19005-3 6.6.2.1',
    holds: 'has metadata in well-formed XML, in a packet without outdated attributes',
    faults: (file) => {
      const xml = metadataOf(file).trim()
      const right =
        XMLValidator.validate(xml) === true && !/<\?xpacket [^>]*(bytes|encoding)=/.test(xml)
      return right ? [] : ['XMP']
    },
    spoil: (file) => rewriteMetadata(file, (xml) => xml.replace('</rdf:RDF>', '')),
  },
  {
    clause: 'ISO 19005-3 6.6.2.3',
    holds: 'describes each property that the standard does not know',
    faults: (file) => {
      const xml = metadataOf(file)
      const used = new Set([...xml.matchAll(/<([A-Za-z]+):/g)].map(([, name = '']) => name))
      const told = new Set([...xml.matchAll(/<pdfaSchema:prefix>(\w+)</g)].map(([, name]) => name))
      return [...used].filter((one) => !KNOWN.has(one) && !DESCRIBING.has(one) && !told.has(one))
    },
    spoil: (file) =>
      rewriteMetadata(file, (xml) => xml.replace(/<pdfaSchema:prefix>\w+</g, '<x:x>y<')),
  },
  {
    clause: 'ISO 19005-3 6.6.3',
    holds: 'says in its old dictionary of title, author and dates what the metadata says',
    faults: (file) => {
      const info = at(file, trailerOf(file)['/Info'])
      const told = (name: string) => textOf(at2(file, info[name]))
      const escaped = (text: string) =>
        text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
      const xml = metadataOf(file)
      const date = told('/CreationDate').replace(
        /^D:(....)(..)(..)(..)(..)(..)Z$/,
        '$1-$2-$3T$4:$5:$6Z',
      )
      const parts = [escaped(told('/Title')), escaped(told('/Author')), date, told('/Producer')]
      return parts.filter((part) => part === '' || !xml.includes(`>${part}<`))
    },
    spoil: (file) => rewriteMetadata(file, (xml) => xml.replace(/Date>\d/g, 'Date>9')),
  },
  {
    clause: 'ISO 19005-3 6.6.4, ISO 14289-1 5',
    holds: 'declares PDF/A-3a and PDF/UA-1',
    faults: (file) => {
      const xml = metadataOf(file)
      const wanted = [/pdfaid:part(>|=")3/, /pdfaid:conformance(>|=")A/, /pdfuaid:part(>|=")1/]
      return wanted.filter((one) => !one.test(xml)).map(String)
    },
    spoil: (file) => rewriteMetadata(file, (xml) => xml.replace('pdfuaid:part', 'pdfuaid:port')),
  },
  {
    clause: 'ISO 14289-1 7.1',
    holds: 'has a title, which is shown instead of the name of the file',
    faults: (file) => {
      const shown = at(file, rootOf(file)['/ViewerPreferences'])['/DisplayDocTitle'] === true
      const title = /<dc:title><rdf:Alt>\s*<rdf:li xml:lang="x-default">[^<]+</.test(
        metadataOf(file),
      )
      return shown && title ? [] : ['title']
    },
    spoil: (file) => void delete rootOf(file)['/ViewerPreferences'],
  },
  {
    clause: 'ISO 19005-3 6.8, ISO 14289-1 7.11',
    holds: 'says of each file inside what it is, and lists it',
    faults: (file) => {
      const inside = of(file, '/Type', '/Filespec')
      const listed = list(rootOf(file)['/AF'])
      const names = at(file, at(file, rootOf(file)['/Names'])['/EmbeddedFiles'])['/Names']
      const whole = inside.length > 0 && inside.length === listed.length
      return [
        ...(whole && list(names).length === 2 * inside.length ? [] : ['list']),
        ...inside.flatMap((one) => fileFaults(file, one)),
      ]
    },
    spoil: (file) => void delete of(file, '/Type', '/Filespec')[0]?.['/AFRelationship'],
  },
]

const at2 = (file: PdfFile, value: unknown): unknown =>
  file.objects.get(String(value))?.value ?? value

function fileFaults(file: PdfFile, one: Dictionary): string[] {
  const stream = at(file, at(file, one['/EF'])['/F'])
  const right = [
    ['/Data', '/Alternative'].includes(String(one['/AFRelationship'])),
    textOf(one['/F']) !== '' && one['/F'] === one['/UF'],
    textOf(one['/Desc']) !== '',
    /^\/[a-z]+\/[a-z]+$/.test(String(stream['/Subtype'])),
    at(file, stream['/Params'])['/ModDate'] !== undefined,
  ]
  return right.includes(false) ? [textOf(one['/F'])] : []
}

export const STRUCTURE_RULES: readonly Rule[] = [
  {
    clause: 'ISO 19005-3 6.7.2, ISO 14289-1 7.1',
    holds: 'is marked as tagged, without suspects',
    faults: (file) => {
      const mark = at(file, rootOf(file)['/MarkInfo'])
      return mark['/Marked'] === true && mark['/Suspects'] !== true ? [] : ['/MarkInfo']
    },
    spoil: (file) => void delete rootOf(file)['/MarkInfo'],
  },
  {
    clause: 'ISO 14289-1 7.1',
    holds: 'has all content either tagged or named an artifact, neither inside of the other',
    faults: (file) => contentsOf(file).flatMap(untagged),
    spoil: (file) => rewrite(file, (content) => `${content}\n0 0 9 9 re\nf\n`),
  },
  {
    clause: 'ISO 19005-3 6.7.3, ISO 14289-1 7.1',
    holds: 'has an element for each marked content, which knows it and its page',
    faults: (file) => pagesOf(file).flatMap((page) => parentFaults(file, page)),
    spoil: (file) => rewrite(file, (content) => content.replace('/MCID 0', '/MCID 9999')),
  },
  {
    clause: 'ISO 19005-3 6.7.3.4, ISO 14289-1 7.1',
    holds: 'has elements of standard kinds only, below one document',
    faults: (file) => {
      const kinds = structureOf(file).map(({ kind }) => kind.slice(1))
      const documents = kinds.filter((kind) => kind === 'Document').length
      return [...kinds.filter((kind) => !KINDS.has(kind)), ...(documents === 1 ? [] : ['Document'])]
    },
    spoil: (file) => void Object.assign(first(file, '/P'), { '/S': '/Row' }),
  },
  {
    clause: 'ISO 19005-3 6.7.4, ISO 14289-1 7.2',
    holds: 'says which language it is in',
    faults: (file) => {
      const language = textOf(rootOf(file)['/Lang'])
      return LANGUAGE.test(language) ? [] : [language]
    },
    spoil: (file) => void delete rootOf(file)['/Lang'],
  },
  {
    clause: 'ISO 19005-3 6.7.5, ISO 14289-1 7.3',
    holds: 'says what its pictures are, and where',
    faults: (file) =>
      structureOf(file)
        .filter(({ kind }) => kind === '/Figure')
        .filter(({ dictionary }) => {
          const box = list(at(file, dictionary['/A'])['/BBox'])
          return textOf(dictionary['/Alt']) === '' || box.length !== 4
        })
        .map(() => 'figure'),
    spoil: (file) => void delete first(file, '/Figure')['/Alt'],
  },
  {
    clause: 'ISO 14289-1 7.4',
    holds: 'has headings that begin with the first level and leave out none',
    faults: (file) => {
      const levels = structureOf(file).flatMap(({ kind }) => /^\/H(\d)$/.exec(kind)?.[1] ?? [])
      const steps = levels.map(Number).map((level, index, all) => level - (all[index - 1] ?? 0))
      return steps.length > 0 && steps.every((step) => step <= 1) ? [] : [levels.join()]
    },
    spoil: (file) => void Object.assign(first(file, '/H1'), { '/S': '/H2' }),
  },
  {
    clause: 'ISO 14289-1 7.5',
    holds: 'has tables with rows of equal length and heads that say what they are of',
    faults: (file) =>
      structureOf(file).flatMap((one) =>
        one.kind === '/Table' ? tableFaults(file, one.children) : [],
      ),
    spoil: (file) => void delete first(file, '/TH')['/A'],
  },
  {
    clause: 'ISO 14289-1 7.18.3',
    holds: 'is walked through in the order of its structure',
    faults: (file) =>
      pagesOf(file)
        .filter((page) => page['/Tabs'] !== '/S')
        .map(() => 'page'),
    spoil: (file) => void delete pagesOf(file)[0]?.['/Tabs'],
  },
]

const PAINTS = /(^| |\])(TJ|Tj|f|S|Do)$/

/** What is painted outside of a marked content, and marks within marks. */
function untagged(content: string): string[] {
  let depth = 0
  const faults: string[] = []
  for (const line of content.split('\n')) {
    if (/ (BDC|BMC)$/.test(line)) depth += 1
    if (/(^| )EMC$/.test(line)) depth -= 1
    if (depth > 1 || (depth !== 1 && PAINTS.test(line))) faults.push(line.slice(0, 60))
  }
  return depth === 0 ? faults : [...faults, 'open']
}

function parentFaults(file: PdfFile, page: Dictionary): string[] {
  const numbers = list(at(file, at(file, rootOf(file)['/StructTreeRoot'])['/ParentTree'])['/Nums'])
  const place = numbers.indexOf(page['/StructParents'])
  const parents = list(file.objects.get(String(numbers[place + 1]))?.value ?? numbers[place + 1])
  const ids = [...contentOf(file, page).matchAll(/\/MCID (\d+)/g)].map(([, id]) => Number(id))
  return ids
    .filter((id) => ![at(file, parents[id])['/K']].flat().includes(id))
    .map((id) => `MCID ${id}`)
}

function tableFaults(file: PdfFile, rows: readonly unknown[]): string[] {
  const cells = rows.map((row) => [at(file, row)['/K']].flat().map((cell) => at(file, cell)))
  const heads = cells.flat().filter((cell) => cell['/S'] === '/TH')
  const lengths = new Set(cells.map((row) => row.length))
  const scoped = heads.every((cell) => at(file, cell['/A'])['/Scope'] === '/Column')
  return lengths.size === 1 && heads.length > 0 && scoped ? [] : ['table']
}
