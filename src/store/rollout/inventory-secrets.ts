// The sealed secrets of a queue, for the one view that shows them.
import type { Store } from '../client.js'

/** Null: it has none yet. */
export async function findSecrets(
  { prisma }: Store,
  { accountId, queueId }: { accountId: string; queueId: string },
): Promise<Uint8Array | null> {
  const found = await prisma.queue.findUnique({
    where: { accountId_id: { accountId, id: queueId } },
    select: { secretsSealed: true },
  })
  return found?.secretsSealed ?? null
}
