// Accounts, connections and receipt apps as rows. Called by core/onboarding.
import type { Account } from '../generated/prisma/client.js'
import { plainBytes } from './bytes.js'
import type { Store } from './client.js'

export type AccountRow = Account

export async function insertAccount(
  { prisma }: Store,
  account: Omit<AccountRow, 'accessTokenHash' | 'accessTokenSealed'> & {
    accessTokenHash: Buffer
    accessTokenSealed: Buffer
  },
): Promise<void> {
  const { accessTokenHash, accessTokenSealed } = account
  await prisma.account.create({
    data: {
      ...account,
      accessTokenHash: plainBytes(accessTokenHash),
      accessTokenSealed: plainBytes(accessTokenSealed),
    },
  })
}

export async function findAccount({ prisma }: Store, id: string): Promise<AccountRow | undefined> {
  return (await prisma.account.findUnique({ where: { id } })) ?? undefined
}

export async function findAccountByEmail(
  { prisma }: Store,
  key: { email: string; kind: string },
): Promise<AccountRow | undefined> {
  return (
    (await prisma.account.findFirst({ where: key, orderBy: { createdAt: 'asc' } })) ?? undefined
  )
}

export async function listAccounts({ prisma }: Store, kinds: string[]): Promise<AccountRow[]> {
  return prisma.account.findMany({
    where: { kind: { in: kinds } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  })
}

export async function replaceToken(
  { prisma }: Store,
  account: { id: string; accessTokenHash: Buffer; accessTokenSealed: Buffer },
): Promise<void> {
  const { id, accessTokenHash, accessTokenSealed } = account
  await prisma.account.update({
    where: { id },
    data: {
      accessTokenHash: plainBytes(accessTokenHash),
      accessTokenSealed: plainBytes(accessTokenSealed),
    },
  })
}

/** The id of the connection; one that exists already gets the new rights. */
export async function insertConnection(
  { prisma }: Store,
  link: { id: string; accountId: string; toAccountId: string; rights: string; createdAt: Date },
): Promise<string> {
  const { accountId, toAccountId, rights } = link
  const row = await prisma.connection.upsert({
    where: { accountId_toAccountId: { accountId, toAccountId } },
    create: { ...link, state: 'active' },
    update: { rights, state: 'active' },
  })
  return row.id
}

export async function findConnectedAccount(
  { prisma }: Store,
  key: { accountId: string; kind: string },
): Promise<AccountRow | undefined> {
  const links = await prisma.connection.findMany({ where: { accountId: key.accountId } })
  const found = await prisma.account.findFirst({
    where: { id: { in: links.map((link) => link.toAccountId) }, kind: key.kind },
    orderBy: { createdAt: 'asc' },
  })
  return found ?? undefined
}

export async function insertReceiptApp(
  { prisma }: Store,
  app: {
    id: string
    name: string
    shareUrl: string | null
    secretHash: Buffer
    secretSealed: Buffer
    createdAt: Date
  },
): Promise<void> {
  const { secretHash, secretSealed } = app
  await prisma.receiptApp.create({
    data: { ...app, secretHash: plainBytes(secretHash), secretSealed: plainBytes(secretSealed) },
  })
}
