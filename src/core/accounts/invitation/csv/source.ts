// A file on the disk as text and as records: read more than once, never in memory as a whole.
import { CsvReader } from '../../../../lib/csv-records.js'
import { openSpool, type SpoolPlace, spooled } from '../../../journal/spool.js'

export interface SourceFile {
  encoding: string
  /** By its first bytes: no text at all, whatever it is called. */
  foreign: boolean
  /** Undefined: it is empty. */
  place: SpoolPlace | undefined
}

/** As it has arrived, until it is closed. */
export interface KeptFile extends SourceFile {
  /** Nothing of it stays behind. */
  close(): Promise<void>
}

const MARKS: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]
const LOOKED_AT = 512

/** Zeros stand in no text but in UTF-16; a PDF begins with letters. */
function isForeign(head: Buffer, encoding: string): boolean {
  if (head.subarray(0, 5).toString('latin1') === '%PDF-') return true
  return !encoding.startsWith('utf-16') && head.includes(0)
}

/** Encoding by its mark; else UTF-8, or code page 1252 for what is no UTF-8. */
export async function keptFile(file: AsyncIterable<Buffer>): Promise<KeptFile> {
  const spool = openSpool()
  const utf8 = new Utf8Check()
  let head = Buffer.alloc(0)
  try {
    for await (const piece of file) {
      if (head.length < LOOKED_AT) head = Buffer.concat([head, piece.subarray(0, LOOKED_AT)])
      utf8.push(piece)
      await spool.write(piece)
    }
  } catch (error) {
    await spool.close()
    throw error
  }
  const marked = MARKS.find(([, mark]) => mark.every((byte, at) => head[at] === byte))
  const encoding = marked?.[0] ?? (utf8.ends() ? 'utf-8' : 'windows-1252')
  const foreign = isForeign(head, encoding)
  return { encoding, foreign, place: await spool.place(), close: () => spool.close() }
}

class Utf8Check {
  private readonly decoder = new TextDecoder('utf-8', { fatal: true })
  private good = true

  push(piece: Uint8Array): void {
    if (this.good) this.good = this.takes(piece, true)
  }

  /** Whether all of it was UTF-8. */
  ends(): boolean {
    return this.good && this.takes(new Uint8Array(), false)
  }

  private takes(piece: Uint8Array, stream: boolean): boolean {
    try {
      this.decoder.decode(piece, { stream })
      return true
    } catch {
      // fatal: this is how the decoder says no
      return false
    }
  }
}

async function* textsOf({ encoding, place }: SourceFile): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const piece of place === undefined ? [] : spooled(place))
    yield decoder.decode(piece, { stream: true })
  yield decoder.decode()
}

export interface SourceRecord {
  /** The header is line 1; empty lines are not counted. */
  line: number
  cells: string[]
  count: number
}

/** Those that are not empty, piece by piece; values without blanks around them. */
export async function* recordsOf(
  file: SourceFile,
  separator: string,
): AsyncGenerator<SourceRecord[]> {
  const reader = new CsvReader(separator)
  let line = 0
  const shown = (records: Iterable<{ cells: string[]; count: number }>) => {
    const found: SourceRecord[] = []
    for (const { cells, count } of records) {
      const values = cells.map(cellValue)
      if (values.every((value) => value === '')) continue
      line += 1
      found.push({ line, cells: values, count })
    }
    return found
  }
  for await (const text of textsOf(file)) yield shown(reader.push(text))
  yield shown(reader.end())
}

/** The header; undefined: there is nothing but white space. */
export async function firstRecord(
  file: SourceFile,
  separator: string,
): Promise<SourceRecord | undefined> {
  for await (const [first] of recordsOf(file, separator)) {
    if (first !== undefined) return first
  }
  return undefined
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
