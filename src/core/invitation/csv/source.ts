// A file in memory as text and as records; read twice, never copied as a whole. Called by
// imports.ts.
import { CsvReader } from '../../../lib/csv-records.js'

export type Chunks = readonly Buffer[]

const MARKS: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/** By its mark; else UTF-8, or code page 1252 for what is no UTF-8. */
export function encodingOf(chunks: Chunks): string {
  const head = Buffer.concat(chunks.slice(0, 4).map((chunk) => chunk.subarray(0, 4)))
  const marked = MARKS.find(([, mark]) => mark.every((byte, at) => head[at] === byte))
  if (marked !== undefined) return marked[0]
  return isUtf8(chunks) ? 'utf-8' : 'windows-1252'
}

function isUtf8(chunks: Chunks): boolean {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for (const chunk of chunks) decoder.decode(chunk, { stream: true })
    decoder.decode()
    return true
  } catch {
    // fatal: this is how the decoder says no
    return false
  }
}

export function* textsOf(chunks: Chunks, encoding: string): Generator<string> {
  const decoder = new TextDecoder(encoding)
  for (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

export interface SourceRecord {
  /** The header is line 1; empty lines are not counted. */
  line: number
  cells: string[]
  count: number
}

/** Those that are not empty; values without blanks around them. */
export function* recordsOf(
  chunks: Chunks,
  encoding: string,
  separator: string,
): Generator<SourceRecord> {
  const reader = new CsvReader(separator)
  let line = 0
  const shown = function* (records: Iterable<{ cells: string[]; count: number }>) {
    for (const { cells, count } of records) {
      const values = cells.map(cellValue)
      if (values.every((value) => value === '')) continue
      line += 1
      yield { line, cells: values, count }
    }
  }
  for (const text of textsOf(chunks, encoding)) yield* shown(reader.push(text))
  yield* shown(reader.end())
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it takes out
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g

/** An apostrophe in front of a sign that spreadsheets would run is our own. */
function cellValue(cell: string): string {
  return cell
    .replace(CONTROLS, '')
    .trim()
    .replace(/^'(?=[=+\-@])/, '')
}
