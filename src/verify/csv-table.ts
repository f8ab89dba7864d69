// Tables by RFC 4180 with a header and commas, row by row as objects of their columns.
import { createHash, type Hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { TextDecoder } from 'node:util'
import papaparse from 'papaparse'

/** The table cannot be read any further. */
export class TableFault extends Error {}

export type TableRow = Readonly<Record<string, string>>

export interface Table {
  rows: AsyncGenerator<TableRow, void, undefined>
  /** SHA-256 of all bytes, in base64url; after the last row. */
  hash(): string
}

/** Reading the rows throws TableFault: no header, other bytes, a row of another length. */
export function openTable(content: AsyncIterable<Uint8Array>): Table {
  const sum = createHash('sha256')
  return { rows: rowsOf(content, sum), hash: () => sum.digest('base64url') }
}

async function* rowsOf(content: AsyncIterable<Uint8Array>, sum: Hash) {
  const parser = papaparse.parse(papaparse.NODE_STREAM_INPUT, {
    delimiter: ',',
    skipEmptyLines: true,
  })
  const input = Readable.from(textOf(content, sum))
  input.on('error', (error) => parser.destroy(error))
  let header: string[] | undefined
  let number = 0
  for await (const cells of input.pipe(parser) as AsyncIterable<string[]>) {
    number += 1
    if (header === undefined) header = cells
    else if (cells.length === header.length) {
      yield Object.fromEntries(header.map((name, at) => [name, cells[at] ?? '']))
    } else {
      throw new TableFault(`${header.length} values, found ${cells.length} in row ${number}`)
    }
  }
  if (header === undefined) throw new TableFault('a header, found nothing')
}

async function* textOf(content: AsyncIterable<Uint8Array>, sum: Hash) {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const bytes of content) {
    sum.update(bytes)
    const text = decoded(decoder, bytes)
    if (text !== '') yield text
  }
  decoded(decoder, undefined)
}

function decoded(decoder: TextDecoder, bytes: Uint8Array | undefined): string {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true })
  } catch {
    throw new TableFault('UTF-8, found other bytes')
  }
}
