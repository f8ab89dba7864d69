// Documents of an InvoicesDoc, one after the other, as small trees.
import { SaxesParser } from 'saxes'
import type { ReadPart } from '../contract.js'
import { textsOf } from '../read-text.js'

export interface Part {
  name: string
  text: string
  parts: Part[]
}

export const partsOf = (of: Part | undefined, name: string): Part[] =>
  (of?.parts ?? []).filter((one) => one.name === name)
export const partOf = (of: Part | undefined, name: string): Part | undefined =>
  of?.parts.find((one) => one.name === name)
export const textOf = (of: Part | undefined, name: string): string => partOf(of, name)?.text ?? ''

/** Amount of an element; 0 where it is missing. */
export function centsOf(of: Part | undefined, name: string): bigint {
  const [whole = '', rest = ''] = textOf(of, name).split('.')
  return BigInt(whole || '0') * 100n + BigInt(rest.padEnd(2, '0').slice(0, 2))
}

/** Throws for what is no XML, or no amount. */
export async function readDocuments(read: ReadPart, take: (one: Part) => void): Promise<void> {
  const parser = new SaxesParser()
  const open: Part[] = []
  parser.on('opentag', ({ name }) => {
    const part = { name: name.slice(name.indexOf(':') + 1), text: '', parts: [] }
    // the outermost element holds nothing: documents go as they come
    if (open.length > 1) open.at(-1)?.parts.push(part)
    open.push(part)
  })
  parser.on('text', (piece) => {
    const part = open.at(-1)
    if (part !== undefined) part.text += piece
  })
  parser.on('closetag', () => {
    const part = open.pop()
    if (open.length === 1 && part !== undefined) take(part)
  })
  for await (const piece of textsOf(read)) parser.write(piece)
  parser.close()
}
