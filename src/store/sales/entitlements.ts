// What dealers may still roll out: lots of terms, the oldest used up first.

import type { Store } from '../client.js'
import type { Transaction } from '../transaction.js'

export interface NewLot {
  accountId: string
  id: string
  name: string
  market: string
  /** Decimal text with at most two digits behind the point. */
  terms: string
  validFrom: Date
  /** Exclusive. */
  validTo: Date | null
  createdAt: Date
}

export async function insertLot(tx: Transaction, { terms, ...lot }: NewLot): Promise<void> {
  await tx.entitlementLot.create({ data: { ...lot, total: terms, remaining: terms } })
}

export interface EntitlementSum {
  name: string
  /** Decimal text. */
  total: string
  remaining: string
}

export interface SumsWanted {
  accountId: string
  market: string
  now: Date
  /** The name before. */
  after?: string | undefined
  most: number
}

/** By name; lots that are over, not yet valid or used up are left out. */
export async function sumEntitlements(
  { pool }: Pick<Store, 'pool'>,
  { accountId, market, now, after, most }: SumsWanted,
): Promise<EntitlementSum[]> {
  const { rows } = await pool.query<EntitlementSum>({
    text: `select name, sum(total)::text as total, sum(remaining)::text as remaining
      from entitlement_lot where account_id = $1 and market = $2 and remaining > 0
        and valid_from <= $3 and (valid_to is null or valid_to > $3)
        and ($4::text is null or name > $4)
      group by name order by name limit $5`,
    values: [accountId, market, now, after ?? null, most],
  })
  return rows
}

export interface Lot {
  id: string
  remaining: number
}

interface LotQuestion {
  accountId: string
  market: string
  names: readonly string[]
  now: Date
}

/** The lots of these names, oldest first; nobody else uses them up until the transaction ends. */
export async function lockLots(
  tx: Transaction,
  { accountId, market, names, now }: LotQuestion,
): Promise<(Lot & { name: string })[]> {
  const rows = await tx.$queryRawUnsafe<{ id: string; name: string; remaining: string }[]>(
    `select id, name, remaining::text as remaining from entitlement_lot
     where account_id = $1::uuid and market = $2
       and name = any(array(select jsonb_array_elements_text($3::jsonb)))
       and remaining > 0 and valid_from <= $4 and (valid_to is null or valid_to > $4)
     order by valid_from, id for update`,
    accountId,
    market,
    JSON.stringify(names),
    now,
  )
  return rows.map((row) => ({ ...row, remaining: Number(row.remaining) }))
}

/** Takes terms out of a lot, or puts them back when they are negative. */
export async function takeTerms(
  tx: Transaction,
  { accountId, id, terms }: { accountId: string; id: string; terms: number },
): Promise<void> {
  await tx.$executeRaw`update entitlement_lot set remaining = remaining - ${terms}
    where account_id = ${accountId}::uuid and id = ${id}::uuid`
}
