// What one account may do with another one.

import type { Store } from '../client.js'
import type { Transaction } from '../transaction.js'

export const RIGHTS = ['None', 'Read', 'ReadWrite', 'Full'] as const
export type Right = (typeof RIGHTS)[number]
export type ConnectionState = 'pending' | 'active'

/** Whether `given` is at least `needed`. */
export function grants(given: Right, needed: Right): boolean {
  return RIGHTS.indexOf(given) >= RIGHTS.indexOf(needed)
}

export interface NewConnection {
  id: string
  accountId: string
  toAccountId: string
  rights: Right
  state: ConnectionState
  createdAt: Date
}

/** Condition on a row `c`: it grants something, by the clock that all servers share. */
export const ACTIVE = "c.state = 'active' and (c.ends_at is null or c.ends_at > now())"

/** Condition on a row `c`: whoever has it may read the other account now. */
export const READS = `${ACTIVE} and c.rights in ('Read', 'ReadWrite', 'Full')`

/**
 * The id of the connection. One that exists already gets the new rights; an active one stays
 * active, and one that has ended begins anew.
 */
export async function putConnection(
  { prisma }: { prisma: Transaction },
  { id, accountId, toAccountId, rights, state, createdAt }: NewConnection,
): Promise<string> {
  const rows = await prisma.$queryRawUnsafe<{ id: string }[]>(
    `insert into connection as c (id, account_id, to_account_id, rights, state, created_at)
     values ($1::uuid, $2::uuid, $3::uuid, $4, $5, $6::timestamptz)
     on conflict (account_id, to_account_id) do update set rights = excluded.rights,
       state = case when c.state = 'active' and c.ends_at <= now() then excluded.state
         when excluded.state = 'active' then 'active' else c.state end,
       ends_at = case when excluded.state = 'active' or c.ends_at <= now() then null
         else c.ends_at end
     returning id`,
    ...[id, accountId, toAccountId, rights, state, createdAt],
  )
  return rows[0]?.id ?? id
}

export interface ConnectionRow {
  id: string
  accountId: string
  toAccountId: string
  rights: Right
  /** ended: it grants nothing any more. */
  state: ConnectionState | 'ended'
  /** Of one that has ended, or will. */
  endsAt: Date | null
}

const ROW = `c.id, c.account_id as "accountId", c.to_account_id as "toAccountId", c.rights,
  case when c.ends_at <= now() then 'ended' else c.state end as state, c.ends_at as "endsAt"`
const OF_BOTH = 'c.account_id = $1::uuid and c.to_account_id = $2::uuid'

/** In whatever state; undefined: there is none. */
export async function findConnection(
  { prisma }: { prisma: Transaction },
  { accountId, toAccountId }: { accountId: string; toAccountId: string },
): Promise<ConnectionRow | undefined> {
  const rows = await prisma.$queryRawUnsafe<ConnectionRow[]>(
    `select ${ROW} from connection c where ${OF_BOTH}`,
    ...[accountId, toAccountId],
  )
  return rows[0]
}

/** What a caller may know and do of an operator. */
export interface OperatorAccess {
  id: string
  name: string
  market: string
  country: string
  right: Right
}

/**
 * The operator of an active connection with the right that it grants; undefined: there is none.
 * The caller's own account is its operator with Full.
 */
export async function findOperator(
  { pool }: Store,
  key: { accountId: string; operatorId: string },
): Promise<OperatorAccess | undefined> {
  const { rows } = await pool.query<OperatorAccess>({
    name: 'operator-access',
    text: `select a.id, a.name, a.market, a.country,
        case when a.id = $1 then 'Full' else c.rights end as right
      from account a
      left join connection c on c.account_id = $1 and c.to_account_id = a.id and ${ACTIVE}
      where a.id = $2 and (a.id = $1 or c.id is not null)`,
    values: [key.accountId, key.operatorId],
  })
  return rows[0]
}
