// Point-of-sale products of an account. Called by core/onboarding and core/journal.
import type { PosSystem } from '../model/pos-system.js'
import { reaching, type Store } from './client.js'

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
