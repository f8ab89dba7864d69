// Plain SQL inside a transaction of Prisma, so that both kinds of writers commit together.
import type { Connection, Transaction } from './transaction.js'

/** Values are text, numbers, dates, bytes and null; texts for other columns are cast in the SQL. */
export function connectionOf(tx: Transaction): Connection {
  const query = async (text: string, values: unknown[] = []) => {
    const rows = await tx.$queryRawUnsafe(text, ...values)
    return { rows, rowCount: Array.isArray(rows) ? rows.length : 0 }
  }
  return { query } as unknown as Connection
}
