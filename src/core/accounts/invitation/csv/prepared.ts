// Rows of a file as the statement takes that stores them, written down until all were looked at.
import type { NewInvitation } from '../../../../store/account/invitations.js'
import { openSpool } from '../../../journal/spool.js'

/**
 * In batches, in the order in which they came. What is ready needs a short transaction: for as long
 * as one is open, PostgreSQL keeps every state that a queue has had meanwhile, and a receipt passes
 * all of them.
 */
export class PreparedRows {
  private readonly spool = openSpool()
  private readonly sizes: number[] = []

  async add(rows: readonly NewInvitation[]): Promise<void> {
    if (rows.length === 0) return
    const bytes = Buffer.from(JSON.stringify(rows))
    await this.spool.write(bytes)
    this.sizes.push(bytes.length)
  }

  /** Each as JSON text. */
  async *batches(): AsyncGenerator<string, void, undefined> {
    let read = Buffer.alloc(0)
    const sizes = this.sizes.values()
    let { value: size } = sizes.next()
    for await (const piece of this.spool.read()) {
      read = Buffer.concat([read, piece])
      while (size !== undefined && read.length >= size) {
        yield read.toString('utf8', 0, size)
        read = read.subarray(size)
        size = sizes.next().value
      }
    }
  }

  /** Nothing of it stays behind. */
  close(): Promise<void> {
    return this.spool.close()
  }
}
