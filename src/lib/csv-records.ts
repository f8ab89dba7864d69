// Reads a table by RFC 4180 piece by piece: quotes, doubled quotes, line breaks inside quotes, and
// CRLF, LF and CR as line ends, mixed as they come.

/** Cells of one record beyond this are counted, not kept. */
const MOST_CELLS = 1_000

export interface CsvRecord {
  cells: string[]
  /** How many there are in the file. */
  count: number
}

/** Where the reader stands. */
type State = 'start' | 'plain' | 'quoted' | 'closed'

export class CsvReader {
  private readonly separator: string
  private state: State = 'start'
  private cells: string[] = []
  private count = 0
  private cell = ''
  /** The last character was a CR: an LF behind it belongs to it. */
  private returned = false

  constructor(separator: string) {
    this.separator = separator
  }

  /** Records that this piece completes. */
  *push(piece: string): Generator<CsvRecord> {
    let at = 0
    while (at < piece.length) {
      const sign = piece[at] ?? ''
      if (this.returned) {
        this.returned = false
        if (sign === '\n') {
          at += 1
          continue
        }
      }
      if (this.state === 'quoted') {
        at = this.quoted(piece, at)
        continue
      }
      if (sign === this.separator) this.endCell()
      else if (sign === '\n' || sign === '\r') {
        this.returned = sign === '\r'
        yield this.endRecord()
      } else {
        at = this.other(piece, at)
        continue
      }
      at += 1
    }
  }

  /** What stands behind the last line end. */
  *end(): Generator<CsvRecord> {
    if (this.count > 0 || this.state !== 'start') yield this.endRecord()
  }

  /** The next place behind what was taken. */
  private quoted(piece: string, at: number): number {
    const close = piece.indexOf('"', at)
    if (close < 0) {
      this.cell += piece.slice(at)
      return piece.length
    }
    this.cell += piece.slice(at, close)
    this.state = 'closed'
    return close + 1
  }

  private other(piece: string, at: number): number {
    if (piece[at] === '"' && (this.state === 'start' || this.state === 'closed')) {
      // a quote behind a closing one was a doubled one
      if (this.state === 'closed') this.cell += '"'
      this.state = 'quoted'
      return at + 1
    }
    let end = at + 1
    while (end < piece.length && !this.stops(piece[end] ?? '')) end += 1
    this.cell += piece.slice(at, end)
    this.state = 'plain'
    return end
  }

  private stops(sign: string): boolean {
    return sign === this.separator || sign === '\n' || sign === '\r'
  }

  private endCell(): void {
    this.count += 1
    if (this.cells.length < MOST_CELLS) this.cells.push(this.cell)
    this.cell = ''
    this.state = 'start'
  }

  private endRecord(): CsvRecord {
    this.endCell()
    const record = { cells: this.cells, count: this.count }
    this.cells = []
    this.count = 0
    return record
  }
}
