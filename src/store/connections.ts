// What one account may do with another one. Called by core/onboarding, core/operators and by
// api/dealer through it.
import type { Transaction } from './audit.js'
import type { Store } from './client.js'

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

/**
 * The id of the connection. One that exists already gets the new rights; an active one stays
 * active.
 */
export async function putConnection(
  { prisma }: { prisma: Transaction },
  link: NewConnection,
): Promise<string> {
  const { accountId, toAccountId, rights, state } = link
  const row = await prisma.connection.upsert({
    where: { accountId_toAccountId: { accountId, toAccountId } },
    create: link,
    update: { rights, ...(state === 'active' ? { state } : {}) },
  })
  return row.id
}

export interface ConnectionRow {
  id: string
  accountId: string
  toAccountId: string
  rights: Right
  state: ConnectionState
}

/** In whatever state; undefined: there is none. */
export async function findConnection(
  { prisma }: { prisma: Transaction },
  key: { accountId: string; toAccountId: string },
): Promise<ConnectionRow | undefined> {
  const found = await prisma.connection.findUnique({ where: { accountId_toAccountId: key } })
  return found === null ? undefined : (found as ConnectionRow)
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
      left join connection c on c.account_id = $1 and c.to_account_id = a.id and c.state = 'active'
      where a.id = $2 and (a.id = $1 or c.id is not null)`,
    values: [key.accountId, key.operatorId],
  })
  return rows[0]
}
