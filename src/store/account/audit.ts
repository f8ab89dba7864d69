import type { Store } from '../client.js'
import type { Connection, Transaction } from '../transaction.js'

export interface AuditRow {
  accountId: string
  /** Who of it, in the portal; null: a program with its token. */
  personId: string | null
  id: string
  /** Null: the caller's own account. */
  onBehalfOf: string | null
  /** The account on the other side, which may read the row as well. */
  concerns: string | null
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
    (account_id, id, on_behalf_of, concerns, operation, subjects, before, after, moment, trace_id,
      person_id)
    values (${row.accountId}::uuid, ${row.id}::uuid, ${row.onBehalfOf}::uuid,
      ${row.concerns}::uuid, ${row.operation}, ${row.subjects}, ${row.before}, ${row.after},
      ${row.moment}, ${row.traceId}, ${row.personId}::uuid)`
}

/** The same in a transaction of plain SQL. */
export async function insertAuditOn(on: Pick<Connection, 'query'>, row: AuditRow): Promise<void> {
  await on.query(
    `insert into audit_entry
       (account_id, id, on_behalf_of, concerns, operation, subjects, before, after, moment,
        trace_id, person_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      ...[row.accountId, row.id, row.onBehalfOf, row.concerns, row.operation, row.subjects],
      ...[row.before, row.after, row.moment, row.traceId, row.personId],
    ],
  )
}

export interface AuditQuestion {
  /** Rows that this account wrote, that were written on its behalf, or that concern it. */
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
      OR: [{ accountId }, { onBehalfOf: accountId }, { concerns: accountId }],
      ...(operation === undefined ? {} : { operation }),
      ...(before === undefined ? {} : { id: { lt: before } }),
      moment: { ...(from === undefined ? {} : { gte: from }), ...(to ? { lt: to } : {}) },
    },
    orderBy: { id: 'desc' },
    take: limit,
  })
}
