// Point-of-sale products of an account.
import type { PosSystem } from '../../model/pos-system.js'
import { reaching, type Store } from '../client.js'

export async function insertPosSystem(
  { prisma }: Store,
  system: PosSystem & { accountId: string; createdAt: Date },
): Promise<void> {
  await prisma.posSystem.create({ data: system })
}

/**
 * Oldest first. Plain SQL, because exports ask: Prisma compiles its query engine when it is first
 * used, which takes sixty megabytes of a server that needs it for nothing else.
 */
export async function listPosSystems({ pool }: Store, accountId: string): Promise<PosSystem[]> {
  const found = await reaching(() =>
    pool.query<PosSystem>({
      name: 'pos-systems',
      text: `select id, brand, model, software_version as "softwareVersion",
          base_currency as "baseCurrency", type
        from pos_system where account_id = $1 order by created_at, id`,
      values: [accountId],
    }),
  )
  return found.rows
}

/** Receipts that are looked at: a closing or two name none, a day's sales do. */
const NEWEST = 100

/** ftPosSystemId of the newest receipt of a queue that names one; null: none does. */
export async function newestPosSystemId(
  { pool }: Store,
  { accountId, queueId }: { accountId: string; queueId: string },
): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'newest-pos-system',
    text: `select pos_system_id as id from (
        select row, pos_system_id from queue_item where account_id = $1 and queue_id = $2
        order by row desc limit ${NEWEST}) n
      where pos_system_id is not null order by row desc limit 1`,
    values: [accountId, queueId],
  })
  return rows[0]?.id ?? null
}
