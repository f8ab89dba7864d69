// What cash boxes were last published with. Called by core/stock.
import type { Transaction } from './audit.js'
import { plainBytes } from './bytes.js'
import type { Store } from './client.js'

interface Key {
  accountId: string
  /** Of the cash box. */
  id: string
}

const sealedFor = (id: string): string => `publication:${id}`

export async function writePublication(
  tx: Transaction,
  { sealer }: Pick<Store, 'sealer'>,
  { accountId, id, timeStamp, document }: Key & { timeStamp: bigint; document: string },
): Promise<void> {
  const documentSealed = plainBytes(sealer.seal(document, sealedFor(id)))
  await tx.publication.upsert({
    where: { accountId_id: { accountId, id } },
    create: { accountId, id, documentSealed },
    update: { documentSealed },
  })
  await tx.$executeRaw`update cash_box set published_at = greatest(time_stamp, ${timeStamp})
    where account_id = ${accountId}::uuid and id = ${id}::uuid`
}

/** Undefined: it was never published. */
export async function readPublication(
  { prisma, sealer }: Store,
  { accountId, id }: Key,
): Promise<string | undefined> {
  const found = await prisma.publication.findUnique({ where: { accountId_id: { accountId, id } } })
  return found === null ? undefined : sealer.open(Buffer.from(found.documentSealed), sealedFor(id))
}
