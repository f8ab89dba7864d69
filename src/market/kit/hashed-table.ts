// A table of an archive that is made in one pass: it waits for its place, its hash is known then.
import { createHash, type Hash } from 'node:crypto'
import { csvLines, EXACT } from '../../lib/csv.js'
import type { Spool } from '../../model/export-source.js'

/** Name and text of each column. */
export type Columns<T> = readonly (readonly [name: string, text: (row: T) => string])[]

/** Waits for its place in the archive: its name is the hash of its content. */
export class HashedTable<T> {
  private readonly spool: Spool
  private readonly sum: Hash = createHash('sha256')
  private readonly columns: Columns<T>
  private readonly quoted: boolean[]
  /** Until there are rows. */
  private header: string

  /** `quoted`: names of columns with what a program of the register wrote. */
  constructor(spool: Spool, columns: Columns<T>, quoted: readonly string[] = []) {
    this.spool = spool
    this.columns = columns
    this.quoted = columns.map(([name]) => quoted.includes(name))
    this.header = csvLines([columns.map(([name]) => name)], EXACT)
  }

  /** Behind a header. */
  async add(rows: readonly T[]): Promise<void> {
    const cells = rows.map((row) => this.columns.map(([, text]) => text(row)))
    const bytes = Buffer.from(this.header + csvLines(cells, { ...EXACT, quoted: this.quoted }))
    this.header = ''
    this.sum.update(bytes)
    await this.spool.write(bytes)
  }

  read(): AsyncIterable<Uint8Array> {
    return this.spool.read()
  }

  hash(): string {
    return this.sum.digest('base64url')
  }

  close(): Promise<void> {
    return this.spool.close()
  }
}
