// A table of an archive that is made in one pass: it waits for its place, its hash is known then.
import { createHash, type Hash } from 'node:crypto'
import { csvLines, EXACT } from '../../lib/csv.js'
import type { Spool } from '../../model/export-source.js'

/** Name and text of each column; only what a program of the register wrote is quoted. */
export type Columns<T> = readonly (readonly [
  name: string,
  text: (row: T) => string,
  quoted?: 'quoted',
])[]

/** Waits for its place in the archive: its name is the hash of its content. */
export class HashedTable<T> {
  private readonly spool: Spool
  private readonly sum: Hash = createHash('sha256')
  private readonly columns: Columns<T>

  constructor(spool: Spool, columns: Columns<T>) {
    this.spool = spool
    this.columns = columns
  }

  /** Rows that are meant, behind a header. */
  async fill(pages: AsyncIterable<T[]>, isMeant: (row: T) => boolean): Promise<void> {
    const quoted = this.columns.map(([, , how]) => how !== undefined)
    await this.write(csvLines([this.columns.map(([name]) => name)], EXACT))
    for await (const page of pages) {
      const cells = page.filter(isMeant).map((row) => this.columns.map(([, text]) => text(row)))
      await this.write(csvLines(cells, { ...EXACT, quoted }))
    }
  }

  private async write(text: string): Promise<void> {
    const bytes = Buffer.from(text)
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
