// Point-of-sale products of an account. Called by core/onboarding and core/journal.
import type { PosSystem } from '../model/pos-system.js'
import { reaching, type Store } from './client.js'

export async function insertPosSystem(
  { prisma }: Store,
  system: PosSystem & { accountId: string; createdAt: Date },
): Promise<void> {
  await prisma.posSystem.create({ data: system })
}

/** Oldest first. */
export async function listPosSystems({ prisma }: Store, accountId: string): Promise<PosSystem[]> {
  const found = await reaching(() =>
    prisma.posSystem.findMany({
      where: { accountId },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    }),
  )
  return found.map(({ id, brand, model, softwareVersion, baseCurrency, type }) => ({
    id,
    brand,
    model,
    softwareVersion,
    baseCurrency,
    type,
  }))
}
