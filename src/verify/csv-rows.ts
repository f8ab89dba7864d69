// Rows of a DSFinV-K table: UTF-8, semicolon, quotes, CRLF, one row per line.
import { TextDecoder } from 'node:util'

export interface CsvRow {
  /** 1 for the header. */
  number: number
  fields: string[]
  /** What was expected, when the row is not what it must be. */
  fault?: string
}

/** The table cannot be read any further. */
export class CsvFault extends Error {}

/** Two certificates and a key are 3,000 characters; no row needs more than this. */
const LONGEST_ROW = 1 << 16

/** Rows in groups as they come. Throws CsvFault. */
export async function* csvRows(content: AsyncIterable<Buffer>): AsyncGenerator<CsvRow[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let rest = ''
  let number = 0
  for await (const bytes of content) {
    const text = rest + decoded(decoder, bytes)
    const rows: CsvRow[] = []
    let at = 0
    for (;;) {
      const end = text.indexOf('\n', at)
      if (end < 0) break
      number += 1
      rows.push(rowOf(text.slice(at, end), number))
      at = end + 1
    }
    rest = text.slice(at)
    if (rest.length > LONGEST_ROW) {
      throw new CsvFault(
        `rows of at most ${LONGEST_ROW} characters, found more in row ${number + 1}`,
      )
    }
    if (rows.length > 0) yield rows
  }
  decoded(decoder, undefined)
  if (rest === '') return
  const last = rowOf(rest, number + 1)
  yield [{ ...last, fault: last.fault ?? 'CRLF after the last row, found none' }]
}

function decoded(decoder: TextDecoder, bytes: Buffer | undefined): string {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true })
  } catch {
    throw new CsvFault('UTF-8, found other bytes')
  }
}

function rowOf(line: string, number: number): CsvRow {
  const hasReturn = line.endsWith('\r')
  const text = hasReturn ? line.slice(0, -1) : line
  const fields: string[] = []
  let at = 0
  for (;;) {
    const end = text.charAt(at) === '"' ? quoted(text, at, fields) : plain(text, at, fields)
    if (end < 0) return { number, fields, fault: 'quotes around a whole value, doubled inside' }
    if (end === text.length) break
    at = end + 1
  }
  return hasReturn ? { number, fields } : { number, fields, fault: 'CRLF after each row, found LF' }
}

/** End of the value, or -1 when its quotes are wrong. */
function plain(text: string, from: number, fields: string[]): number {
  const found = text.indexOf(';', from)
  const end = found < 0 ? text.length : found
  const value = text.slice(from, end)
  fields.push(value)
  return value.includes('"') ? -1 : end
}

function quoted(text: string, from: number, fields: string[]): number {
  let at = from + 1
  for (;;) {
    const quote = text.indexOf('"', at)
    if (quote < 0) return -1
    if (text.charAt(quote + 1) === '"') {
      at = quote + 2
      continue
    }
    const value = text.slice(from + 1, quote)
    fields.push(value.includes('"') ? value.replaceAll('""', '"') : value)
    const end = quote + 1
    return end === text.length || text.charAt(end) === ';' ? end : -1
  }
}
