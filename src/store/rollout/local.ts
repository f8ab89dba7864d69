// The one merchant of a local middleware as rows, as the other server names it.
import { type Store, TRANSACTION } from '../client.js'

export interface LocalAccount {
  id: string
  market: string
  name: string
  line1: string
  postalCode: string
  city: string
  country: string
  vatId: string
  taxId: string
  outlet: { id: string; name: string; details: string }
  createdAt: Date
}

/** Without access token: nobody calls the Dealer API here. */
export async function putLocalAccount({ prisma }: Store, local: LocalAccount): Promise<void> {
  const { id, outlet, createdAt, ...data } = local
  await prisma.$transaction(async (tx) => {
    await tx.account.upsert({
      where: { id },
      create: { ...data, id, createdAt, kind: 'PosOperator', email: '', roles: [] },
      update: data,
    })
    const place = { name: outlet.name, details: outlet.details }
    await tx.outlet.upsert({
      where: { accountId_number: { accountId: id, number: 1 } },
      create: { ...place, id: outlet.id, accountId: id, number: 1, createdAt },
      update: place,
    })
  }, TRANSACTION)
}
