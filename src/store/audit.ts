// Who changed what: append-only rows, written in the transaction of the change. Called by
// core/audit.
import type { Prisma } from '../generated/prisma/client.js'
import type { Store } from './client.js'
import type { Connection } from './issued.js'

/** A transaction that is open; every statement on it commits with the others or not at all. */
export type Transaction = Prisma.TransactionClient

export interface AuditRow {
  accountId: string
  id: string
  /** Null: the caller's own account. */
  onBehalfOf: string | null
  operation: string
  /** JSON object. */
  subjects: string
  before: string | null
  after: string | null
  moment: Date
  traceId: string
}

export async function insertAudit(tx: Transaction, row: AuditRow): Promise<void> {
  await tx.$executeRaw`insert into audit_entry
    (account_id, id, on_behalf_of, operation, subjects, before, after, moment, trace_id)
    values (${row.accountId}::uuid, ${row.id}::uuid, ${row.onBehalfOf}::uuid, ${row.operation},
      ${row.subjects}, ${row.before}, ${row.after}, ${row.moment}, ${row.traceId})`
}

/** The same in a transaction of plain SQL. */
export async function insertAuditOn(on: Pick<Connection, 'query'>, row: AuditRow): Promise<void> {
  await on.query(
    `insert into audit_entry
       (account_id, id, on_behalf_of, operation, subjects, before, after, moment, trace_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      ...[row.accountId, row.id, row.onBehalfOf, row.operation, row.subjects],
      ...[row.before, row.after, row.moment, row.traceId],
    ],
  )
}

export interface AuditQuestion {
  /** Rows that this account wrote, or that were written on its behalf. */
  accountId: string
  operation?: string | undefined
  from?: Date | undefined
  /** Exclusive. */
  to?: Date | undefined
  /** Rows older than the one with this id. */
  before?: string | undefined
  limit: number
}

/** Newest first. */
export async function listAudit({ prisma }: Store, asked: AuditQuestion): Promise<AuditRow[]> {
  const { accountId, operation, from, to, before, limit } = asked
  return prisma.auditEntry.findMany({
    where: {
      OR: [{ accountId }, { onBehalfOf: accountId }],
      ...(operation === undefined ? {} : { operation }),
      ...(before === undefined ? {} : { id: { lt: before } }),
      moment: { ...(from === undefined ? {} : { gte: from }), ...(to ? { lt: to } : {}) },
    },
    orderBy: { id: 'desc' },
    take: limit,
  })
}
