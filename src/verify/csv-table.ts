// Tables by RFC 4180 with a header, row by row as objects of their columns.
import { createHash } from 'node:crypto'
import { TextDecoder } from 'node:util'
import { CsvReader } from '../lib/csv-records.js'

/** The table cannot be read any further. */
export class TableFault extends Error {}

export type TableRow = Readonly<Record<string, string>>

export interface Table {
  /** Names of the columns. */
  header: readonly string[]
  rows: AsyncGenerator<TableRow, void, undefined>
  /** SHA-256 of all bytes, in base64url; after the last row. */
  hash(): string
}

/** Throws TableFault, as reading its rows does: no header, other bytes, a row of another length. */
export async function openTable(content: AsyncIterable<Uint8Array>): Promise<Table> {
  const sum = createHash('sha256')
  const records = recordsOf(content, sum)
  const first = await records.next()
  if (first.done) throw new TableFault('a header, found nothing')
  const header = first.value
  return { header, rows: rowsOf(header, records), hash: () => sum.digest('base64url') }
}

async function* rowsOf(header: readonly string[], records: AsyncIterable<readonly string[]>) {
  let number = 1
  for await (const cells of records) {
    number += 1
    if (cells.length !== header.length) {
      throw new TableFault(`${header.length} values, found ${cells.length} in row ${number}`)
    }
    yield Object.fromEntries(header.map((name, at) => [name, cells[at] ?? '']))
  }
}

async function* recordsOf(content: AsyncIterable<Uint8Array>, sum: ReturnType<typeof createHash>) {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const reader = new CsvReader(',')
  try {
    for await (const bytes of content) {
      sum.update(bytes)
      for (const { cells } of reader.push(decoder.decode(bytes, { stream: true }))) yield cells
    }
    decoder.decode()
  } catch (error) {
    if (error instanceof TypeError) throw new TableFault('UTF-8, found other bytes')
    throw error
  }
  for (const { cells } of reader.end()) yield cells
}
