// Tables that are read beside each other: rows in the order of their numbers, looked at before they
// are taken.
import type { TableRow } from './csv-table.js'

export class RowsByNumber {
  private readonly rows: AsyncGenerator<TableRow, void, undefined>
  private readonly numberOf: (row: TableRow) => number
  private next: TableRow | undefined
  private isDone = false

  constructor(rows: AsyncGenerator<TableRow, void, undefined>, number: (row: TableRow) => number) {
    this.rows = rows
    this.numberOf = number
  }

  /** Rows with a smaller number, or none that can be read. */
  async before(number: number): Promise<TableRow[]> {
    const found: TableRow[] = []
    for (;;) {
      const row = await this.peek()
      if (row === undefined || this.numberOf(row) >= number) return found
      this.next = undefined
      found.push(row)
    }
  }

  async at(number: number): Promise<TableRow | undefined> {
    const row = await this.peek()
    if (row === undefined || this.numberOf(row) !== number) return undefined
    this.next = undefined
    return row
  }

  private async peek(): Promise<TableRow | undefined> {
    if (this.next !== undefined || this.isDone) return this.next
    const { value, done } = await this.rows.next()
    this.isDone = done === true
    this.next = value ?? undefined
    return this.next
  }
}
