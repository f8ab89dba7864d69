// One file of the export while it grows: blocks of bytes that overflow into temporary storage.
import type { Spool } from '../../../../model/export-source.js'
import { CellWriter } from './cell-writer.js'
import { closingText, headerText, LINE_END, type NumberCell, type Row, SEPARATOR } from './cells.js'
import type { Column, Table, TableKey } from './tables.js'

/** Small files never reach the temporary storage. */
const OVERFLOW_BLOCKS = 8

const SEPARATOR_CODE = SEPARATOR.charCodeAt(0)
const LINE_END_BYTES = Buffer.from(LINE_END)

export class Sheet<K extends TableKey = TableKey> {
  readonly table: Table
  private readonly openSpool: () => Spool
  private readonly columns: readonly Column[]
  private readonly writer = new CellWriter()
  private spool: Spool | undefined
  /** The first cells of every row. */
  private closing = Buffer.alloc(0)

  constructor(table: Table, openSpool: () => Spool) {
    this.table = table
    this.columns = table.columns
    this.openSpool = openSpool
    this.writer.bytes(Buffer.from(headerText(table)))
  }

  /** The rows that follow belong to this cash point closing. */
  begin(closing: { register: string; moment: string; number: number }): void {
    this.closing = Buffer.from(closingText(closing.register, closing.moment, closing.number))
  }

  add(row: Row<K>): void {
    const { writer } = this
    const cells: Record<string, string | NumberCell> = row
    writer.bytes(this.closing)
    for (const column of this.columns) {
      const cell = cells[column.name]
      writer.sign(SEPARATOR_CODE)
      if (column.kind === 'text') {
        const value = typeof cell === 'string' ? cell : ''
        if (column.exact) writer.exact(value)
        else writer.text(value, column.max)
      } else if (typeof cell !== 'string') writer.number(cell ?? null, column.decimals)
    }
    writer.bytes(LINE_END_BYTES)
  }

  /** Pieces that are complete, for a file that leaves at once; each is read before the next. */
  *leave(): Generator<Buffer, void, undefined> {
    for (const block of this.writer.takeFull()) {
      yield block
      this.writer.giveBack(block)
    }
  }

  async overflow(): Promise<void> {
    if (this.writer.fullBlocks < OVERFLOW_BLOCKS) return
    this.spool ??= this.openSpool()
    for (const block of this.writer.takeFull()) {
      await this.spool.write(block)
      this.writer.giveBack(block)
    }
  }

  /** The whole file, or what of it has not been taken yet. */
  async *read(): AsyncGenerator<Uint8Array, void, undefined> {
    if (this.spool !== undefined) yield* this.spool.read()
    yield* this.writer.takeFull()
    const rest = this.writer.takeRest()
    if (rest.length > 0) yield rest
  }

  async close(): Promise<void> {
    await this.spool?.close()
  }
}
