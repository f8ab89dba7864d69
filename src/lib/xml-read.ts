// Reads small XML documents: strict, without a DTD, with limits, names by their local part.
import { SaxesParser } from 'saxes'
import { inSlices } from './slices.js'
import { utf8Text } from './text.js'
import { declaredBy, XmlScope, XSI } from './xml-names.js'

/** One element; comments and processing instructions are gone. */
export interface XmlElement {
  /** Local name. */
  name: string
  /** Namespace, '' for none. */
  uri: string
  attributes: readonly XmlAttribute[]
  children: XmlElement[]
  /** Text and CDATA directly inside, in one piece. */
  text: string
}

export interface XmlAttribute {
  name: string
  uri: string
  value: string
}

/** Why a text is no document that is read here. */
export class XmlError extends Error {
  override name = 'XmlError'
}

/** As deep as JSON may be. */
const DEPTH = 64
/** Ten thousand items have fewer; each costs some hundred bytes while it is read. */
const ELEMENTS = 100_000
const ATTRIBUTES = 64
const NO_ATTRIBUTES: readonly XmlAttribute[] = []

/** Throws XmlError; nothing outside the text is ever looked at. */
export function parseXml(text: string): XmlElement {
  checkDoctype(text)
  try {
    const { tree, parser } = treeParser()
    parser.write(text).close()
    return tree.root
  } catch (error) {
    throw faultOf(error)
  }
}

/** Letters between two looks at the clock. */
const PIECE = 4096

/** The same of a large text in short pieces, with turns of others between them. */
export async function parseXmlInSlices(text: string): Promise<XmlElement> {
  checkDoctype(text)
  try {
    const { tree, parser } = treeParser()
    let at = 0
    await inSlices(() => {
      parser.write(text.slice(at, at + PIECE))
      at += PIECE
      return at >= text.length
    })
    parser.close()
    return tree.root
  } catch (error) {
    throw faultOf(error)
  }
}

function checkDoctype(text: string): void {
  if (!hasDoctype(text)) return
  throw new XmlError('a document type declaration (DOCTYPE) is not read here')
}

/** The parser quotes names, which may be as long as the body. */
function faultOf(error: unknown): XmlError {
  if (error instanceof XmlError) return error
  const message = error instanceof Error ? error.message : String(error)
  return new XmlError(message.slice(0, 200).replace(/\.$/, ''))
}

function treeParser(): { tree: Tree; parser: SaxesParser } {
  const tree = new Tree()
  const parser = new SaxesParser({ defaultXMLVersion: '1.0', forceXMLVersion: true })
  // five handlers and no more: with the seventh the parser's object becomes a hash table, and
  // reading takes five times as long
  parser.on('attribute', (attribute) => tree.attribute(attribute))
  parser.on('opentag', ({ name }) => tree.open(name))
  parser.on('text', (piece) => tree.add(piece))
  parser.on('cdata', (piece) => tree.add(piece))
  parser.on('closetag', () => tree.close())
  return { tree, parser }
}

/** Looks at what stands before the root element; the parser would read all of the type first. */
function hasDoctype(text: string): boolean {
  const next = /[^\s]/g
  for (let at = 0; ; at = next.lastIndex) {
    next.lastIndex = at
    const start = next.exec(text)?.index
    if (start === undefined) return false
    const end = text.startsWith('<?', start) ? '?>' : '-->'
    if (end === '-->' && !text.startsWith('<!--', start)) {
      return text.startsWith('<!DOCTYPE', start)
    }
    const closed = text.indexOf(end, start)
    if (closed < 0) return false
    next.lastIndex = closed + end.length
  }
}

interface RawAttribute {
  name: string
  value: string
}
const NO_RAW: readonly RawAttribute[] = []

class Tree {
  private readonly trail: XmlElement[] = []
  /** Of each element in the trail. */
  private readonly scopes: XmlScope[] = []
  private scope = XmlScope.root()
  private top: XmlElement | undefined
  private found: XmlElement | undefined
  private count = 0
  /** Of the element that is being opened. */
  private pending: RawAttribute[] | undefined

  get root(): XmlElement {
    if (this.found === undefined) throw new XmlError('there is no element')
    return this.found
  }

  attribute(attribute: RawAttribute): void {
    this.pending ??= []
    if (this.pending.length >= ATTRIBUTES) throw new XmlError(`more than ${ATTRIBUTES} attributes`)
    this.pending.push(attribute)
  }

  open(name: string): void {
    this.count += 1
    if (this.count > ELEMENTS) throw new XmlError(`more than ${ELEMENTS} elements`)
    if (this.trail.length >= DEPTH) throw new XmlError(`nested deeper than ${DEPTH} levels`)
    const given = this.pending ?? NO_RAW
    this.pending = undefined
    this.scopes.push(this.scope)
    if (given.length > 0) this.scope = this.scope.inside(given)
    const { local, uri } = this.scope.element(name)
    const attributes = given.length === 0 ? NO_ATTRIBUTES : attributesOf(given, this.scope)
    const element = { name: local, uri, attributes, children: [], text: '' }
    if (this.top === undefined) this.found ??= element
    else this.top.children.push(element)
    this.trail.push(element)
    this.top = element
  }

  add(piece: string): void {
    if (this.top !== undefined) this.top.text += piece
  }

  close(): void {
    this.trail.pop()
    this.top = this.trail.at(-1)
    this.scope = this.scopes.pop() ?? this.scope
  }
}

/** Those that declare no namespace. */
function attributesOf(given: readonly RawAttribute[], scope: XmlScope): readonly XmlAttribute[] {
  const found: XmlAttribute[] = []
  for (const { name, value } of given) {
    if (declaredBy(name) !== undefined) continue
    const { local, uri } = scope.attribute(name)
    if (found.some((other) => other.name === local && other.uri === uri)) {
      throw new XmlError(`duplicate attribute: ${local}`)
    }
    found.push({ name: local, uri, value })
  }
  return found
}

/** Whether the element says that it is null. */
export function isNil({ attributes }: XmlElement): boolean {
  return attributes.some(
    ({ name, uri, value }) => name === 'nil' && uri === XSI && ['true', '1'].includes(value.trim()),
  )
}

/** The first child of that local name, in any case. */
export function childOf(element: XmlElement, name: string): XmlElement | undefined {
  return element.children.find((child) => child.name.toLowerCase() === name.toLowerCase())
}

/** An element and all that is inside of it, in the order of the document. */
export function* within(root: XmlElement): Generator<XmlElement, void, undefined> {
  yield root
  for (const child of root.children) yield* within(child)
}

/** The first element of this name, from the outside to the inside. */
export function find(root: XmlElement, name: string): XmlElement | undefined {
  for (const one of within(root)) if (one.name === name) return one
  return undefined
}

/**
 * The text of a document: UTF-8, or UTF-16 where a byte order mark or the first character shows it.
 * What the declaration says does not count: one client declares UTF-16 and sends UTF-8. Undefined
 * when the bytes are neither.
 */
export function xmlText(bytes: Buffer): string | undefined {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return utf16(bytes, 'utf-16le')
  if (first === 0xfe && second === 0xff) return utf16(bytes, 'utf-16be')
  if (first === 0x3c && second === 0x00) return utf16(bytes, 'utf-16le')
  if (first === 0x00 && second === 0x3c) return utf16(bytes, 'utf-16be')
  return utf8Text(bytes)
}

function utf16(bytes: Buffer, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}
