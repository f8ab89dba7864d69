// Accounts and what connects them: dealers, creators, operators, receipt apps.
import { randomBytes } from 'node:crypto'
import { fail } from '../../errors.js'
import { sha256 } from '../../lib/hash.js'
import { isUuid, randomId } from '../../lib/id.js'
import { rolesOf as heldRoles } from '../../model/roles.js'
import {
  type AccountRow,
  type CompanyRow,
  findAccount,
  insertAccount,
  insertReceiptApp,
  listAccounts,
  replaceToken,
} from '../../store/account/accounts.js'
import { putConnection, RIGHTS, type Right } from '../../store/account/connections.js'
import { insertOutlet } from '../../store/account/outlets.js'
import { type Store, TRANSACTION } from '../../store/client.js'
import type { Transaction } from '../../store/transaction.js'

export const TOKEN_BYTES = 32
export const accountSecrets = (id: string): string => `account:${id}`
export const appSecrets = (id: string): string => `receipt-app:${id}`

export interface NewAccount {
  kind: 'PosDealer' | 'PosCreator' | 'PosOperator'
  name: string
  market: string
  country: string
  email: string
  roles: string[]
  autoInvite: boolean
  /** Address, telephone and identifiers; what is left out is empty. */
  company?: Partial<CompanyRow>
}

export interface AccountAccess {
  accountId: string
  accessToken: string
}

interface AccountDeps {
  store: Store
  now(): Date
}

/** Makes the account with a fresh access token of 256 random bits, and its primary outlet. */
export function createAccount(deps: AccountDeps, account: NewAccount): Promise<AccountAccess> {
  const create = (tx: Transaction) => createAccountIn(deps, tx, account)
  return deps.store.prisma.$transaction(create, TRANSACTION)
}

/** The same as part of a transaction. */
export async function createAccountIn(
  { store, now }: AccountDeps,
  tx: Transaction,
  { company = {}, ...account }: NewAccount,
): Promise<AccountAccess> {
  const id = randomId()
  const accessToken = newAccountToken()
  const createdAt = now()
  await insertAccount(
    { prisma: tx },
    {
      ...account,
      ...company,
      id,
      accessTokenHash: sha256(accessToken),
      accessTokenSealed: store.sealer.seal(accessToken, accountSecrets(id)),
      createdAt,
    },
  )
  const { line1 = '', postalCode = '', city = '', phone = '' } = company
  const address = { address: line1, postalCode, city, country: account.country }
  await insertOutlet(tx, {
    accountId: id,
    id: randomId(),
    number: 1,
    outlet: {
      ...NO_DETAILS,
      name: account.name,
      telephone: phone === '' ? null : phone,
      ...address,
    },
    createdAt,
  })
  return { accountId: id, accessToken }
}

const NO_DETAILS = {
  locationId: null,
  contactName: null,
  telephone: null,
  fax: null,
  county: null,
  stateOrProvince: null,
}

/** 44 characters, as the field's clients know it. */
function newAccountToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64')
}

function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}

/** A new token; the old one stops at once. */
export async function resetToken(
  { store }: AccountDeps,
  accountId: string,
): Promise<AccountAccess> {
  const { id } = await accountOf(store, accountId)
  const accessToken = newAccountToken()
  await replaceToken(store, {
    id,
    accessTokenHash: sha256(accessToken),
    accessTokenSealed: store.sealer.seal(accessToken, accountSecrets(id)),
  })
  return { accountId: id, accessToken }
}

/** An active connection: `accountId` may do `rights` with the things of `toAccountId`. */
export async function connectAccounts(
  { store, now }: AccountDeps,
  link: { accountId: string; toAccountId: string; rights: string },
): Promise<{ connectionId: string }> {
  const account = await accountOf(store, link.accountId)
  const other = await accountOf(store, link.toAccountId)
  if (!isRight(link.rights)) {
    throw fail('FIELD_INVALID', { field: 'rights', expected: RIGHTS.join(', ') })
  }
  const ids = { id: randomId(), accountId: account.id, toAccountId: other.id }
  const state = { rights: link.rights, state: 'active', createdAt: now() } as const
  return { connectionId: await putConnection(store, { ...ids, ...state }) }
}

function isRight(text: string): text is Right {
  return (RIGHTS as readonly string[]).includes(text)
}

/** The access data of an account, the token opened. */
export function accessOf(store: Store, account: AccountRow): AccountAccess {
  const { id, accessTokenSealed } = account
  const sealed = accessTokenSealed ?? Buffer.alloc(0)
  return { accountId: id, accessToken: store.sealer.open(sealed, accountSecrets(id)) }
}

/** Every dealer and creator account, oldest first, without its secrets. */
export async function listDealers({ store }: AccountDeps) {
  const accounts = await listAccounts(store, ['PosDealer', 'PosCreator'])
  return accounts.map(({ id, kind, name, market, country, email, roles, autoInvite }) => ({
    accountId: id,
    kind,
    name,
    market,
    country,
    email,
    roles: heldRoles({ roles, autoInvite }),
    autoInvite,
  }))
}

/** Throws ACCOUNT_UNKNOWN. */
export async function accountOf(store: Store, id: string): Promise<AccountRow> {
  const account = isUuid(id) ? await findAccount(store, id.toLowerCase()) : undefined
  if (account === undefined) throw fail('ACCOUNT_UNKNOWN', { account: id })
  return account
}

/** A receipt app with a fresh secret, which is shown this once. */
export async function createReceiptApp(
  { store, now }: AccountDeps,
  app: { name: string; shareUrl: string | null },
): Promise<{ appId: string; appSecret: string }> {
  const id = randomId()
  const appSecret = newToken()
  await insertReceiptApp(store, {
    ...app,
    id,
    secretHash: sha256(appSecret),
    secretSealed: store.sealer.seal(appSecret, appSecrets(id)),
    createdAt: now(),
  })
  return { appId: id, appSecret }
}
