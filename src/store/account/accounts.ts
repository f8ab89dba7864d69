// Accounts, connections and receipt apps as rows.
import type { Account } from '../../generated/prisma/client.js'
import { plainBytes } from '../bytes.js'
import type { Store } from '../client.js'
import type { Transaction } from '../transaction.js'

export type AccountRow = Account

/** Address and identifiers; '' where there is none. */
export type CompanyRow = Pick<
  Account,
  'line1' | 'line2' | 'postalCode' | 'city' | 'phone' | 'website' | 'taxNumber' | IdentifierName
>
export type IdentifierName = 'vatId' | 'taxId' | 'fibuNr' | 'gln' | 'siren'

type NewAccountRow = Omit<AccountRow, 'accessTokenHash' | 'accessTokenSealed' | keyof CompanyRow> &
  Partial<CompanyRow> & { accessTokenHash: Buffer; accessTokenSealed: Buffer }

/** The account alone; core/accounts adds its primary outlet in the same transaction. */
export async function insertAccount(
  { prisma }: Pick<Store, 'prisma'> | { prisma: Transaction },
  account: NewAccountRow,
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

export interface AccountAccessRow {
  id: string
  name: string
  market: string
  country: string
  roles: string[]
  autoInvite: boolean
  /** SHA-256 of the access token; undefined: it has none. */
  tokenHash: Buffer | undefined
}

/** What the credentials of an account are checked against. */
export async function findAccountAccess(
  { pool }: Store,
  id: string,
): Promise<AccountAccessRow | undefined> {
  const { rows } = await pool.query<Omit<AccountAccessRow, 'tokenHash'> & { hash: Buffer | null }>({
    name: 'account-access',
    text: `select id, name, market, country, roles, auto_invite as "autoInvite",
      access_token_hash as hash from account where id = $1`,
    values: [id],
  })
  return rows.map(({ hash, ...row }) => ({ ...row, tokenHash: hash ?? undefined }))[0]
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
  { prisma }: Pick<Store, 'prisma'> | { prisma: Transaction },
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
