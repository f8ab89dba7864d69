// A large XML file read as a stream: elements of chosen names are handed out one by one, each as a
// small tree, with the table that they lie in.
import { SaxesParser } from 'saxes'
import { BrokenXml } from './xml.js'

export interface PlainNode {
  name: string
  children: PlainNode[]
  text: string
}

export interface Found {
  /** The table that it is in; '' outside of them. */
  table: string
  node: PlainNode
}

export interface Shape {
  root: string
  namespace: string
  /** Elements that are handed out whole. */
  whole: readonly string[]
  /** Elements that hold others of them. */
  tables: readonly string[]
}

/** A document has at most some thousand lines. */
const MOST_NODES = 400_000

/** Throws BrokenXml. */
export async function* elementsIn(
  pieces: AsyncIterable<string>,
  shape: Shape,
): AsyncGenerator<Found, void, undefined> {
  const reader = new Reader(shape)
  for await (const piece of pieces) {
    reader.write(piece)
    yield* reader.take()
  }
  reader.end()
  yield* reader.take()
}

class Reader {
  private found: Found[] = []
  private readonly open: PlainNode[] = []
  private depth = 0
  private table = ''
  private nodes = 0
  private readonly parser = new SaxesParser({ xmlns: true })
  private readonly shape: Shape

  constructor(shape: Shape) {
    this.shape = shape
    const { parser } = this
    parser.on('error', ({ message }) => {
      throw new BrokenXml(message)
    })
    parser.on('doctype', () => {
      throw new BrokenXml('a document type')
    })
    parser.on('opentag', ({ local, uri }) => this.begin(local, uri))
    parser.on('text', (text) => {
      const node = this.open.at(-1)
      if (node !== undefined) node.text += text
    })
    parser.on('closetag', ({ local }) => this.finish(local))
  }

  write(text: string): void {
    this.parser.write(text)
  }

  end(): void {
    this.parser.close()
  }

  take(): Found[] {
    const { found } = this
    this.found = []
    return found
  }

  private begin(name: string, uri: string): void {
    const { root, namespace, whole, tables } = this.shape
    if (uri !== namespace) throw new BrokenXml(`an element of the namespace "${uri}"`)
    if (this.depth === 0 && name !== root) throw new BrokenXml(`the root ${name}`)
    this.depth += 1
    if (this.open.length === 0 && tables.includes(name)) this.table = name
    if (this.open.length === 0 && !whole.includes(name)) return
    const node: PlainNode = { name, children: [], text: '' }
    this.nodes = this.open.length === 0 ? 1 : this.nodes + 1
    if (this.nodes > MOST_NODES) throw new BrokenXml(`more than ${MOST_NODES} elements in one`)
    this.open.at(-1)?.children.push(node)
    this.open.push(node)
  }

  private finish(name: string): void {
    this.depth -= 1
    if (this.open.length === 0) {
      if (name === this.table) this.table = ''
      return
    }
    const node = this.open.pop()
    if (this.open.length === 0 && node !== undefined) this.found.push({ table: this.table, node })
  }
}

export const namedIn = (node: PlainNode | undefined, name: string): PlainNode[] =>
  node?.children.filter((one) => one.name === name) ?? []

/** Text of what the path leads to; '' where it leads nowhere. */
export function textOf(node: PlainNode | undefined, ...path: string[]): string {
  const [name, ...rest] = path
  if (node === undefined) return ''
  if (name === undefined) return node.text.trim()
  return textOf(
    node.children.find((one) => one.name === name),
    ...rest,
  )
}

/** In millionths; undefined: it is no amount. */
export function millionths(text: string): bigint | undefined {
  const [, whole = '', fraction = ''] = /^(\d{1,15})(?:\.(\d{1,6})0*)?$/.exec(text) ?? []
  return whole === '' ? undefined : BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0'))
}
