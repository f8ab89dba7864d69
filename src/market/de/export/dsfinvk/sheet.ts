// One file of the export while it grows: a buffer that overflows into temporary storage.
// Called by pass.ts, and by dsfinvk.ts when the archive is written.
import type { Spool } from '../../../market.js'
import { closingText, headerText, LINE_END, type Row, rowText } from './cells.js'
import type { Column, Table, TableKey } from './tables.js'

/** Small files never reach the temporary storage. */
const OVERFLOW_CHARACTERS = 262_144

export class Sheet<K extends TableKey = TableKey> {
  readonly table: Table
  private readonly openSpool: () => Spool
  private readonly columns: readonly Column[]
  private spool: Spool | undefined
  private closing = ''
  private text: string

  constructor(table: Table, openSpool: () => Spool) {
    this.table = table
    this.columns = table.columns
    this.openSpool = openSpool
    this.text = headerText(table)
  }

  /** The rows that follow belong to this cash point closing. */
  begin(closing: { register: string; moment: string; number: number }): void {
    this.closing = closingText(closing.register, closing.moment, closing.number)
  }

  add(row: Row<K>): void {
    this.text += this.closing + rowText(this.columns, row) + LINE_END
  }

  /** What has been written since the last call, for a file that leaves at once. */
  take(): Buffer {
    const bytes = Buffer.from(this.text)
    this.text = ''
    return bytes
  }

  async overflow(): Promise<void> {
    if (this.text.length < OVERFLOW_CHARACTERS) return
    this.spool ??= this.openSpool()
    await this.spool.write(this.take())
  }

  /** The whole file. */
  async *read(): AsyncGenerator<Uint8Array, void, undefined> {
    if (this.spool !== undefined) yield* this.spool.read()
    if (this.text !== '') yield this.take()
  }

  async close(): Promise<void> {
    await this.spool?.close()
  }
}
