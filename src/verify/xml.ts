// Small XML documents with the names as they were written, and their canonical form (Canonical XML
// 1.0 without comments), for signatures.
import { SaxesParser } from 'saxes'
import { FileFault } from './faults.js'
import { quote } from './text.js'

export interface Node {
  /** With its prefix. */
  name: string
  attributes: readonly (readonly [name: string, value: string])[]
  children: (Node | string)[]
}

export class BrokenXml extends FileFault {
  /** `found`: what the reader says of it. */
  constructor(found: string) {
    super('XML_FORM', found, `expected well-formed XML, found ${quote(found)}`)
  }
}

export function treeOf(text: string): Node {
  const parser = new SaxesParser()
  const trail: Node[] = []
  let root: Node | undefined
  parser.on('doctype', () => {
    throw new BrokenXml('a document type is not read')
  })
  parser.on('opentag', ({ name, attributes }) => {
    const pairs = Object.entries(attributes).map(([key, value]) => [key, String(value)] as const)
    const node: Node = { name, attributes: pairs, children: [] }
    trail.at(-1)?.children.push(node)
    root ??= node
    trail.push(node)
  })
  parser.on('text', (piece) => trail.at(-1)?.children.push(piece))
  parser.on('closetag', () => void trail.pop())
  try {
    parser.write(text).close()
  } catch (error) {
    throw new BrokenXml(error instanceof Error ? error.message : String(error))
  }
  if (root === undefined) throw new BrokenXml('there is no element')
  return root
}

export const localName = ({ name }: Node): string => name.slice(name.indexOf(':') + 1)

export const childrenOf = ({ children }: Node): Node[] =>
  children.filter((one): one is Node => typeof one !== 'string')

export const textIn = (node: Node | undefined): string =>
  (node?.children ?? []).map((one) => (typeof one === 'string' ? one : '')).join('')

/** The child at the end of these local names. */
export function at(node: Node | undefined, ...names: string[]): Node | undefined {
  return names.reduce<Node | undefined>(
    (found, name) => found && childrenOf(found).find((one) => localName(one) === name),
    node,
  )
}

export const textAt = (node: Node | undefined, ...names: string[]): string =>
  textIn(at(node, ...names))

/** The first one of this local name, and what lies around it. */
export function findWith(
  root: Node,
  name: string,
  around: readonly Node[] = [],
): Node[] | undefined {
  if (localName(root) === name) return [...around, root]
  for (const child of childrenOf(root)) {
    const found = findWith(child, name, [...around, root])
    if (found !== undefined) return found
  }
  return undefined
}

export const find = (root: Node, name: string): Node | undefined => findWith(root, name)?.at(-1)

// ---------------------------------------------------------------------------------- canonical form

type Names = ReadonlyMap<string, string>

const isName = (name: string): boolean => name === 'xmlns' || name.startsWith('xmlns:')
const namesOf = (node: Node): [string, string][] =>
  node.attributes.flatMap(([name, value]) => (isName(name) ? [[name, value]] : []))

/** `around`: what the element lies in; `without`: an element that is left out. */
export function canonical(node: Node, around: readonly Node[] = [], without?: Node): string {
  const inherited = new Map(around.flatMap(namesOf))
  return written(node, { inherited, shown: new Map(), without })
}

interface Scope {
  inherited: Names
  shown: Names
  without: Node | undefined
}

function written(node: Node, { inherited, shown, without }: Scope): string {
  const names = new Map([...inherited, ...namesOf(node)])
  const fresh = [...names].filter(([name, value]) => shown.get(name) !== value)
  const plain = node.attributes.filter(([name]) => !isName(name))
  const spaces = fresh.toSorted(([a], [b]) => (a < b ? -1 : 1))
  const rest = plain.toSorted(([a], [b]) => (a < b ? -1 : 1))
  const attributes = [...spaces, ...rest].map(([name, value]) => ` ${name}="${quoted(value)}"`)
  const scope = { inherited: names, shown: names, without }
  const inside = node.children.map((child) => {
    if (typeof child === 'string') return escaped(child)
    return child === without ? '' : written(child, scope)
  })
  return `<${node.name}${attributes.join('')}>${inside.join('')}</${node.name}>`
}

const escaped = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/\r/g, '&#xD;')
const quoted = (text: string): string =>
  text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/"/g, '&quot;')
    .replace(/\t/g, '&#x9;')
    .replace(/\n/g, '&#xA;')
    .replace(/\r/g, '&#xD;')
