// SAF-T (PT) read as a stream: master data and documents one by one, each as a small tree.
import { SaxesParser } from 'saxes'
import type { ReadPart } from '../contract.js'

export class BrokenXml extends Error {}

export interface Node {
  name: string
  children: Node[]
  text: string
}

/** Elements that are handed out whole. */
const WHOLE = new Set([
  ...['Header', 'Customer', 'Product', 'TaxTableEntry', 'Invoice', 'WorkDocument', 'Payment'],
  ...['NumberOfEntries', 'TotalDebit', 'TotalCredit'],
])
const NAMESPACE = 'urn:OECD:StandardAuditFile-Tax:PT_1.04_01'
/** A document has at most some thousand lines. */
const MOST_NODES = 400_000

export interface Found {
  /** The table that it is in: `SalesInvoices`; '' outside of them. */
  table: string
  node: Node
}

const TABLES = new Set(['SalesInvoices', 'WorkingDocuments', 'Payments', 'MovementOfGoods'])

/** Bytes 80 to 9F of Windows-1252, which Node reads as those of Latin 1. */
const UPPER = '€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ'
const FIRST_UPPER = 0x80

export function decoded(piece: Uint8Array): string {
  return Buffer.from(piece)
    .toString('latin1')
    .replace(/[\u0080-\u009f]/g, (one) => UPPER.charAt(one.charCodeAt(0) - FIRST_UPPER))
}

/** Throws BrokenXml. */
export async function* elementsOf(read: ReadPart): AsyncGenerator<Found, void, undefined> {
  const reader = new Reader()
  for await (const piece of read()) {
    reader.write(decoded(piece))
    yield* reader.take()
  }
  reader.end()
  yield* reader.take()
}

class Reader {
  private found: Found[] = []
  private readonly open: Node[] = []
  private depth = 0
  private table = ''
  private nodes = 0
  private readonly parser = new SaxesParser({ xmlns: true })

  constructor() {
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
    if (uri !== NAMESPACE) throw new BrokenXml(`an element of the namespace "${uri}"`)
    if (this.depth === 0 && name !== 'AuditFile') throw new BrokenXml(`the root ${name}`)
    this.depth += 1
    if (this.open.length === 0 && TABLES.has(name)) this.table = name
    if (this.open.length === 0 && !WHOLE.has(name)) return
    const node: Node = { name, children: [], text: '' }
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

export function childrenOf(node: Node | undefined, name: string): Node[] {
  return node?.children.filter((one) => one.name === name) ?? []
}

/** Text of what the path leads to; '' where it leads nowhere. */
export function textAt(node: Node | undefined, ...path: string[]): string {
  const [name, ...rest] = path
  if (node === undefined) return ''
  if (name === undefined) return node.text.trim()
  return textAt(
    node.children.find((one) => one.name === name),
    ...rest,
  )
}

/** In millionths; undefined: it is no amount. */
export function millionths(text: string): bigint | undefined {
  const [, whole = '', fraction = ''] = /^(\d{1,15})(?:\.(\d{1,6})0*)?$/.exec(text) ?? []
  return whole === '' ? undefined : BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0'))
}
