// API keys: further tokens of an account, each for a part of what its own one may.
import type { Store } from '../client.js'
import type { Transaction } from '../transaction.js'

export const API_KEY_SCOPES = [
  ...['all', 'dealer:read', 'dealer:write', 'platform:read', 'platform:write'],
] as const
export type ApiKeyScope = (typeof API_KEY_SCOPES)[number]

export interface ApiKeyId {
  accountId: string
  id: string
}

export interface ApiKeyRow extends ApiKeyId {
  name: string
  scopes: ApiKeyScope[]
  createdAt: Date
  /** Null: it does not end by itself. */
  expiresAt: Date | null
  /** To the minute; null: never. */
  lastUsedAt: Date | null
  /** So long the former token is good as well; null: there is none. */
  oldUntil: Date | null
}

const ROW = `account_id as "accountId", id, name, scopes, created_at as "createdAt",
  expires_at as "expiresAt", last_used_at as "lastUsedAt", old_until as "oldUntil"`

/** Oldest first. */
export async function listApiKeys({ pool }: Store, accountId: string): Promise<ApiKeyRow[]> {
  const { rows } = await pool.query<ApiKeyRow>(
    `select ${ROW} from api_key where account_id = $1 order by created_at, id`,
    [accountId],
  )
  return rows
}

export interface ApiKeyUse {
  id: string
  scopes: ApiKeyScope[]
  /** It ends then: the token, or the overlap in which it is good. */
  until: Date | null
}

/** The key that a token opens now; that it was used is noted once a minute. */
export async function useApiKey(
  { pool }: Store,
  { accountId, hash }: { accountId: string; hash: Buffer },
  now: Date,
): Promise<ApiKeyUse | undefined> {
  const { rows } = await pool.query<ApiKeyUse>({
    name: 'use-api-key',
    text: `with found as (
        select id, scopes, last_used_at, case when token_hash = $2 then expires_at
          else least(expires_at, old_until) end as until
        from api_key
        where account_id = $1 and (token_hash = $2 or (old_hash = $2 and old_until > $3))
          and (expires_at is null or expires_at > $3)),
      noted as (
        update api_key k set last_used_at = $3 from found f
        where k.account_id = $1 and k.id = f.id
          and (f.last_used_at is null or f.last_used_at < $3 - interval '1 minute'))
      select id, scopes, until from found`,
    values: [accountId, hash, now],
  })
  return rows[0]
}

type New = Pick<ApiKeyRow, 'accountId' | 'id' | 'name' | 'scopes' | 'createdAt' | 'expiresAt'> & {
  tokenHash: Buffer
}

/** False: the account has `most` already. */
export async function insertApiKey(tx: Transaction, row: New, most: number): Promise<boolean> {
  const { accountId, id, name, scopes, createdAt, expiresAt, tokenHash } = row
  // two calls at the same moment wait for each other here
  await tx.$queryRaw`select from account where id = ${accountId}::uuid for no key update`
  const made = await tx.$executeRaw`insert into api_key (account_id, id, name, scopes, token_hash,
      created_at, expires_at)
    select ${accountId}::uuid, ${id}::uuid, ${name}, ${scopes}::text[],
      decode(${tokenHash.toString('hex')}, 'hex'), ${createdAt}, ${expiresAt}::timestamptz
    where (select count(*) from api_key where account_id = ${accountId}::uuid) < ${most}`
  return made === 1
}

/** False: there is none. Of three tokens within an overlap the last two are good. */
export async function rotateApiKey(
  tx: Transaction,
  { accountId, id }: ApiKeyId,
  { tokenHash, oldUntil }: { tokenHash: Buffer; oldUntil: Date },
): Promise<boolean> {
  const changed = await tx.$executeRaw`update api_key
    set old_hash = token_hash, old_until = ${oldUntil},
      token_hash = decode(${tokenHash.toString('hex')}, 'hex')
    where account_id = ${accountId}::uuid and id = ${id}::uuid`
  return changed === 1
}

/** The key as it was; undefined: there is none. */
export async function deleteApiKey(
  tx: Transaction,
  { accountId, id }: ApiKeyId,
): Promise<Pick<ApiKeyRow, 'name' | 'scopes'> | undefined> {
  const gone = await tx.$queryRaw<Pick<ApiKeyRow, 'name' | 'scopes'>[]>`delete from api_key
    where account_id = ${accountId}::uuid and id = ${id}::uuid returning name, scopes`
  return gone[0]
}
