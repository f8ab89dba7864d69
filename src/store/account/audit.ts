import { BEHIND, type Direction } from '../../model/direction.js'
import type { Store } from '../client.js'
import type { Connection, Transaction } from '../transaction.js'

export interface AuditRow {
  accountId: string
  /** Who of it, in the portal; null: a program with its token. */
  personId: string | null
  /** With which of its API keys; null: with none. */
  apiKeyId: string | null
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
      person_id, api_key_id)
    values (${row.accountId}::uuid, ${row.id}::uuid, ${row.onBehalfOf}::uuid,
      ${row.concerns}::uuid, ${row.operation}, ${row.subjects}, ${row.before}, ${row.after},
      ${row.moment}, ${row.traceId}, ${row.personId}::uuid,
      ${row.apiKeyId}::uuid)`
}

/** The same in a transaction of plain SQL. */
export async function insertAuditOn(on: Pick<Connection, 'query'>, row: AuditRow): Promise<void> {
  await on.query(
    `insert into audit_entry
       (account_id, id, on_behalf_of, concerns, operation, subjects, before, after, moment,
        trace_id, person_id, api_key_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      ...[row.accountId, row.id, row.onBehalfOf, row.concerns, row.operation, row.subjects],
      ...[row.before, row.after, row.moment, row.traceId, row.personId],
      row.apiKeyId,
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
  /** Rows behind the one with this id. */
  before?: string | undefined
  /** Left out: newest first. */
  direction?: Direction | undefined
  limit: number
}

/** Who of it, where the account that asks may know. */
export interface AuditFound extends AuditRow {
  accountName: string
  /** Of a person of the account that asks. */
  personName: string | null
  /** Of a key of the account that asks that is still there. */
  apiKeyName: string | null
}

const OURS = ['account_id', 'on_behalf_of', 'concerns'] as const

/** By their moment. One step in each of three indexes, however long the history is. */
export async function listAudit({ pool }: Store, asked: AuditQuestion): Promise<AuditFound[]> {
  const { accountId, operation, from, to, before, limit, direction = 'desc' } = asked
  const wanted = `($2::text is null or operation = $2)
    and ($3::uuid is null or id ${BEHIND[direction]} $3)
    and ($4::timestamptz is null or moment >= $4) and ($5::timestamptz is null or moment < $5)`
  const parts = OURS.map(
    (column) => `(select * from audit_entry where ${column} = $1 and ${wanted}
      order by id ${direction} limit $6)`,
  )
  const { rows } = await pool.query<AuditFound>(
    `select e.account_id as "accountId", e.id, e.on_behalf_of as "onBehalfOf", e.concerns,
       e.operation, e.subjects, e.before, e.after, e.moment, e.trace_id as "traceId",
       e.person_id as "personId", e.api_key_id as "apiKeyId", a.name as "accountName",
       p.name as "personName", k.name as "apiKeyName"
     from (${parts.join(' union ')}) e
     join account a on a.id = e.account_id
     left join person p on p.id = e.person_id and e.account_id = $1
     left join api_key k on k.id = e.api_key_id and k.account_id = e.account_id
       and e.account_id = $1
     order by e.id ${direction} limit $6`,
    [accountId, operation ?? null, before ?? null, from ?? null, to ?? null, limit],
  )
  return rows
}
