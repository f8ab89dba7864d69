// Tables by RFC 4180 with a header and commas, row by row as objects of their columns.
import { createHash, type Hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { TextDecoder } from 'node:util'
import papaparse from 'papaparse'
import { FileFault } from './faults.js'

export type TableRow = Readonly<Record<string, string>>

export interface Table {
  rows: AsyncGenerator<TableRow, void, undefined>
  /** SHA-256 of all bytes, in base64url; after the last row. */
  hash(): string
}

/** Reading the rows throws FileFault: no header, other bytes, a row of another length. */
export function openTable(content: AsyncIterable<Uint8Array>): Table {
  const sum = createHash('sha256')
  return { rows: rowsOf(content, sum), hash: () => sum.digest('base64url') }
}

/** A request and its answer are less; a quote that nobody closes would take the whole file. */
const LONGEST_ROW = 1 << 25
/** The reader begins a row anew with every piece, so that small pieces make long rows slow. */
const PIECE = 1 << 20

/** Characters that were read since the last row. */
interface Pending {
  characters: number
}

async function* rowsOf(content: AsyncIterable<Uint8Array>, sum: Hash) {
  const pending: Pending = { characters: 0 }
  const parser = papaparse.parse(papaparse.NODE_STREAM_INPUT, {
    delimiter: ',',
    skipEmptyLines: true,
  })
  const input = Readable.from(textOf(content, { sum, pending }))
  input.on('error', (error) => parser.destroy(error))
  let header: string[] | undefined
  let number = 0
  try {
    for await (const cells of input.pipe(parser) as AsyncIterable<string[]>) {
      number += 1
      pending.characters = 0
      if (header === undefined) header = cells
      else if (cells.length === header.length) {
        yield Object.fromEntries(header.map((name, at) => [name, cells[at] ?? '']))
      } else {
        throw tableFault(`${header.length} values, found ${cells.length} in row ${number}`)
      }
    }
  } finally {
    input.destroy() // whoever stops reading early leaves no half-read file
  }
  if (header === undefined) throw tableFault('a header, found nothing')
}

async function* textOf(
  content: AsyncIterable<Uint8Array>,
  { sum, pending }: { sum: Hash; pending: Pending },
) {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  for await (const bytes of content) {
    sum.update(bytes)
    text += decoded(decoder, bytes)
    if (text.length < PIECE) continue
    pending.characters += text.length
    if (pending.characters > LONGEST_ROW) {
      throw tableFault(`rows of at most ${LONGEST_ROW} characters`)
    }
    yield text
    text = ''
  }
  text += decoded(decoder, undefined)
  if (text !== '') yield text
}

function decoded(decoder: TextDecoder, bytes: Uint8Array | undefined): string {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true })
  } catch {
    throw tableFault('UTF-8, found other bytes')
  }
}

const tableFault = (expected: string) => new FileFault('TABLE_FORM', expected)
